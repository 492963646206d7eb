import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import contentSpace from 'unplugin-content-space/vite'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { soon } from '../support/long.js'
import { createProject, type Project } from '../bundlers/driver.js'
import { launch } from './chromium.js'
import { kitFiles } from './kit-space.js'

let browser: Browser
let project: Project
let server: ViteDevServer
let url: string

beforeAll(async () => {
  const files = Object.entries(kitFiles(0)).map(([path, content]) => [
    path,
    typeof content === 'object' && !(content instanceof Uint8Array) ? JSON.stringify(content) : content,
  ])
  project = await createProject({ 'index.html': '<script type="module" src="/src/main.js"></script>' })
  for (const [path, content] of files) {
    if (typeof path !== 'string' || content === undefined) continue
    await mkdir(join(project.root, path, '..'), { recursive: true })
    await writeFile(join(project.root, path), content)
  }
  // An editor that records which files it is asked to open.
  const editor = join(project.root, 'editor.sh')
  await writeFile(editor, `#!/bin/sh\necho "$@" >> ${JSON.stringify(join(project.root, 'opened.txt'))}\n`)
  await chmod(editor, 0o755)
  vi.stubEnv('LAUNCH_EDITOR', editor)
  server = await createServer({
    root: project.root,
    configFile: false,
    logLevel: 'silent',
    base: '/app/',
    plugins: [contentSpace({ cacheDir: join(project.root, '.cache'), types: false })],
    server: { host: '127.0.0.1', port: 0 },
  })
  await server.listen()
  url = `${server.resolvedUrls?.local[0]}__content-space/`
  browser = await launch()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await browser.close()
  await server.close()
  await project.remove()
})

test('the kit browser in a dev server shows usage, follows changes, and opens the editor', async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  const wrong: string[] = []
  page.on('pageerror', ({ message }) => void wrong.push(message))
  await page.goto(`${url}#/brand/asset/acme-logo`)
  await page.locator('.detail-name', { hasText: 'Acme Logo' }).waitFor()
  const place = page.locator('.detail button', { hasText: 'src/main.js:1' })
  await place.click()
  const opened = () => readFile(join(project.root, 'opened.txt'), 'utf8').catch(() => '')
  await expect.poll(opened, soon).toContain(join(project.root, 'src/main.js'))

  await page.goto(`${url}#/brand/usage`)
  await page.locator('.stat-value').first().waitFor()
  expect(await page.locator('.stat-value').first().innerText()).toBe('3')
  await project.write({ 'src/second.js': `import { sun } from 'content-space:kit/brand'\nconsole.log(sun)\n` })
  await expect.poll(() => page.locator('.stat-value').first().innerText(), soon).toBe('4')

  await page.goto(`${url}#/brand`)
  await writeFile(join(project.root, 'space/brand/02 Colors/pine.json'), '{"color":"#103437"}')
  await page.locator('.tile', { hasText: 'Pine' }).waitFor()
  expect(wrong).toEqual([])
  await page.close()
})
