import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { soon } from '../support/long.js'
import { createProject, type Project } from '../bundlers/driver.js'
import { freePort } from '../support/free-port.js'
import { launch } from './chromium.js'

let browser: Browser
let page: Page
let project: Project
let server: ChildProcess | undefined
let output = ''

/**
 * Prevents Farm from ending its process when a build fails. Farm passes Koa's middlewares to its HTTP server before it
 * has added any, and koa-compose 4.2 doesn't notice later ones.
 */
const script = `
  import { start } from '@farmfe/core'
  import contentSpace from 'unplugin-content-space/farm'
  const [root, port] = process.argv.slice(1)
  const answer = {
    name: 'answer',
    configureDevServer(dev) {
      dev.server.removeAllListeners('request')
      dev.server.on('request', dev.app().callback())
    },
  }
  await start({
    root,
    compilation: { input: { index: './index.html' }, persistentCache: false },
    server: { host: '127.0.0.1', port: Number(port), hmr: { port: Number(port) } },
    plugins: [answer, contentSpace({ space: 'space', lockfile: false, types: false, cacheDir: root + '/cache' })],
  })
`

const main = `import { acmeLogo } from 'content-space:kit/brand'
import './icons.js'
document.querySelector('img').src = acmeLogo.src
document.title = acmeLogo.name
if (import.meta.hot) import.meta.hot.accept()
`

function drawing(color: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" viewBox="0 0 40 20"><path fill="${color}" d="M0 0h40v20H0z"/></svg>`
}

const logo = () => join(project.root, 'space/brand/Logos/acme-logo.svg')

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

beforeAll(async () => void (browser = await launch()))
afterAll(() => browser.close())
beforeEach(async () => {
  output = ''
  project = await createProject({
    'index.html': '<!doctype html><html><body><img><input><script src="./main.js"></script></body></html>',
    'main.js': main,
    'icons.js': "import { arrowLeft } from 'content-space:kit/icons'\nwindow.arrow = arrowLeft.src\n",
  })
  await write(logo(), drawing('red'))
  await write(join(project.root, 'space/icons/Arrows/arrow-left.svg'), drawing('grey'))
  page = await browser.newPage()
})
afterEach(async () => {
  await page.close()
  if (server?.exitCode === null && server.kill('SIGINT')) await once(server, 'exit')
  await project.remove()
})

const until = (check: () => Promise<void>) => vi.waitFor(check, soon)
const title = () => page.title().catch(() => '')
const picture = () =>
  page.evaluate(async () => (await fetch(document.querySelector('img')?.src ?? '')).text()).catch(() => '')
const overlay = () => page.locator('farm-error-overlay, vite-error-overlay')
/** Skips lines about waiting, which a busy machine prints. */
const changes = () =>
  output.split('\n').filter((line) => /^content-space: (?!waiting for |.* answered after )/.test(line))

test('the dev server of Farm replaces modules, shows a removed asset in its overlay, and recovers', async () => {
  const port = await freePort()
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  server = spawn(process.execPath, ['--input-type=module', '--eval', script, project.root, `${port}`], { cwd })
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (chunk: Buffer) => (output += String(chunk)))
  await until(async () => expect((await fetch(`http://127.0.0.1:${port}/`)).status, output).toBe(200))
  const socket = page.waitForEvent('websocket')
  await page.goto(`http://127.0.0.1:${port}/`)
  await until(async () => expect(await title(), output).toBe('Acme Logo'))
  await page.locator('input').fill('typed')
  // Wait for a page to connect, because Farm sends changes only to connected pages, and for the folder to be watched.
  await socket
  await new Promise((done) => setTimeout(done, 1000))

  await write(logo(), drawing('green'))
  await until(async () => expect(await picture(), output).toBe(drawing('green')))
  expect(await page.locator('input').inputValue()).toBe('typed')

  await rm(logo())
  await until(async () => expect(await overlay().count(), output).toBe(1))
  expect(await overlay().evaluate((one) => one.shadowRoot?.textContent)).toContain('acmeLogo is no longer in kit brand')
  expect(output).toMatch(/acmeLogo is no longer in kit brand \(draft\)[\s\S]*main\.js:1/)

  await write(logo(), drawing('blue'))
  await until(async () => expect(await picture(), output).toBe(drawing('blue')))
  await until(async () => expect(await overlay().count(), output).toBe(0))

  await rename(logo(), logo().replace('acme-logo', 'acme-mark'))
  await until(async () => expect(await title(), output).toBe('Acme Mark'))
  expect(changes()).toEqual(
    ['1 changed', '1 removed', '1 added', '1 renamed'].map((what) => `content-space: brand (draft): ${what}`),
  )
})
