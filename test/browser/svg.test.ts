import { createServer, type Server } from 'node:http'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFiles, planned } from '../support/files.js'
import { hostile } from '../support/svg-corpus.js'
import { launch } from './chromium.js'

let browser: Browser
let server: Server
let origin = ''
const pages = new Map<string, { type: string; body: string }>()

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

/** What a page runs and asks for when it is opened, and when its middle is clicked. */
async function visit(path: string): Promise<{ hits: number; requests: string[] }> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const requests: string[] = []
  let hits = 0
  await page.exposeFunction('hit', () => void hits++)
  await context.route('**', (route) => {
    const url = new URL(route.request().url())
    if (url.origin === origin && pages.has(url.pathname)) return route.continue()
    requests.push(route.request().url())
    return route.abort()
  })
  await page.goto(origin + path)
  await page.mouse.click(20, 20)
  await page.waitForTimeout(50)
  await context.close()
  return { hits, requests: requests.filter((url) => !url.endsWith('/favicon.ico')) }
}

test('a trap catches what it should: a file that is trusted runs its script', async () => {
  pages.set('/trap.svg', { type: 'image/svg+xml', body: hostile['script'] ?? '' })
  expect((await visit('/trap.svg')).hits).toBeGreaterThan(0)
})

test.each(['file', 'raw', 'inline'])('no attack runs or calls elsewhere: %s', async (as) => {
  const content: Record<string, Buffer> = {}
  const files = await openFiles(content, { type: 'SVG' })
  for (const [name, text] of Object.entries(hostile)) {
    content['SVG'] = Buffer.from(text)
    const { src, value } = planned({ type: 'SVG', uuid: name }, as === 'file' ? '' : as)
    // Refused, where nothing is left: that is safe, too.
    const made = await (value ? files.value(value) : src && files.bytes(src).then((bytes) => Buffer.from(bytes).toString()))?.catch(() => undefined)
    if (made === undefined) continue
    const path = `/${as}/${encodeURIComponent(name)}`
    const body = as === 'file' ? made : as === 'raw' ? `<!doctype html>${made}` : `<!doctype html><object data="${made}"></object>`
    pages.set(path, { type: as === 'file' ? 'image/svg+xml' : 'text/html', body })
    expect([name, await visit(path)]).toEqual([name, { hits: 0, requests: [] }])
  }
})
