import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { assetUuid, contentService, logo, upload, type Upload } from '../../support/content-service.js'
import { downloadBytes } from '../../support/download.js'
import { answer, broken, inTurn, verbatim, type FaultServer, type Respond } from '../../support/fault-server.js'
import { halves } from '../../support/pictures.js'
import { cached, type Bench } from '../bench.js'
import type { Row } from '../row.js'

const uuid = assetUuid(1)
const whole = answer(200, logo, { 'content-length': logo.length })
const half = logo.subarray(0, logo.length / 2)

/** Returns a service that answers downloads with these responses in turn and repeats the last one. */
function downloading(uploads: Upload[], ...answers: Respond[]): Respond {
  let at = 0
  return contentService({ uploads }, ({ path, response, request }) => {
    if (path.startsWith('assets/')) inTurn(...answers)(response, request, at++)
    return path.startsWith('assets/')
  })
}

const asked = (server: FaultServer): number => server.requests.filter(({ url }) => url.includes('/download')).length

/** Returns a body without a length, which ends when its connection does. */
const until = (bytes: Uint8Array): Respond =>
  verbatim('HTTP/1.1 200 OK\r\nconnection: close\r\nretry-after: 0\r\n\r\n', bytes)

/**
 * Asserts that the second request returns the file, and that the first doesn't leave anything in the cache of a pull.
 */
async function retried(bench: Bench, first: Respond): Promise<void> {
  const server = await bench.serve(inTurn(first, whole))
  expect(await downloadBytes((await bench.open(server.url)).space, { uuid, size: logo.length })).toEqual(logo)
  expect(server.requests).toHaveLength(2)
  const entries: string[][] = []
  const root = await bench.folder()
  const pulled = await bench.serve(
    downloading([upload(1, 'Logo')], first, (response, request, at) => {
      void cached(`${root}/cache`).then((found) => (entries.push(found), whole(response, request, at)))
    }),
  )
  const { kits } = await bench.pull(pulled.url, {}, {}, root)
  expect(kits[0]?.written).toContain('logos/logo.svg')
  // The cache may contain a snapshot of the kit but not the file.
  for (const found of entries) expect(found.length).toBeLessThanOrEqual(1)
}

/**
 * Pulls one cut of a photo, for which the service sends these responses in turn.
 * @returns the number of requests for the cut
 */
async function pullCut(bench: Bench, type: string, ...answers: Respond[]): Promise<number> {
  const cuts = ['PNG', 'PDF', 'EPS', 'JPG'].map((name) => ({ type: name, enabled: true, resizable: false }))
  const asset = upload(1, 'Hero', 'SVG', logo, { meta: { filecuts: { available_types: cuts, presets: [] } } })
  const server = await bench.serve(downloading([asset], ...answers))
  const { kits } = await bench.pull(server.url, {}, { cut: type })
  expect(kits[0]?.written).toContain(`logos/hero.${type}`)
  return asked(server)
}

export const bodies: Row[] = [
  {
    row: 17,
    fault: 'Content-Length long',
    must: 'retry; no entry',
    async run(bench) {
      await retried(bench, broken({ 'content-length': logo.length }, half))
      await retried(bench, verbatim(`HTTP/1.1 200 OK\r\ncontent-length: ${logo.length + 5}\r\n\r\n`, logo))
      const listing = await bench.serve(inTurn(broken({ 'content-length': 1000 }, '{"success":true'), contentService()))
      await expect((await bench.open(listing.url)).space.kits()).resolves.toHaveLength(1)
      expect(listing.requests).toHaveLength(2)
      return 'the second request returns the file; the cache has no entry in between'
    },
  },
  {
    row: 18,
    fault: 'no length, early close',
    must: 'original: size mismatch => retry; cut: decode failure => retry',
    async run(bench) {
      await retried(bench, broken({}, half))
      await retried(bench, until(half))
      await retried(bench, until(Buffer.alloc(0)))
      const photo = halves(300, 200)
      const [png, jpg] = [await photo.clone().png().toBuffer(), await photo.clone().jpeg().toBuffer()]
      const pdf = Buffer.from(`%PDF-1.4\n${'1 0 obj <<>> endobj\n'.repeat(50)}%%EOF\n`)
      const eps = Buffer.from(`%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n${'0 0 moveto\n'.repeat(50)}%%EOF\n`)
      const seen: string[] = []
      for (const [type, bytes] of Object.entries({ png, jpg, pdf, eps })) {
        const cut = bytes.subarray(0, Math.floor(bytes.length / 2))
        expect(await pullCut(bench, type, until(cut), until(bytes)), `requests for a ${type} cut at half`).toBe(2)
        seen.push(type)
      }
      const never = await bench.serve(
        downloading([upload(1, 'Hero', 'SVG', logo)], until(png.subarray(0, png.length / 2))),
      )
      await bench.refused(never.url, '--cut', 'png')
      return `an original of half its size, and cuts (${seen.join(', ')}) of half their bytes: requested twice; always half: exit 1`
    },
  },
  {
    row: 19,
    fault: 'truncated gzip, or gzip though identity asked',
    must: 'understand the second; retry the first, then fail',
    async run(bench) {
      const text = Buffer.from('{"success":true,"server_clock":1,"result":{"kit":[]}}')
      for (const [encoding, pack] of [
        ['gzip', gzipSync],
        ['x-gzip', gzipSync],
        ['br', brotliCompressSync],
        ['deflate', deflateSync],
      ] as const) {
        const headers = { 'content-encoding': encoding, 'retry-after': '0' }
        const listing = await bench.serve(answer(200, pack(text), headers))
        await expect((await bench.open(listing.url)).space.kits()).resolves.toEqual([])
        expect(listing.requests[0]?.headers['accept-encoding']).toBe('gzip, br')
        const file = await bench.serve(answer(200, pack(logo), headers))
        const { space } = await bench.open(file.url)
        expect(await downloadBytes(space, { uuid, size: logo.length })).toEqual(logo)
        expect(file.requests[0]?.headers['accept-encoding']).toBe('identity')
        for (const part of [pack(text).subarray(0, 20), Buffer.alloc(40, 1)]) {
          const cut = await bench.serve(answer(200, part, headers))
          const opened = (await bench.open(cut.url)).space
          expect(await bench.failure(opened.kits())).toMatchObject({ code: 'truncated' })
          expect(await bench.failure(downloadBytes(opened, { uuid }))).toMatchObject({ code: 'truncated' })
          expect(cut.requests).toHaveLength(10)
        }
      }
      const torn = answer(200, gzipSync(logo).subarray(0, 40), { 'content-encoding': 'gzip', 'retry-after': '0' })
      await bench.refused((await bench.serve(downloading([upload(1, 'Logo')], torn))).url)
      return 'gzip, br and deflate are understood; cut short: truncated after 5 requests; exit 1, nothing written'
    },
  },
  {
    row: 20,
    fault: '194 KB gzip -> 200 MB',
    must: 'abort at cap',
    async run(bench) {
      const bomb = gzipSync(Buffer.alloc(200_000_000), { level: 9 })
      expect(bomb.length).toBeLessThan(200_000)
      const before = process.memoryUsage().arrayBuffers
      const server = await bench.serve(answer(200, bomb, { 'content-encoding': 'gzip' }))
      expect(await bench.failure((await bench.open(server.url)).space.kits())).toMatchObject({
        code: 'invalidResponse',
      })
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000)
      // The same without an encoding.
      const sent = { bytes: 0 }
      const endless = await bench.serve((response) => {
        const piece = Buffer.alloc(1_000_000, ' ')
        const more = (): void => {
          while (!response.destroyed && sent.bytes < 200_000_000) {
            sent.bytes += piece.length
            if (!response.write(piece)) return void response.once('drain', more)
          }
          response.end()
        }
        response.writeHead(200)
        more()
      })
      expect(await bench.failure((await bench.open(endless.url)).space.kits())).toMatchObject({
        code: 'invalidResponse',
      })
      expect(sent.bytes).toBeLessThan(100_000_000)
      return `inflated up to the cap: invalidResponse; 200 MB of plain JSON: aborted after at most ${Math.round(sent.bytes / 1e6)} MB`
    },
  },
  {
    row: 21,
    fault: '`Content-Encoding: gzip` x50',
    must: 'reject',
    async run(bench) {
      const body = gzipSync(logo)
      const line = Array.from({ length: 50 }, () => 'gzip').join(', ')
      const lines = 'content-encoding: gzip\r\n'.repeat(50)
      const forms = [
        answer(200, body, { 'content-encoding': line }),
        verbatim(`HTTP/1.1 200 OK\r\n${lines}content-length: ${body.length}\r\n\r\n`, body),
        answer(200, body, { 'content-encoding': `identity, ${line}` }),
      ]
      for (const respond of forms) {
        const server = await bench.serve(respond)
        const { space } = await bench.open(server.url)
        expect(await bench.failure(space.kits())).toMatchObject({ code: 'invalidResponse' })
        expect(await bench.failure(downloadBytes(space, { uuid }))).toMatchObject({ code: 'invalidResponse' })
        expect(server.requests).toHaveLength(2)
        await bench.refused((await bench.serve(respond)).url)
      }
      return 'in one header or in fifty: invalidResponse after 1 request, exit 1'
    },
  },
  {
    row: 22,
    fault: 'size correct, file_hash wrong',
    must: 'warn/strict fail (algorithm unspecified; ours is authoritative)',
    async run(bench) {
      for (const length of [32, 40, 64]) {
        const { url } = await bench.serve(
          contentService({ uploads: [upload(1, 'Logo', 'SVG', logo, { file_hash: 'a'.repeat(length) })] }),
        )
        const { warnings, kits } = await bench.pull(url)
        expect(warnings).toEqual([expect.stringContaining('file_hash')])
        expect(kits[0]?.written).toContain('logos/logo.svg')
        expect(await bench.failure(bench.pull(url, { strict: true }))).toMatchObject({
          code: 'contentMismatch',
          facts: { asset: uuid },
        })
      }
      // A hash of another length was made by an unknown algorithm, so it is ignored.
      const { url } = await bench.serve(
        contentService({ uploads: [upload(1, 'Logo', 'SVG', logo, { file_hash: 'abc123' })] }),
      )
      expect((await bench.pull(url, { strict: true })).warnings).toEqual([])
      return 'as md5, sha1 and sha256: one warning and the file; strict: contentMismatch'
    },
  },
]
