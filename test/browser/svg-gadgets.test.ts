import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timeFor } from '../support/long.js'
import { readRecipe, type SvgPolicy } from '../../src/files/recipe.js'
import { componentText } from '../../src/files/svg/component-text.js'
import { makeSvg } from '../../src/files/svg/svg.js'
import { planned } from '../support/files.js'
import { hostile } from '../support/svg-corpus.js'
import { ofLibraries, overPage } from '../support/svg-gadgets.js'
import { launch } from './chromium.js'

let browser: Browser
beforeAll(async () => void (browser = await launch()))
afterAll(() => browser.close())

/** The files of libraries for pages, and the code that starts them. */
const scripts = {
  Alpine: [new URL('cdn.js', import.meta.resolve('alpinejs')), ''],
  'petite-vue': [new URL('petite-vue.iife.js', import.meta.resolve('petite-vue')), 'PetiteVue.createApp().mount()'],
  htmx: [new URL('htmx.js', import.meta.resolve('htmx.org')), ''],
} as const
const libraries = ['Alpine', 'petite-vue', 'htmx'] as const

/** Returns a drawing as a page's HTML contains it. */
function inlined(name: string, drawing: string | Buffer, query: string, policy: SvgPolicy): string {
  const { value } = planned({ type: 'SVG', uuid: name, width: 90, height: 60 }, query, policy)
  const recipe = readRecipe(value?.file.recipe ?? '')
  if (recipe.kind !== 'svg') throw new Error('no drawing')
  let text: string
  try {
    text = Buffer.from(makeSvg(Buffer.from(drawing), recipe)).toString()
  } catch {
    // Nothing safe remains.
    return ''
  }
  if (value?.as !== 'component') return text
  const written = componentText(text, recipe.prefix ?? '', value.framework) ?? ''
  const end = written.indexOf('\n')
  const [attributes]: [Record<string, string>] = JSON.parse(written.slice(0, end))
  const tag = Object.entries(attributes).map(([key, one]) => ` ${key}="${one.replaceAll('"', '&quot;')}"`)
  return `<svg${tag.join('')}>${written.slice(end + 1)}</svg>`
}

interface Deeds {
  /** Calls of `hit` and requests. */
  run: string[]
  /** The names of drawings that extend beyond their cell. */
  outside: string[]
  /** Whether a drawing covers the top of the page or receives its clicks. */
  covered: boolean
}

async function show(
  drawings: Record<string, string | Buffer>,
  query: string,
  policy: SvgPolicy,
  library?: keyof typeof scripts,
): Promise<Deeds> {
  const texts = Object.entries(drawings).map(([name, drawing]) => [name, inlined(name, drawing, query, policy)])
  const cells = texts.map(
    ([name = '', text]) => `<div class="cell" data-name="${name.replaceAll(/[&"]/g, '_')}">${text}</div>`,
  )
  const [file, start] = library ? scripts[library] : [undefined, '']
  const code = file ? await readFile(file, 'utf8') : ''
  const body = `<!doctype html><style>body{margin:0} #top{height:200px;background:#0f0}
    .cell{float:left;width:100px;height:70px;margin:9px} .cell svg{display:block}
    .fixed{position:fixed} .inset-0{inset:0;width:100%;height:100%}</style>
    <body x-data v-scope><div id="top"></div>${cells.join('')}
    <script>${code.replaceAll('</script', '<\\/script')}</script><script>${start}</script>`
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } })
  const page = await context.newPage()
  const run: string[] = []
  await page.exposeBinding('hit', () => void run.push('a script'))
  await page.route('**', (route) => {
    const { pathname, href } = new URL(route.request().url())
    if (pathname === '/page') return route.fulfill({ contentType: 'text/html;charset=utf-8', body })
    if (pathname !== '/favicon.ico') run.push(href)
    return route.abort()
  })
  await page.goto('http://drawings.test/page', { waitUntil: 'load' })
  const outside = await page.evaluate(async () => {
    for (const element of document.querySelectorAll('.cell *')) {
      for (const type of ['mouseover', 'mousedown', 'mouseup', 'click']) {
        element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }))
      }
    }
    // After some frames, animations have begun and libraries have answered.
    for (let frame = 0; frame < 20; frame++) await new Promise(requestAnimationFrame)
    // Clicking a link to an id scrolls the page.
    window.scrollTo(0, 0)
    return [...document.querySelectorAll<HTMLElement>('.cell')].flatMap((cell) => {
      const svg = cell.querySelector('svg')
      if (!svg) return []
      const [outer, inner] = [cell.getBoundingClientRect(), svg.getBoundingClientRect()]
      const style = getComputedStyle(svg)
      const isInside = inner.left >= outer.left && inner.top >= outer.top && style.position === 'static'
      const isClipped = style.overflow !== 'visible' && style.filter === 'none' && style.transform === 'none'
      return isInside && isClipped ? [] : [cell.dataset['name'] ?? '']
    })
  })
  const isTop = await page.evaluate(() =>
    [1, 300, 600, 1100].every((x) => document.elementFromPoint(x, 100)?.id === 'top'),
  )
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 1200, height: 190 } })
  const { channels } = await sharp(picture).stats()
  const isPlain = channels.slice(0, 3).every(({ min, max }, at) => min === max && max === (at === 1 ? 255 : 0))
  await context.close()
  return { run, outside, covered: !isTop || !isPlain }
}

/** Returns the declarations of a drawing from `overPage`; undefined if the drawing has none. */
const declarations = (name: string) => name.split(' on ')[1] && name.split(' on ')[0]

const all = { ...hostile, ...ofLibraries, ...overPage }

test(
  'the drawings run scripts under libraries, and cover the page, if they are not checked',
  async () => {
    for (const library of libraries) {
      const { run } = await show(ofLibraries, 'raw', 'trust', library)
      expect([library, run.length > 10]).toEqual([library, true])
    }
    // The rules of style sheets apply to all drawings on a page, and testing all declarations at once makes the page
    // crash.
    const shown: Deeds[] = []
    for (const one of new Set(Object.keys(overPage).map(declarations))) {
      const part = Object.entries(overPage).filter(([name]) => declarations(name) === one)
      shown.push(await show(Object.fromEntries(part), 'raw', 'trust'))
    }
    expect(shown.filter(({ covered }) => covered).length).toBeGreaterThan(shown.length / 2)
    expect(shown.flatMap(({ outside }) => outside).length).toBeGreaterThan(Object.keys(overPage).length / 2)
  },
  timeFor(6),
)

test.each(libraries.flatMap((library) => ['raw', 'as=vue'].map((query) => [query, library] as const)))(
  'more than 467 drawings as ?%s on a page with %s run nothing, and stay in their place',
  async (query, library) => {
    expect(Object.keys(all).length).toBeGreaterThanOrEqual(467)
    expect(await show(all, query, 'sanitize', library)).toEqual({ run: [], outside: [], covered: false })
  },
  timeFor(6),
)
