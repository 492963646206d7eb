import { createServer, type Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, BrowserContext, Frame } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawingAttributes, markupOf, parseDrawing, type Attributes } from '../../src/components/runtime/drawing.js'
import type { SvgPolicy } from '../../src/files/recipe.js'
import { runs } from '../support/long.js'
import { openFiles, planned } from '../support/files.js'
import { harmless, hostile, puzzling, untidy } from '../support/svg-corpus.js'
import { launch } from './chromium.js'

let browser: Browser
let server: Server
let origin = ''
const pages = new Map<string, { type: string; body: string | Uint8Array }>()

beforeAll(async () => {
  browser = await launch()
  server = createServer((request, response) => {
    const page = pages.get(request.url ?? '')
    response.writeHead(page ? 200 : 404, { 'content-type': page?.type ?? 'text/plain' }).end(page?.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  origin = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : ''
})
afterAll(async () => {
  server.close()
  await browser.close()
})

type Bytes = string | Uint8Array
const text = (bytes: Bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString())

/** The ways to embed a drawing in a browser. */
const ways = {
  document: (bytes: Bytes) => ({ type: 'image/svg+xml', body: bytes }),
  'text of HTML': (bytes: Bytes) => ({ type: 'text/html;charset=utf-8', body: `<!doctype html><body>${text(bytes)}` }),
  innerHTML: (bytes: Bytes) => {
    const literal = JSON.stringify(text(bytes)).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028')
    return {
      type: 'text/html;charset=utf-8',
      body: `<!doctype html><body><div></div><script>document.querySelector('div').innerHTML = ${literal}</script>`,
    }
  },
}
type Way = keyof typeof ways
const allWays: readonly Way[] = ['document', 'text of HTML', 'innerHTML']

type Drawing = readonly [name: string, bytes: Bytes]

/** A request that a drawing sends, or a script that it runs. */
interface Deed {
  /** The drawing's name and how it is embedded, or the URL of the frame. */
  by: string
  deed: string
}

/** How many drawings a page renders at a time, each in its own frame. */
const batch = 40

/** The number of pages so far. Several are open at a time, so each has its own URLs. */
let shown = 0

/**
 * Returns the scripts and requests of drawings while they are rendered and animated, and after pointer, focus, and
 * click events on all their elements.
 */
async function deedsOf(drawings: readonly Drawing[], way: Way): Promise<Deed[]> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } })
  const deeds: Deed[] = []
  // Many hostile drawings become the same bytes when they are sanitized.
  const distinct = [
    ...new Map(drawings.map((drawing) => [Buffer.from(drawing[1]).toString('latin1'), drawing])).values(),
  ]
  for (let start = 0; start < distinct.length; start += batch) {
    await show(context, distinct.slice(start, start + batch), way, deeds)
  }
  await context.close()
  return deeds
}

async function show(context: BrowserContext, drawings: readonly Drawing[], way: Way, deeds: Deed[]): Promise<void> {
  const names = new Map<string, string>()
  const base = `/${shown++}`
  for (const [at, [name, bytes]] of drawings.entries()) {
    pages.set(`${base}/${at}`, ways[way](bytes))
    names.set(`${origin}${base}/${at}`, `${name} as ${way}`)
  }
  const frames = drawings.map((_, at) => `<iframe src="${base}/${at}" width="100" height="70"></iframe>`).join('')
  pages.set(base, { type: 'text/html', body: `<!doctype html><body>${frames}` })
  const page = await context.newPage()
  const nameOf = (frame: Frame) => names.get(frame.url().replace(/#.*/, '')) ?? frame.url()
  await page.exposeBinding('hit', ({ frame }) => void deeds.push({ by: nameOf(frame), deed: 'a script' }))
  await page.route('**', (route) => {
    const url = new URL(route.request().url())
    if (url.origin === origin && pages.has(url.pathname)) return route.continue()
    if (url.pathname !== '/favicon.ico') deeds.push({ by: nameOf(route.request().frame()), deed: url.href })
    return route.abort()
  })
  await page.goto(origin + base, { waitUntil: 'load', timeout: 60_000 }).catch(() => undefined)
  for (const at of drawings.keys()) {
    const [x, y] = [10 + (at % 10) * 108, 10 + Math.floor(at / 10) * 80]
    await page.mouse.move(x + 40, y + 30)
    await page.mouse.click(x + 20, y + 20)
  }
  // A frame that has navigated to another page never answers.
  const provoked = Promise.all(
    page
      .frames()
      .slice(1)
      .map((frame) => frame.evaluate(provoke).catch(() => undefined)),
  )
  await Promise.race([provoked, wait(30_000, undefined, { ref: false })])
  await page.waitForTimeout(300)
  await page.close()
}

/** Runs in the page. */
function provoke(): void {
  // Animations last nine seconds, and a browser may be slow.
  for (const seconds of [0, 7]) {
    for (const drawing of document.querySelectorAll('svg')) drawing.setCurrentTime(seconds)
    for (const element of document.querySelectorAll<HTMLElement | SVGElement>('*')) {
      element.focus()
      for (const type of ['pointerenter', 'mouseover', 'mousedown', 'focusin', 'mouseup', 'click', 'DOMActivate']) {
        element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, view: window }))
      }
    }
  }
}

async function allDeeds(drawings: readonly Drawing[]): Promise<Deed[]> {
  return (await Promise.all(allWays.map((way) => deedsOf(drawings, way)))).flat()
}

/** Returns the drawings that a policy allows, with the policy's changes. */
async function through(
  drawings: Record<string, string | Uint8Array>,
  query: string,
  policy: SvgPolicy,
): Promise<Drawing[]> {
  const { src, value } = planned({ type: 'SVG', uuid: 'drawing' }, query, policy)
  const passed: Drawing[] = []
  for (const [name, drawing] of Object.entries(drawings)) {
    const files = await openFiles({ SVG: Buffer.from(drawing) })
    const made = await (value ? files.value(value) : src && files.bytes(src))?.catch(() => undefined)
    files.close()
    if (made !== undefined) passed.push([name, made])
  }
  return passed
}

const minutes = 60_000

test(
  'drawings that are not checked run scripts and send requests, in each way of embedding',
  async () => {
    const drawings = await through(hostile, '', 'trust')
    // That drawing only keeps a browser busy for many seconds.
    const deeds = await allDeeds(drawings.filter(([name]) => name !== 'entities: entity of a quadratic size'))
    const names = [...new Set(deeds.map(({ by }) => by))]
    const share = (way: Way) => names.filter((name) => name.endsWith(` as ${way}`)).length
    expect(share('document')).toBeGreaterThan(40)
    expect(share('text of HTML')).toBeGreaterThan(40)
    expect(share('innerHTML')).toBeGreaterThan(40)
    expect(names).toEqual(
      expect.arrayContaining([
        'scripts: script as document',
        'links: ping as document',
        'HTML re-parsing: style in a title as text of HTML',
        'HTML re-parsing: srcset in a desc as innerHTML',
      ]),
    )
  },
  10 * minutes,
)

// `svg-gadgets.test.ts` opens all drawings as `raw`.
test.each(['', 'raw&svgo', 'raw', 'svgo'].slice(0, runs(2, 4)))(
  'sanitized drawings run no scripts and send no requests: ?%s',
  async (query) => {
    const passed = await through({ ...hostile, ...untidy }, query, 'sanitize')
    expect(passed.length).toBeGreaterThan(100)
    expect(await allDeeds(passed)).toEqual([])
  },
  10 * minutes,
)

test.each(['', 'raw'])(
  'drawings that pass `strict` run no scripts and send no requests: ?%s',
  async (query) => {
    expect(await through(hostile, query, 'strict')).toEqual([])
    const drawings = { ...harmless, ...puzzling }
    const passed = await through(drawings, query, 'strict')
    expect(passed).toHaveLength(Object.keys(drawings).length)
    expect(await allDeeds(passed)).toEqual([])
  },
  10 * minutes,
)

test(
  'drawings in a data URI run no scripts and send no requests',
  async () => {
    const passed = await through(hostile, 'inline', 'sanitize')
    const embedded = passed.map(
      ([name, uri]) => [name, `<object data="${text(uri)}"></object><iframe src="${text(uri)}"></iframe>`] as const,
    )
    expect(await deedsOf(embedded, 'text of HTML')).toEqual([])
  },
  10 * minutes,
)

test('animations of a drawing in a page begin when others end', async () => {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="1" height="1">
    <animate id="a" attributeName="y" to="5" dur="0.1s"/>
    <animate attributeName="x" to="5" dur="0.1s" begin="9s;a.end" fill="freeze"/></rect></svg>`
  const [[, body] = ['', '']] = await through({ drawing }, 'raw', 'sanitize')
  const page = await browser.newPage()
  await page.setContent(text(body))
  await page.waitForFunction(() => document.querySelector('rect')?.x.animVal.value === 5)
  await page.close()
})

test('the size that an application gives a component wins over style sheets of the drawing', async () => {
  const { value } = planned({ type: 'SVG', uuid: 'drawing' }, 'as=vue', 'sanitize')
  if (value === undefined) throw new Error('no component')
  const rules = 'svg{width:40px!important;height:40px}@media all{:root{width:50px}}rect{width:5px}.a:hover{fill:red}'
  const sized = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><style>${rules}</style><svg id="i"/><rect class="a" height="9"/></svg>`
  const files = await openFiles({ SVG: Buffer.from(sized) })
  const drawing = parseDrawing(await files.value(value))
  files.close()
  const page = await browser.newPage()
  const sizes = async (given: Attributes) => {
    const own = Object.entries({ ...drawingAttributes(drawing, given), ...given })
    const tag = own.map(([name, one]) => (typeof one === 'string' ? ` ${name}="${one}"` : ''))
    await page.setContent(`<!doctype html><body><svg${tag.join('')}>${markupOf(drawing)}</svg>`)
    return page.evaluate(() =>
      [...document.querySelectorAll('svg, rect')].map((element) => getComputedStyle(element).width),
    )
  }
  expect(await sizes({})).toEqual(['40px', '40px', '5px'])
  expect(await sizes({ width: '90' })).toEqual(['90px', '40px', '5px'])
  expect(await sizes({ style: 'width:70px' })).toEqual(['70px', '40px', '5px'])
  await page.close()
})
