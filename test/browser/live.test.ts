import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import contentSpace from 'unplugin-content-space/vite'
import { createLogger, createServer, type ViteDevServer } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { soon } from '../support/long.js'
import { startServer, type RunningServer } from '../../src/commands/serve/server.js'
import { createProject, type Project } from '../bundlers/driver.js'
import { launch } from './chromium.js'

let browser: Browser
let page: Page
let project: Project
let server: ViteDevServer | undefined
let service: RunningServer | undefined
const log: string[] = []
const errors: string[] = []

beforeAll(async () => void (browser = await launch()))
afterAll(() => browser.close())

function drawing(color: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" viewBox="0 0 40 20"><path fill="${color}" d="M0 0h40v20H0z"/></svg>`
}

const main = `import { acmeLogo } from 'content-space:kit/brand'
const picture = document.querySelector('img')
picture.src = acmeLogo.src
document.title = acmeLogo.name
`
const accepting = `${main}if (import.meta.hot) import.meta.hot.accept()
`

async function edit(path: string, text: string): Promise<void> {
  const file = join(project.root, 'space', path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

const logo = 'brand/01 Logos/acme-logo.svg'
const sidecar = 'brand/01 Logos/acme-logo.json'
const uuid = '20000000-0000-4000-8000-000000000009'

async function remove(path: string): Promise<void> {
  await rm(join(project.root, 'space', path))
}

beforeEach(async () => {
  log.length = 0
  errors.length = 0
  project = await createProject({
    'index.html': '<!doctype html><img><input><script type="module" src="/main.js"></script>',
    'main.js': main,
    'content-space.config.json': JSON.stringify({ kits: { brand: 'brand' } }),
  })
  await edit('brand/kit.json', JSON.stringify({ name: 'Brand' }))
  await edit(logo, drawing('red'))
  await edit('brand/01 Logos/other.svg', drawing('black'))
  await edit('icons/Arrows/arrow-left.svg', drawing('grey'))
  page = await browser.newPage()
})
afterEach(async () => {
  await page.close()
  await server?.close()
  await service?.close()
  server = undefined
  service = undefined
  await project.remove()
})

const say = (message: string): void => void log.push(message)

/** Starts a dev server. Its space is either the folder or a service in front of it, which is polled every second. */
async function serve(through: 'folder' | 'service'): Promise<void> {
  if (through === 'service') service = await startServer({ folder: join(project.root, 'space') })
  const space = service
    ? { space: service.url, spaceId: service.spaceId, token: service.token, refresh: 1 }
    : { space: 'space' }
  server = await createServer({
    root: project.root,
    configFile: false,
    customLogger: {
      ...createLogger(),
      info: say,
      warn: say,
      error: (message) => void errors.push(message),
    },
    plugins: [contentSpace({ ...space, cacheDir: join(project.root, 'cache') })],
    server: { host: '127.0.0.1', port: 0 },
  })
  await server.listen()
  await page.goto(server.resolvedUrls?.local[0] ?? '')
}

const until = (check: () => Promise<void> | void) => vi.waitFor(check, soon)
const overlay = () => page.locator('vite-error-overlay').count()
const overlayText = () => page.locator('vite-error-overlay').evaluate((one) => one.shadowRoot?.textContent ?? '')
const title = () => page.title().catch(() => '')
const shows = (text: string) => until(async () => expect(await title()).toBe(text))
const picture = () =>
  page.evaluate(async () => (await fetch(document.querySelector('img')?.src ?? '')).text()).catch(() => '')
/** Returns the changes without the messages about a slow machine. */
const changes = () => log.filter((line) => /^content-space: (?!waiting for|.* answered after)/.test(line))

async function open(through: 'folder' | 'service'): Promise<void> {
  await serve(through)
  await shows('Acme Logo')
  // Wait until Vite's client is connected and the folder is watched.
  await until(() => expect(server?.ws.clients.size).toBe(1))
  await new Promise((done) => setTimeout(done, 300))
}

for (const through of ['folder', 'service'] as const) {
  test(`${through}: a removed asset is an error in page and terminal, and the page recovers`, async () => {
    await open(through)
    await remove(logo)
    await until(async () => expect(await overlay()).toBe(1))
    expect(await overlayText()).toContain('acmeLogo is no longer in kit Brand')
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatch(/acmeLogo is no longer in kit Brand[\s\S]*main\.js:1/)
    await edit(logo, drawing('blue'))
    await shows('Acme Logo')
    expect(await overlay()).toBe(0)
    expect(await picture()).toBe(drawing('blue'))
    expect(errors).toHaveLength(1)
    expect(changes()).toEqual(['content-space: Brand (draft): 1 removed', 'content-space: Brand (draft): 1 added'])
  })

  test(`${through}: an edit replaces one module, costs one download, and keeps the text in a form`, async () => {
    await writeFile(join(project.root, 'main.js'), accepting)
    await open(through)
    await page.locator('input').fill('typed')
    const asked: string[] = []
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
    await edit(logo, drawing('green'))
    await until(() => expect(asked.at(-1)).toContain('acme-logo.svg'))
    expect(await picture()).toBe(drawing('green'))
    expect(await page.locator('input').inputValue()).toBe('typed')
    expect(asked.filter((path) => !path.includes('.svg'))).toEqual([
      '/main.js',
      expect.stringContaining('content-space'),
    ])
    expect(new Set(asked.filter((path) => path.includes('.svg'))).size).toBe(1)
    expect(changes()).toEqual(['content-space: Brand (draft): 1 changed'])
    expect(log.filter((line) => /hmr update|page reload/.test(line))).toEqual([expect.stringContaining('/main.js')])
  })

  test(`${through}: a renamed asset keeps its export, which the declarations call deprecated`, async () => {
    await edit(sidecar, JSON.stringify({ uuid }))
    await open(through)
    await edit(sidecar, JSON.stringify({ uuid, name: 'Acme Mark' }))
    await shows('Acme Mark')
    expect(changes()).toEqual(['content-space: Brand (draft): 1 renamed'])
    expect(errors).toEqual([])
    await until(async () =>
      expect(await readFile(join(project.root, 'content-space.d.ts'), 'utf8')).toMatch(/@deprecated[^;]*acmeLogo/),
    )
  })

  test(`${through}: an asset that is added after the page has failed is shown`, async () => {
    await remove(logo)
    await serve(through)
    await until(async () => expect(await overlay()).toBe(1))
    await edit(logo, drawing('red'))
    await shows('Acme Logo')
    expect(await overlay()).toBe(0)
  })
}

test('an edit of the configuration replaces what it changes, and an invalid one leaves the page as it is', async () => {
  await open('folder')
  const config = join(project.root, 'content-space.config.json')
  await writeFile(config, '{ "kits": ')
  await until(() => expect(errors.join()).toMatch(/content-space\.config\.json[\s\S]*stay in use/))
  await writeFile(config, JSON.stringify({ kits: { brand: { kit: 'brand', names: { 'acme-logo': 'logo' } } } }))
  await until(() => expect(changes().join()).toContain('content-space.config.json has changed'))
  await writeFile(join(project.root, 'main.js'), main.replaceAll('acmeLogo', 'logo').replace('name', 'type'))
  await shows('SVG')
  expect(errors).toHaveLength(1)
  expect(await overlay()).toBe(0)
})

test('a service that becomes unreachable is reported once, and the content stays', async () => {
  await open('service')
  const { url = '' } = { ...service }
  const port = Number(new URL(url).port)
  await service?.close()
  await until(() => expect(log.join()).toContain('stays in use'))
  await page.reload()
  await shows('Acme Logo')
  service = await startServer({ folder: join(project.root, 'space'), port })
  expect(port).toBeGreaterThan(0)
  expect(log.filter((line) => line.includes('stays in use'))).toHaveLength(1)
})

test('a page that was opened while the service was unreachable loads when the service is back', async () => {
  await writeFile(join(project.root, 'main.js'), "import './part.js'\n")
  await writeFile(join(project.root, 'part.js'), main)
  await open('service')
  const { url = '', token = '' } = { ...service }
  await service?.close()
  await server?.restart()
  await until(() => expect(errors.join()).toContain('unreachable'))
  await until(async () => expect(await overlay()).toBe(1))
  const port = Number(new URL(url).port)
  service = await startServer({ folder: join(project.root, 'space'), port, token })
  await shows('Acme Logo')
  expect(await overlay()).toBe(0)
})

test('an edit of a folder is in the page at once', async () => {
  await writeFile(join(project.root, 'main.js'), accepting)
  await open('folder')
  const times: number[] = []
  for (const color of ['a', 'b', 'c', 'd', 'e']) {
    const before = performance.now()
    await edit(logo, drawing(`#${color.repeat(6)}`))
    await until(async () => expect(await picture()).toBe(drawing(`#${color.repeat(6)}`)))
    times.push(performance.now() - before)
    await new Promise((done) => setTimeout(done, 200))
  }
  // This takes half a second on an idle machine.
  expect(times.toSorted((a, b) => a - b)[2]).toBeLessThan(1500)
})
