import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditHtml } from '../../src/commands/audit/html.js'
import type { AuditReport } from '../../src/commands/shared/findings/report.js'
import { createImporter } from '../../src/importer.js'
import { svg, writeSpace, type SpaceFolder } from '../support/space.js'
import { findingsOf } from './axe.js'
import { launch } from './chromium.js'
import { openStatic } from './static-page.js'

const hostile = '<img src=x onerror=hit()><script>hit()</script>'
const hostileDrawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><script>hit()</script><path onload="hit()" d="M2 2h20v6H8v6h10v8H2z"/></svg>`

let browser: Browser
let space: SpaceFolder
let project: SpaceFolder
let report: AuditReport

beforeAll(async () => {
  browser = await launch()
  const photo = sharp(Buffer.from(svg('scene', 640, 400)))
  space = await writeSpace({
    'other/Photos/scene.png': await photo.png().toBuffer(),
    'other/Logos/hostile.svg': hostileDrawing,
    'other/Logos/hostile.json': { name: hostile },
    'other/Colors/coral.json': { color: '#e5603f' },
  })
  project = await writeSpace({
    [`${'a long name of a file '.repeat(9)}.webp`]: await photo.resize(200).webp().toBuffer(),
    'src/icon.jsx': `export const icon = ${hostileDrawing.replace('<path', '<path id="a"')}\n`,
    'src/page.css': 'a { color: rgb(229 96 64) }\n',
  })
  const { folder: root } = project
  const importer = await createImporter(
    { space: space.folder, cacheDir: join(space.folder, '.cache') },
    { root, env: {} },
  )
  report = await importer.audit({ pictures: true })
  await importer.close()
})
afterAll(async () => {
  await browser.close()
  await space.remove()
  await project.remove()
})

test.each([400, 1280])('shows each finding beside the asset at %i pixels, without any requests', async (width) => {
  const { page, seen, address } = await openStatic(browser, space.folder, auditHtml(report), width)
  expect(await page.locator('b').allInnerTexts()).toEqual(['redrawn', 'likeness', 'color'])
  const rows = await page.locator('article').evaluateAll((articles) =>
    Promise.all(
      articles.map(async (article) => {
        await Promise.all(Array.from(article.querySelectorAll('img'), (image) => image.decode()))
        const boxes = Array.from(article.querySelectorAll('img, svg'), (one) => one.getBoundingClientRect())
        return boxes.map(({ y, height, width: shown }) => [y, height, shown > 100])
      }),
    ),
  )
  for (const [first, second] of rows) expect(first).toEqual(second)
  expect(rows.length).toBe(3)
  expect(await page.evaluate(() => [document.documentElement.scrollWidth, document.scripts.length])).toEqual([width, 0])
  expect(await page.locator('h3').first().innerText()).toContain('<script>hit()</script>')
  expect(seen).toEqual([address])
  await page.close()
})

test.each(['light', 'dark'] as const)('is accessible in %s mode, and selects a whole import', async (colorScheme) => {
  const page = await browser.newPage({ colorScheme, bypassCSP: true })
  await page.setContent(auditHtml(report))
  expect(await findingsOf(page)).toEqual([])
  await page.locator('.whole').first().click()
  expect(await page.evaluate(() => String(getSelection()))).toMatch(/^content-space:asset\/other\/img-[\w-]+$/)
  await page.close()
})
