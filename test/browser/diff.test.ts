import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { diffHtml } from '../../src/commands/diff/html.js'
import { createImporter } from '../../src/importer.js'
import { writeSpace, type SpaceFolder } from '../support/space.js'
import { versioned, versionedKit } from '../support/versions.js'
import { hostile } from '../unit/commands/diff/entries.js'
import { launch } from './chromium.js'
import { openStatic } from './static-page.js'

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

test.each([400, 1280])('shows before and after side by side at %i pixels, without any requests', async (width) => {
  const importer = await createImporter(
    { space: space.folder, cacheDir: join(space.folder, '.cache') },
    { root: space.folder, env: {} },
  )
  const diff = await importer.diff({ kit: versioned.kit, from: 1, to: 2, pictures: true })
  await importer.close()
  const { page, seen, address } = await openStatic(browser, space.folder, diffHtml(diff), width)
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
  const { page, seen, address } = await openStatic(browser, space.folder, diffHtml(diff), 800)
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
