import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { picture } from '../../src/picture.js'
import { launch } from './chromium.js'

const placeholder = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path fill="red" d="M0 0h8v8H0z"/></svg>')}`
const logo = { name: 'Logo', src: '/logo.png', width: 40, height: 40, placeholder }
/** The source of the hash is the documentation, as for users. */
const [hash = ''] =
  /'sha256-[^']+'/.exec(await readFile(new URL('../../docs/pictures.md', import.meta.url), 'utf8')) ?? []

let browser: Browser
let server: Server
let origin = ''
let policy = ''
let page = ''
/** Functions that answer the requests of the picture. */
const requests: (() => void)[] = []

beforeAll(async () => {
  browser = await launch()
  const transparent = { r: 0, g: 0, b: 0, alpha: 0 }
  const png = await sharp({ create: { width: 40, height: 40, channels: 4, background: transparent } })
    .png()
    .toBuffer()
  server = createServer((request, response) => {
    if (request.url === '/logo.png') {
      requests.push(() => void response.writeHead(200, { 'content-type': 'image/png' }).end(png))
    } else {
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy }).end(page)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  origin = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : ''
})
afterAll(async () => {
  await browser.close()
  server.close()
})

/** Returns the color at the center of the picture before and after it arrives, and the messages of the console. */
async function look(markup: string, csp = '') {
  page = `<!doctype html><link rel="icon" href="data:,"><body style="margin:0">${markup}`
  policy = csp
  requests.length = 0
  const context = await browser.newContext()
  const tab = await context.newPage()
  const messages: string[] = []
  tab.on('console', (message) => void messages.push(message.text()))
  const color = async () => {
    const shot = await tab.screenshot({ clip: { x: 10, y: 10, width: 10, height: 10 } })
    return sharp(shot)
      .removeAlpha()
      .resize(1, 1)
      .raw()
      .toBuffer()
      .then((bytes) => [...bytes].join(' '))
  }
  await tab.goto(origin, { waitUntil: 'commit' })
  await expect.poll(() => requests).toHaveLength(1)
  const before = await color()
  requests[0]?.()
  await tab.waitForFunction(() => document.querySelector('img')?.complete)
  const after = await color()
  await context.close()
  return { before, after, messages }
}

const [red, white] = ['255 0 0', '255 255 255']

describe('the placeholder of a transparent picture', () => {
  test('is shown until the picture is there, and goes then', async () => {
    expect(await look(picture(logo))).toEqual({ before: red, after: white, messages: [] })
  })

  test('goes under a Content Security Policy that allows the handler by its hash', async () => {
    const csp = `script-src 'self' 'unsafe-hashes' ${hash}`
    expect(await look(picture(logo), csp)).toEqual({ before: red, after: white, messages: [] })
  })

  test('stays under a policy that does not, and without the handler', async () => {
    expect(await look(picture(logo), "script-src 'self'")).toMatchObject({ before: red, after: red })
    expect(await look(picture(logo, { onload: undefined }), "script-src 'self'")).toEqual({
      before: red,
      after: red,
      messages: [],
    })
  })
})
