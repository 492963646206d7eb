import sharp from 'sharp'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDrawing } from '../../src/files/convert/drawing.js'
import { readRecipe } from '../../src/files/recipe.js'
import { componentText } from '../../src/files/svg/component-text.js'
import { planned } from '../support/files.js'
import { launch } from './chromium.js'
import { originals } from './original-drawings.js'

const [cell, columns] = [100, 10]
const rows = Math.ceil(Object.keys(originals).length / columns)

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await launch()
  page = await browser.newPage({ viewport: { width: cell * columns, height: cell * rows }, colorScheme: 'dark' })
  await page.route(/^https?:/, (route) => route.abort())
})
afterAll(() => browser.close())

const asImage = (svg: string | Uint8Array) =>
  `<img src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}">`

/** Returns a drawing as a page's HTML contains it. */
async function shown(name: string, drawing: string, query: string): Promise<string> {
  const { src, value } = planned({ type: 'SVG', uuid: name }, query, 'sanitize')
  const recipe = readRecipe(value?.file.recipe ?? src?.recipe ?? '')
  if (recipe.kind !== 'svg') throw new Error('no drawing')
  const { svg } = await makeDrawing(Buffer.from(drawing), recipe, () => {})
  if (value === undefined) return asImage(svg)
  const text = Buffer.from(svg).toString()
  if (value.as !== 'component') return text
  const [head = '', ...markup] = (componentText(text, recipe.prefix ?? '', value.framework) ?? '').split('\n')
  const [attributes]: [Record<string, string>] = JSON.parse(head)
  // As the code that uses a component passes it.
  const tag = Object.entries({ ...attributes, ...sized }).map(
    ([key, one]) => ` ${key}="${one.replaceAll('"', '&quot;')}"`,
  )
  return `<svg${tag.join('')}>${markup.join('\n')}</svg>`
}

const sized = { width: `${cell}`, height: `${cell}` }

/** Returns the pixels of each drawing, all in the same size if they have a view box. */
async function pixelsOf(drawings: readonly string[]): Promise<Buffer[]> {
  const cells = drawings.map((html) => `<div>${html}</div>`).join('')
  await page.setContent(`<!doctype html><style>body{margin:0;display:grid;grid-template-columns:repeat(${columns},${cell}px)}
    div{width:${cell}px;height:${cell}px;overflow:hidden}
    img,svg{display:block}img,svg[viewBox]{width:${cell}px!important;height:${cell}px!important}
    img.plain{width:auto!important;height:auto!important}</style>${cells}`)
  await page.evaluate(async () => {
    for (const image of document.images) await image.decode().catch(() => undefined)
    await new Promise(requestAnimationFrame)
  })
  const screen = sharp(await page.screenshot()).removeAlpha()
  const { data } = await screen.raw().toBuffer({ resolveWithObject: true })
  const pictures = drawings.map((_, at) => {
    const [left, top] = [(at % columns) * cell, Math.floor(at / columns) * cell]
    const lines = Array.from({ length: cell }, (__, y) => {
      const start = ((top + y) * cell * columns + left) * 3
      return data.subarray(start, start + cell * 3)
    })
    return Buffer.concat(lines)
  })
  return pictures
}

/** Returns the share of pixels that differ visibly. Edges of inline drawings are smoothed slightly differently. */
function difference(a: Buffer, b: Buffer): number {
  let count = 0
  for (let at = 0; at < a.length; at += 3) {
    const channels = [0, 1, 2].map((channel) => Math.abs((a[at + channel] ?? 0) - (b[at + channel] ?? 0)))
    if (Math.max(...channels) > 64) count++
  }
  return count / (a.length / 3)
}

test.each(['', 'svgo', 'raw', 'raw&svgo', 'as=vue', 'as=vue&svgo'])(
  'at least 60 drawings as ?%s show what Chromium draws from the original',
  async (query) => {
    const entries = Object.entries(originals)
    expect(entries.length).toBeGreaterThanOrEqual(60)
    const isInline = query.includes('raw') || query.includes('vue')
    const plain = (drawing: string) =>
      isInline && !drawing.includes('viewBox')
        ? asImage(drawing).replace('<img', '<img class="plain"')
        : asImage(drawing)
    const before = await pixelsOf(entries.map(([, drawing]) => plain(drawing)))
    const made = []
    for (const [name, drawing] of entries) made.push(await shown(name, drawing, query))
    const after = await pixelsOf(made)
    const differences = entries.map(
      ([name], at) => [name, difference(before[at] ?? Buffer.of(), after[at] ?? Buffer.of())] as const,
    )
    expect(differences.filter(([, share]) => share > 0.005)).toEqual([])
    // A drawing that renders nothing would always be equal.
    const empty = entries.filter((_, at) => before[at]?.every((value) => value === 255))
    expect(empty.map(([name]) => name)).toEqual([])
  },
  120_000,
)
