import type { ServerResponse } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { envelope, faultServer, type Respond } from '../support/fault-server.js'
import { measured } from '../support/measured.js'

/** Limits for memory growth in MB, and for the time until an answer: 10 s, plus room for a busy machine. */
const allowed = { growth: 64, seconds: 60 }
const kit = '3BD9AAAA-0000-4000-8000-000000000001'
const download = (size: number | undefined, cut?: string) =>
  `space.download({ uuid: ${JSON.stringify(kit)}, size: ${size} }, ${JSON.stringify(cut)}, counted)`

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean()
})

/** Returns the cost of reading from a service that answers two requests correctly and all others with `respond`. */
async function cost(respond: Respond, work: string) {
  const well: Respond[] = [(response) => envelope(response, { kit: [] }), (response) => flood(response, 20e6, 'x')]
  const server = await faultServer((response, request, at) => (well[at] ?? respond)(response, request, at))
  const cacheDir = mkdtempSync(join(tmpdir(), 'content-space-memory-'))
  cleanups.push(server.close, () => rmSync(cacheDir, { recursive: true, force: true }))
  return { ...(await measured(server.url, work, cacheDir)), requests: server.requests.length - well.length }
}

/** Sends this many bytes as fast as the client reads them. */
function flood(response: ServerResponse, bytes: number, text: string): void {
  const chunk = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)))
  let left = bytes
  const go = (): void => {
    let taken = true
    while (taken && left > 0 && !response.destroyed) {
      const piece = chunk.subarray(0, Math.min(left, chunk.length))
      left -= piece.length
      taken = response.write(piece)
    }
    if (taken) response.end()
    else response.once('drain', go)
  }
  go()
}

describe('memory is bounded', () => {
  test('for a file of 300 MB', async () => {
    const size = 300e6
    const found = await cost((response) => {
      response.writeHead(200, { 'content-length': size })
      flood(response, size, 'x')
    }, download(size))
    expect(found).toMatchObject({ result: String(size), requests: 1 })
    expect(found.growth).toBeLessThan(allowed.growth)
  })

  test.each([
    ['without a length', {}],
    ['with its length', { 'content-length': 1_200_000_000 }],
  ])('for three files of 1.2 GB where 90 bytes are listed, %s', async (_, headers) => {
    const found = await cost(
      (response) => {
        response.writeHead(200, headers)
        flood(response, 1.2e9, 'x')
      },
      `Promise.all([1, 2, 3].map(() => ${download(90)}))`,
    )
    expect(found.result).toContain('truncated: The downloaded file has more than the 90 bytes that are listed.')
    expect(found.growth).toBeLessThan(allowed.growth)
    expect(found.seconds).toBeLessThan(allowed.seconds)
  })

  test.each([
    ['a list of kits', '{"success":true,"result":{"kit":[', '"x",'],
    ['one text', '{"success":true,"result":"', 'x'],
    ['blanks', ' ', ' '],
  ])('for an endless body: %s', async (_, start, text) => {
    const found = await cost((response) => {
      response.writeHead(200)
      response.write(start)
      flood(response, Infinity, text)
    }, 'space.kits()')
    const result = 'invalidResponse: The response is larger than 32 MB.\n  request: GET /1/kits/'
    expect(found).toMatchObject({ result, requests: 1 })
    expect(found.growth).toBeLessThan(allowed.growth)
    expect(found.seconds).toBeLessThan(allowed.seconds)
  })
})

const uuidOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
const asset = (at: number) => ({
  uuid: uuidOf(at),
  type: 'SVG',
  name: `Asset ${at}`,
  notes: 'n'.repeat(200),
  keywords: 'a, b',
  colors: [],
  dimensions: '10x10',
  size: 90,
  file_hash: 'a'.repeat(32),
  permalink: `https://content.example/${at}`,
  thumbnails: { 292: `https://content.example/${at}/292`, 480: `https://content.example/${at}/480` },
  meta: { filecuts: { available_types: [{ type: 'PNG', enabled: true, resizable: true }], presets: [] } },
})

describe('endless pages', () => {
  const cases: [string, number | undefined, number][] = [
    ['no count', undefined, 200],
    ['a count that nobody has', 1e9, 200],
    ['a count of some', 300, 200],
    ['one item a page', 1e9, 1],
  ]
  test.each(cases)('are an error: %s', async (_, count, size) => {
    let at = 0
    const found = await cost((response) => {
      const items = Array.from({ length: size }, () => {
        at += 1
        return { uuid: uuidOf(at), type: 'asset', status: 'active', display_order: at, data: {}, asset: asset(at) }
      })
      const counts = count === undefined ? {} : { items: count }
      envelope(response, { section: { uuid: kit, kit_uuid: kit, name: 'Icons', version: 1, counts, items } })
    }, `space.section('${kit}', 1)`)
    expect(found.result).toContain('invalidResponse: The pages of section Icons do not end')
    expect(found.growth).toBeLessThan(allowed.growth)
    expect(found.seconds).toBeLessThan(allowed.seconds)
  })
})
