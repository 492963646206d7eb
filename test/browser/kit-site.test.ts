import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import glob from 'fast-glob'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timeFor } from '../support/long.js'
import { writeSpace, type SpaceFolder } from '../support/space.js'
import { launch } from './chromium.js'
import { kitFiles, main } from './kit-space.js'

const large = 5000
let browser: Browser
let space: SpaceFolder
let server: Server
let url: string

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

beforeAll(async () => {
  space = await writeSpace(kitFiles(large))
  await promisify(execFile)(process.execPath, [main, 'browse', '--out', 'site'], {
    cwd: space.folder,
    env: { PATH: process.env['PATH'], CONTENT_SPACE_CACHE: join(space.folder, '.cache') },
  })
  // A plain web host that serves below a path and doesn't know anything about the page.
  server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/kits\//, '')
    void readFile(join(space.folder, 'site', path || 'index.html')).then(
      (bytes) => response.setHeader('Content-Type', types[extname(path) || '.html'] ?? 'image/png').end(bytes),
      () => response.writeHead(404).end(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/kits/`
  browser = await launch()
}, timeFor(4))
afterAll(async () => {
  await browser.close()
  server.closeAllConnections()
  server.close()
  await space.remove()
})

test(`a site of ${large} assets is one page with its data, and each picture once`, async () => {
  const files = await glob('**', { cwd: join(space.folder, 'site'), dot: true })
  expect(files.filter((path) => path.startsWith('data/kits/'))).toHaveLength(3)
  // 360 hues, and the pictures of the other kit.
  const pictures = files.filter((path) => path.startsWith('files/'))
  expect(pictures.length).toBeGreaterThanOrEqual(360)
  expect(pictures.length).toBeLessThan(375)
  expect(files.length - pictures.length).toBeLessThan(12)
})

test('a site works on any web host, without a server of its own', async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  const wrong: string[] = []
  page.on('pageerror', ({ message }) => void wrong.push(message))
  page.on('response', (response) => void (response.status() >= 400 && wrong.push(response.url())))
  page.on('request', (request) => {
    const address = request.url()
    if (!/^(?:data|blob):/.test(address) && !address.startsWith(url)) wrong.push(address)
  })
  await page.exposeFunction('hit', () => void wrong.push('hit'))
  await page.goto(url)
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.kit-cover img')?.complete)
  expect(await page.locator('.kit-card').count()).toBe(3)
  await page.goto(`${url}#/library/asset/arrow-door-04004`)
  await page.locator('.detail-name', { hasText: 'Arrow Door 04004' }).waitFor()
  await page.locator('.detail .picture img.is-shown').first().waitFor()
  await page.locator('.search input').fill('mountain')
  await page.waitForFunction(() => document.querySelector('.head')?.textContent?.includes('of 5,000 assets'))
  await page.goto(`${url}#/brand/section/odd`)
  await page.locator('.tile', { hasText: 'Archive' }).waitFor()
  // Nothing that belongs to a project.
  expect(await page.locator('.side-nav a').allInnerTexts()).toEqual([expect.stringContaining('Assets')])
  expect(await page.locator('.uses, .chip', { hasText: /used/ }).count()).toBe(0)
  expect(wrong).toEqual([])
  await page.close()
})
