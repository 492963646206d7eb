import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { preview, type PreviewServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timeFor } from '../support/long.js'
import { memoize } from '../../src/async/memoize.js'
import { findingsOf } from './axe.js'
import { launch } from './chromium.js'
import { play } from './play.js'

const pages = (await readdir('docs')).filter((name) => name.endsWith('.md')).map((name) => name.replace('.md', '.html'))
/** As on GitHub Pages, where the site is in a folder. */
const base = '/unplugin-content-space/'

let outDir = ''
let server: PreviewServer
let browser: Browser
let address = ''

beforeAll(async () => {
  outDir = await mkdtemp(join(tmpdir(), 'content-space-site-'))
  expect(await play('demo', '--out', 'docs/public/playground').ended).toMatchObject({ code: 0 })
  const env = { ...process.env, SITE_BASE: base, GITHUB_REPOSITORY: 'acme/unplugin-content-space' }
  const args = ['node_modules/vitepress/bin/vitepress.js', 'build', 'docs', '--outDir', outDir]
  await promisify(execFile)(process.execPath, args, { env })
  server = await preview({ configFile: false, base, build: { outDir }, preview: { port: 0 } })
  address = server.resolvedUrls?.local[0] ?? ''
  browser = await launch()
}, timeFor(4))

afterAll(async () => {
  await browser.close()
  await server.close()
  await rm(outDir, { recursive: true, force: true })
})

/** Returns the text at a URL; undefined for a missing page. */
const texts = memoize(async (url) => {
  const response = await fetch(url)
  const text = await response.text()
  return response.ok && !text.includes('<title>404') ? text : undefined
})

test('has a logo and icons, from its own kit', async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(address, { waitUntil: 'load' })
  const logo = page.locator('img.logo').first()
  expect(
    await logo.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBeGreaterThan(0)
  const icons = await page
    .locator('link[rel*=icon]')
    .evaluateAll((links) => links.map((link) => Reflect.get(link, 'href')))
  expect(icons).toHaveLength(3)
  for (const icon of icons) expect((await fetch(String(icon))).headers.get('content-type')).toMatch(/^image\//)
  await page.close()
})

test.each([400, 1280])("axe doesn't find anything on the first page, %i pixels wide", async (width) => {
  const page = await browser.newPage({ viewport: { width, height: 900 }, bypassCSP: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto(address, { waitUntil: 'load' })
    await page.locator('main').waitFor()
    expect(await findingsOf(page, {}, ['minor', 'moderate', 'serious', 'critical'])).toEqual([])
  }
  await page.close()
})

// A page keeps one processor busy.
test.concurrent.each(pages)(
  "%s fits a phone and doesn't have errors, dead links, or serious axe findings",
  async (name) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, bypassCSP: true })
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on(
      'response',
      (response) => response.status() >= 400 && complaints.push(`${response.url()}: ${response.status()}`),
    )
    page.on(
      'request',
      (request) => !request.url().startsWith(new URL(address).origin) && complaints.push(request.url()),
    )
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(address + name, { waitUntil: 'load' })
      await page.locator('main, .VPContent').first().waitFor()
      // The demo has its own tests.
      expect(await findingsOf(page, { iframes: false })).toEqual([])
    }
    const links = await page
      .locator('main a[href], .VPContent a[href]')
      .evaluateAll((all) =>
        all.flatMap((link) =>
          link instanceof HTMLAnchorElement && link.origin === location.origin ? [link.href] : [],
        ),
      )
    for (const link of new Set(links)) {
      const [url = '', anchor = ''] = link.split('#')
      const target = await texts.get(url)
      if (target === undefined || (anchor !== '' && !target.includes(`id="${decodeURIComponent(anchor)}"`)))
        complaints.push(link)
    }
    await page.setViewportSize({ width: 400, height: 800 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400)
    expect(complaints).toEqual([])
    await page.close()
  },
)

test('finds pages by their text, and has all of them as one text', async () => {
  const page = await browser.newPage()
  await page.goto(`${address}start.html`, { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Search' }).first().click()
  await page.locator('.VPLocalSearchBox input').fill('lockfile')
  await page.locator('.VPLocalSearchBox .result').first().waitFor()
  await page.close()
  const full = await fetch(`${address}llms-full.txt`).then((response) => response.text())
  expect(full).toContain('- uses: acme/unplugin-content-space/action@v1')
  expect(full).not.toContain('OWNER')
  const list = await fetch(`${address}llms.txt`).then((response) => response.text())
  for (const name of pages.filter((one) => one !== 'index.html')) {
    const [title = ''] = (await readFile(join('docs', name.replace('.html', '.md')), 'utf8')).split('\n')
    expect(full).toContain(title)
    expect(list).toContain(`(${base}${name})`)
  }
})

test('shows the demo and its kit browser', async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 2400 } })
  await page.goto(`${address}demo.html`, { waitUntil: 'load' })
  await page.frameLocator('iframe').first().getByText('Light that comes with the wind').first().waitFor()
  await page.frameLocator('iframe').last().getByText('Solvane Logo Reversed').first().waitFor()
  await page.close()
})

test('names the repository in examples', async () => {
  const html = await readFile(join(outDir, 'update-bot.html'), 'utf8')
  expect(html).toContain('acme/unplugin-content-space/action')
  expect(html).toContain('href="https://github.com/acme/unplugin-content-space/blob/HEAD/action/action.yml"')
})
