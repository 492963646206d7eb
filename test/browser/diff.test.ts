import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { diffHtml } from '../../src/commands/diff/render/html.js'
import { createImporter } from '../../src/importer.js'
import { writeSpace, type SpaceFolder } from '../support/space.js'
import { versioned, versionedKit } from '../support/versions.js'
import { hostile } from '../unit/diff/entries.js'
import { launch } from './chromium.js'

let browser: Browser
let space: SpaceFolder

beforeAll(async () => {
  browser = await launch()
  space = await writeSpace(await versionedKit())
})
afterAll(async () => {
  await browser.close()
  await space.remove()
})

/** Opens a page from disk, and records its requests, console messages, errors and scripts. */
async function open(html: string, width: number) {
  const path = join(space.folder, 'page.html')
  await writeFile(path, html)
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  const seen: string[] = []
  page.on('console', (message) => void seen.push(message.text()))
  page.on('pageerror', (error) => void seen.push(error.message))
  page.on('request', (request) => request.url().startsWith('data:') || seen.push(request.url()))
  await page.exposeFunction('hit', () => void seen.push('hit'))
  await page.goto(pathToFileURL(path).href)
  return { page, seen, address: pathToFileURL(path).href }
}

test.each([400, 1280])('shows before and after side by side at %i pixels, and requests nothing', async (width) => {
  const importer = await createImporter(
    { space: space.folder, cacheDir: join(space.folder, '.cache') },
    { root: space.folder, env: {} },
  )
  const diff = await importer.diff({ kit: versioned.kit, from: 1, to: 2, pictures: true })
  await importer.close()
  const { page, seen, address } = await open(diffHtml(diff), width)
  const pictures = await page
    .locator('article', { hasText: 'Hero Photo' })
    .locator('img')
    .evaluateAll(async (images: HTMLImageElement[]) => {
      await Promise.all(images.map((image) => image.decode()))
      return images.map((image) => {
        const { x, y, width: shown } = image.getBoundingClientRect()
        return { x, y, shown, naturalWidth: image.naturalWidth }
      })
    })
  const [before, after] = pictures
  const logo = await page
    .locator('article', { hasText: 'Corp Logo' })
    .locator('img')
    .evaluateAll(async (images: HTMLImageElement[]) => {
      await Promise.all(images.map((image) => image.decode()))
      return images.map((image) => image.naturalWidth > 2 * image.getBoundingClientRect().width)
    })
  expect(logo).toEqual([true, true])
  expect(pictures.map(({ naturalWidth }) => naturalWidth)).toEqual([320, 320])
  expect(pictures.every(({ shown }) => shown > 100)).toBe(true)
  expect(before?.y).toBe(after?.y)
  expect(after?.x).toBeGreaterThan((before?.x ?? 0) + (before?.shown ?? 0))
  expect(
    await page.evaluate(() => [
      document.documentElement.scrollWidth,
      getComputedStyle(document.querySelector('figure') ?? document.body).display,
    ]),
  ).toEqual([width, 'flex'])
  expect(seen).toEqual([address])
  await page.close()
})

test('shows names with markup as text', async () => {
  const json = join('brand/versions/2/Logos/corp-logo.json')
  await space.write({ [json]: { uuid: versioned.logo, name: hostile } })
  const importer = await createImporter(
    { space: space.folder, cacheDir: join(space.folder, '.cache') },
    { root: space.folder, env: {} },
  )
  const diff = await importer.diff({ kit: 'brand', from: 1, to: 2, pictures: true })
  await importer.close()
  const { page, seen, address } = await open(diffHtml(diff), 800)
  expect(
    await page
      .locator('article', { has: page.locator('.renamed') })
      .locator('h3')
      .innerText(),
  ).toContain('<script>hit()</script>')
  expect(await page.evaluate(() => document.scripts.length)).toBe(0)
  expect(seen).toEqual([address])
  await page.close()
})
