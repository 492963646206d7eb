import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { httpSpace } from '../../src/space/http/client.js'
import { readAddress } from '../../src/space/http/credentials.js'
import { faultServer } from '../support/fault-server.js'
import { openFiles, planned, tempFolder, type TestFiles } from '../support/files.js'

const noise = (seed: number) => {
  const pixels = Buffer.alloc(90 * 60 * 3)
  for (let at = 0, value = seed; at < pixels.length; at++)
    pixels[at] = (value = (value * 1_103_515_245 + 12_345) & 0x7fffffff) >> 16
  return sharp(pixels, { raw: { width: 90, height: 60, channels: 3 } })
}
const frames = await Promise.all([1, 2, 3].map((seed) => noise(seed).png().toBuffer()))
const moving = sharp(frames, { join: { animated: true } })
const drawing = `<svg xmlns="http://www.w3.org/2000/svg">${'<g><path d="M0 0h9"/></g>'.repeat(50)}</svg>`
const documentOf = (start: string, end: string): Buffer => Buffer.from(start + 'words and lines\n'.repeat(300) + end)

/** Bodies by type. Each must be rejected if half of it is missing. */
const bodies: [name: string, type: string, bytes: Buffer][] = [
  ['PNG', 'PNG', await noise(1).png().toBuffer()],
  ['interlaced PNG', 'PNG', await noise(1).png({ progressive: true }).toBuffer()],
  ['JPG', 'JPG', await noise(1).jpeg().toBuffer()],
  ['progressive JPG', 'JPG', await noise(1).jpeg({ progressive: true }).toBuffer()],
  ['GIF', 'GIF', await noise(1).gif().toBuffer()],
  ['moving GIF', 'GIF', await moving.clone().gif().toBuffer()],
  ['TIFF', 'TIFF', await noise(1).tiff({ compression: 'lzw' }).toBuffer()],
  ['WebP', 'WEBP', await noise(1).webp().toBuffer()],
  ['moving WebP', 'WEBP', await moving.clone().webp().toBuffer()],
  ['AVIF', 'AVIF', await noise(1).avif({ effort: 0 }).toBuffer()],
  ['SVG', 'SVG', Buffer.from(drawing)],
  ['PDF', 'PDF', documentOf('%PDF-1.4\n', 'startxref\n9\n%%EOF\n')],
  ['EPS', 'EPS', documentOf('%!PS-Adobe-3.0 EPSF-3.0\n', '%%EOF\n')],
  ['EPS with a preview', 'EPS', previewed(documentOf('%!PS-Adobe-3.0 EPSF-3.0\n', 'showpage\n'))],
  ['WOFF2', 'WOFF2', font('wOF2')],
  ['OTF', 'OTF', font('OTTO')],
  ['Sketch', 'Sketch', Buffer.from(`PK\x03\x04\x14${'\0'.repeat(99)}PK\x05\x06${'\0'.repeat(18)}`, 'latin1')],
]

function previewed(program: Buffer): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32BE(0xc5d0d3c6, 0)
  header.writeUInt32LE(30, 4)
  header.writeUInt32LE(program.length, 8)
  return Buffer.concat([header, program])
}

function font(kind: string): Buffer {
  const bytes = Buffer.alloc(2000, 1)
  bytes.write(kind, 0, 'latin1')
  if (kind === 'OTTO') {
    bytes.writeUInt16BE(1, 4)
    bytes.writeUInt32BE(1000, 20)
    bytes.writeUInt32BE(1000, 24)
  } else bytes.writeUInt32BE(bytes.length, 8)
  return bytes
}

/** Answers without a length and without chunks, so only the closed connection marks the end. */
function unmeasured(response: ServerResponse, bytes: Uint8Array): void {
  response.useChunkedEncodingByDefault = false
  response.writeHead(200, { 'content-type': 'application/octet-stream', connection: 'close' })
  response.end(bytes)
}

interface Served extends TestFiles {
  requests: unknown[]
}

/** @param answers one for each request, of which the last one repeats */
async function served(...answers: Buffer[]): Promise<Served> {
  const server = await faultServer((response, _request, at) =>
    unmeasured(response, answers[Math.min(at, answers.length - 1)] ?? Buffer.of()),
  )
  onTestFinished(() => server.close())
  const cacheDir = await tempFolder()
  const space = httpSpace({
    ...readAddress(server.url, 7, 'token'),
    cacheDir,
    timeout: 5000,
    concurrency: 4,
    rateLimit: false,
    insecure: false,
    strict: false,
    warn: () => {},
    onRequest: () => {},
    onWait: () => {},
  })
  onTestFinished(() => space.close())
  return { ...(await openFiles({}, { space, cacheDir })), requests: server.requests }
}

/** @param size undefined if the service doesn't list it */
const original = (type: string, given: object = {}) => {
  const { src } = planned({ type, name: 'Hero', size: undefined, ...given }, '', 'trust')
  if (!src) throw new Error('no src')
  return src
}

describe.each(bodies)('%s', (_, type, bytes) => {
  test('is requested again when half of it is missing', async () => {
    const files = await served(bytes.subarray(0, bytes.length / 2), bytes)
    expect(Buffer.compare(await files.bytes(original(type)), bytes)).toBe(0)
    expect(files.requests).toHaveLength(2)
  })

  test('is returned unchanged when it is complete', async () => {
    const files = await served(bytes)
    expect(Buffer.compare(await files.bytes(original(type)), bytes)).toBe(0)
    expect(files.requests).toHaveLength(1)
  })

  test('is returned damaged when the service lists the damaged file', async () => {
    const half = bytes.subarray(0, bytes.length / 2)
    const files = await served(half)
    expect(
      Buffer.compare(
        await files.bytes(original(type, { fileHash: createHash('md5').update(half).digest('hex') })),
        half,
      ),
    ).toBe(0)
    expect(files.warnings).toEqual([])
  })
})

describe('a body that is always incomplete', () => {
  const [, , png = Buffer.of()] = bodies[0] ?? []

  test("fails with an error that names the asset and the cut, and doesn't store anything", async () => {
    const files = await served(png.subarray(0, png.length / 2))
    const cut = { ...original('SVG'), cut: 'PNG' }
    await expect(files.bytes(cut)).rejects.toMatchObject({
      code: 'truncated',
      message: expect.stringMatching(/Hero \(PNG cut\).*tried 5 times/s),
    })
    expect(files.requests).toHaveLength(5)
    expect(await files.has(cut)).toBe(false)
  })

  test('is also detected by its pixels', async () => {
    const damaged = Buffer.from(png)
    damaged.fill(0, png.length >> 1, (png.length >> 1) + 64)
    const files = await served(damaged, png)
    expect(Buffer.compare(await files.bytes({ ...original('SVG'), cut: 'PNG' }), png)).toBe(0)
    expect(files.requests).toHaveLength(2)
  })

  test('is not accepted as an empty cut', async () => {
    const files = await served(Buffer.of(), png)
    expect(Buffer.compare(await files.bytes({ ...original('SVG'), cut: 'PNG' }), png)).toBe(0)
  })

  test('is detected by the listed hash before it counts as another file', async () => {
    const files = await served(png.subarray(0, png.length / 2), png)
    await files.bytes(original('PNG', { fileHash: createHash('md5').update(png).digest('hex') }))
    expect(files.requests).toHaveLength(2)
    expect(files.warnings).toEqual([])
  })
})

describe('a file of a type that cannot be checked, without a length', () => {
  const data = Buffer.from('any bytes')

  test('fails, because it may be incomplete', async () => {
    const files = await served(data)
    await expect(files.bytes(original('XYZ'))).rejects.toMatchObject({
      code: 'truncated',
      message: expect.stringContaining('may be incomplete'),
    })
    expect(await files.has(original('XYZ'))).toBe(false)
  })

  test('is accepted when its listed size or its listed hash matches', async () => {
    const fileHash = createHash('md5').update(data).digest('hex')
    for (const known of [{ fileHash }, { size: data.length }]) {
      const files = await served(data)
      expect(Buffer.compare(await files.bytes(original('XYZ', known)), data)).toBe(0)
    }
  })
})

test('a picture with too many pixels to decode is checked by its structure', async () => {
  const large = await sharp({ create: { width: 9000, height: 6000, channels: 3, background: '#369' } })
    .png()
    .toBuffer()
  const files = await served(large.subarray(0, large.length / 2), large)
  expect(Buffer.compare(await files.bytes(original('PNG')), large)).toBe(0)
  expect(files.requests).toHaveLength(2)
})
