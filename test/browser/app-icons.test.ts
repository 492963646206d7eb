import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import contentSpace from 'unplugin-content-space/vite'
import { build, createServer, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProject } from '../bundlers/driver.js'
import { writeSpace, type SpaceFolder } from '../support/space.js'
import { launch } from './chromium.js'
import { expectInstallable } from './installable.js'

const ring = (color: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="${color}" d="M0 0h8v8H0z"/></svg>`
const page = `<!doctype html>
<html>
  <head>
    <title>Acme</title>
    <link rel="icon" href="content-space:app-icons/brand/app-icon?name=Acme&amp;dark=app-icon-dark">
  </head>
  <body></body>
</html>`

let browser: Browser
let space: SpaceFolder
let cacheDir: string
beforeAll(async () => {
  ;[browser, space, cacheDir] = await Promise.all([
    launch(),
    writeSpace({ 'brand/Logos/app-icon.svg': ring('#f00'), 'brand/Logos/app-icon-dark.svg': ring('#00f') }),
    mkdtemp(join(tmpdir(), 'content-space-cache-')),
  ])
})
afterAll(() => Promise.all([browser.close(), space.remove(), rm(cacheDir, { recursive: true, force: true })]))

/** Servers that serve the page and return its URL. */
const servers = {
  async build(root: string) {
    const config = configOf(root)
    await build(config)
    const server = await preview({ ...config, preview: { port: 0 } })
    return { url: server.resolvedUrls?.local[0] ?? '', close: () => server.close() }
  },
  async dev(root: string) {
    const server = await createServer(configOf(root))
    await server.listen(0)
    return { url: server.resolvedUrls?.local[0] ?? '', close: () => server.close() }
  },
}

function configOf(root: string) {
  const options = { space: space.folder, cacheDir, types: false as const, lockfile: false as const }
  return {
    root,
    base: '/app/',
    configFile: false as const,
    logLevel: 'silent' as const,
    plugins: [contentSpace(options)],
  }
}

describe.each(Object.entries(servers))('Vite, %s', (_, serve) => {
  test('the manifest can be installed, and every icon is rendered', async () => {
    const project = await createProject({ 'index.html': page })
    const { url, close } = await serve(project.root)
    const tab = await browser.newPage()
    try {
      await expectInstallable(tab, url, 'Acme')
    } finally {
      await tab.close()
      await close()
      await project.remove()
    }
  })
})

test('icon.svg follows the theme', async () => {
  const project = await createProject({ 'index.html': page })
  const { url, close } = await servers.build(project.root)
  const tab = await browser.newPage({ viewport: { width: 100, height: 100 } })
  try {
    const colors = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await tab.emulateMedia({ colorScheme })
      await tab.goto(`${url}icon.svg`)
      const picture = (await tab.screenshot()).toString('base64')
      colors.push(
        await tab.evaluate(async (data) => {
          const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob())
          const canvas = new OffscreenCanvas(100, 100).getContext('2d')
          canvas?.drawImage(bitmap, 0, 0)
          return [...(canvas?.getImageData(50, 50, 1, 1).data ?? [])]
        }, picture),
      )
    }
    expect(colors).toEqual([
      [255, 0, 0, 255],
      [0, 0, 255, 255],
    ])
  } finally {
    await tab.close()
    await close()
    await project.remove()
  }
})
