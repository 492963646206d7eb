import { crc32 } from 'node:zlib'
import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openFiles, planned } from '../../support/files.js'
import { halves } from '../../support/pictures.js'

/** Returns a PNG of a few bytes that declares a large size, all of whose pixels are equal. */
function pngBomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 })
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.of()),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data])
  const result = Buffer.alloc(body.length + 8)
  result.writeUInt32BE(data.length, 0)
  result.set(body, 4)
  result.writeUInt32BE(crc32(body), body.length + 4)
  return result
}

const photo = await halves(900, 600).jpeg().toBuffer()
const png = await halves(300, 300).png().toBuffer()
const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
const good: Record<string, Buffer> = { JPG: photo, PNG: png, SVG: drawing }
const slow = `<svg xmlns="http://www.w3.org/2000/svg" width="6000" height="6000"><filter id="f"><feTurbulence baseFrequency=".01" numOctaves="500"/>${'<feGaussianBlur stdDeviation="500"/><feMorphology operator="dilate" radius="400"/>'.repeat(
  40,
)}</filter><rect width="6000" height="6000" filter="url(#f)"/></svg>`

describe('an invalid picture', () => {
  test.each<[name: string, type: string, bytes: Buffer, code?: string]>([
    ['truncated JPG', 'JPG', photo.subarray(0, photo.length / 2), 'truncated'],
    ['truncated PNG', 'PNG', png.subarray(0, png.length / 2), 'truncated'],
    ['PNG bomb', 'PNG', pngBomb(20_000, 20_000)],
    [
      'SVG of a million pixels a side',
      'SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1e6" height="1e6"/>'),
    ],
    ['SVG that takes forever', 'SVG', Buffer.from(slow), 'conversionStopped'],
    ['empty file', 'JPG', Buffer.alloc(0)],
  ])(
    'fails without affecting others, and the error names the asset: %s',
    async (_, type, bytes, code = 'conversionFailed') => {
      const content: Record<string, Buffer> = { [type]: bytes }
      const files = await openFiles(content)
      const bad = planned({ type, name: 'Bad One', size: bytes.length }, 'format=webp').src
      await expect(bad && files.bytes(bad)).rejects.toMatchObject({ code, message: expect.stringContaining('Bad One') })
      Object.assign(content, good)
      const next = planned({ type, name: 'Good One', uuid: 'B' }, 'format=webp').src
      expect((next && (await files.bytes(next)))?.length).toBeGreaterThan(0)
    },
  )

  test.each<[declared: string, what: string, bytes: Buffer]>([
    ['PNG', 'image/jpeg', photo],
    ['PNG', 'unknown data', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['JPG', 'unknown data', Buffer.from('{"success":false}')],
    ['SVG', '<html>', Buffer.from('<html><body/></html>')],
    ['SVG', 'unknown data', photo],
    ['PDF', 'image/jpeg', photo],
  ])('is refused as %s when it is %s', async (declared, what, bytes) => {
    const files = await openFiles({ [declared]: bytes })
    const { src } = planned({ type: declared, size: bytes.length }, '')
    await expect(src && files.bytes(src)).rejects.toMatchObject({
      code: 'contentMismatch',
      message: expect.stringContaining(what),
    })
  })

  test('is taken for the answer of a proxy when it is an HTML page', async () => {
    const files = await openFiles({ JPG: photo, PNG: Buffer.from('<!DOCTYPE html><title>Log in</title>') })
    const { src } = planned({ type: 'JPG' }, 'cut=png')
    await expect(src && files.bytes(src)).rejects.toMatchObject({ hint: expect.stringContaining('a login page') })
  })

  test('opens no other files: an SVG that refers to files is drawn without them', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/hostname" width="9" height="9"/></svg>'
    const files = await openFiles({ SVG: Buffer.from(svg) })
    const { src } = planned({ type: 'SVG', width: 9, height: 9 }, 'format=png')
    expect((src && (await files.bytes(src)))?.length).toBeLessThan(200)
  })
})
