import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { readDimensions } from '../../../src/space/folder/dimensions.js'
import { openFiles, planned } from '../../support/files.js'
import { halves, near, pixel } from '../../support/pictures.js'

const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
const picture = sharp({ create: { width: 320, height: 240, channels: 3, background: '#e5603f', noise } })
const jpg = await picture.clone().jpeg().toBuffer()

/** Returns a photo with a scan header that ends at coefficient 0, as Samsung phones write it. */
function ofPhone(): Buffer {
  const bytes = Buffer.from(jpg)
  const scan = bytes.indexOf(Buffer.from([0xff, 0xda]))
  const components = bytes[scan + 4] ?? 0
  bytes[scan + 6 + 2 * components] = 0
  return bytes
}

function withStrayBytes(): Buffer {
  const frame = jpg.indexOf(Buffer.from([0xff, 0xc0]))
  return Buffer.concat([jpg.subarray(0, frame), Buffer.alloc(4), jpg.subarray(frame)])
}

/** Returns a GIF with a block between the frame and the trailer that isn't part of any standard. */
async function withUnknownBlock(): Promise<Buffer> {
  const gif = await picture.clone().gif().toBuffer()
  return Buffer.concat([gif.subarray(0, -1), Buffer.from([0x99, 1, 0, 0, 0x3b])])
}

/** Returns a TIFF with a number as the type of its date, about which libtiff warns. */
async function withOddTag(): Promise<Buffer> {
  const tiff = await picture.clone().withMetadata({ density: 72 }).tiff({ compression: 'none' }).toBuffer()
  const entries = tiff.readUInt32LE(4) + 2
  const last = entries + 12 * (tiff.readUInt16LE(entries - 2) - 1)
  tiff.writeUInt16LE(0x8fff, last)
  return tiff
}

async function read(type: string, bytes: Buffer, query: string) {
  const files = await openFiles({ [type]: bytes })
  const { src } = planned({ type, name: 'Bad One', width: 320, height: 240 }, query)
  if (!src) throw new Error('no src')
  return files.bytes(src)
}

describe("a decoder's warning doesn't count as damage", async () => {
  test.each([
    ['JPG', 'of a phone', ofPhone()],
    ['JPG', 'with extra bytes', withStrayBytes()],
    ['GIF', 'with an unknown block', await withUnknownBlock()],
    ['TIFF', 'with an unknown tag', await withOddTag()],
  ])('%s %s is downloaded without a hash, and converted', async (type, _, bytes) => {
    expect(await read(type, bytes, '')).toEqual(bytes)
    const converted = await read(type, bytes, 'w=160&format=webp')
    expect(await sharp(converted).metadata()).toMatchObject({ format: 'webp', width: 160, height: 120 })
  })
})

const whole: Record<string, Buffer> = {
  JPG: jpg,
  'progressive JPG': await picture.clone().jpeg({ progressive: true }).toBuffer(),
  PNG: await picture.clone().png().toBuffer(),
  GIF: await picture.clone().gif().toBuffer(),
  TIFF: await picture.clone().tiff({ compression: 'lzw' }).toBuffer(),
  WEBP: await picture.clone().webp().toBuffer(),
  AVIF: await picture.clone().avif().toBuffer(),
}

describe.each(Object.entries(whole))('%s that ends at 60 %', (name, bytes) => {
  const type = name.split(' ').at(-1) ?? ''
  const cut = bytes.subarray(0, bytes.length * 0.6)

  test('is rejected as cut short when it is downloaded without a hash', async () => {
    expect(await read(type, bytes, '')).toEqual(bytes)
    const error = { code: 'truncated', summary: expect.stringMatching(/^Bad One is cut short: .+\.$/) }
    await expect(read(type, cut, '')).rejects.toMatchObject(error)
  })
})

test.each<[problem: RegExp, type: string, bytes: Buffer]>([
  [/it is cut short \(it ends without its last chunk\)/, 'PNG', whole['PNG']?.subarray(0, 5000) ?? Buffer.of()],
  [/it is cut short \(VipsJpeg: premature end of JPEG image\)/, 'JPG', jpg.subarray(0, 5000)],
  [/it is damaged \([^\n]+\)/, 'PNG', withFlippedBits(whole['PNG'] ?? Buffer.of())],
  [/no decoder for this kind of file \(image: bad labq format\)/, 'TIFF', labTiff()],
])('a conversion says what is wrong with a file, once: %s', async (problem, type, bytes) => {
  const files = await openFiles({ [type]: bytes })
  const { src } = planned(
    { type, name: 'Bad One', fileHash: hash('md5', bytes), size: bytes.length },
    'w=10&format=webp',
  )
  const failing = src && files.bytes(src)
  await expect(failing).rejects.toMatchObject({ code: 'conversionFailed', summary: expect.stringMatching(problem) })
})

/** Returns a TIFF of one pixel in Lab with 8 bits, which sharp can't read. */
function labTiff(): Buffer {
  const [bits, pixels] = [12, 8]
  const tags: [tag: number, type: number, count: number, value: number][] = [
    [256, 3, 1, 1],
    [257, 3, 1, 1],
    [258, 3, 3, bits],
    [259, 3, 1, 1],
    [262, 3, 1, 8],
    [273, 4, 1, pixels],
    [277, 3, 1, 3],
    [278, 3, 1, 1],
    [279, 4, 1, 3],
  ]
  const header = Buffer.from([0x49, 0x49, 42, 0, 18, 0, 0, 0, 100, 0, 0, 0, 8, 0, 8, 0, 8, 0])
  const directory = Buffer.alloc(2 + 12 * tags.length + 4)
  directory.writeUInt16LE(tags.length, 0)
  for (const [at, [tag, type, count, value]] of tags.entries()) {
    directory.writeUInt16LE(tag, 2 + 12 * at)
    directory.writeUInt16LE(type, 4 + 12 * at)
    directory.writeUInt32LE(count, 6 + 12 * at)
    directory.writeUInt32LE(value, 10 + 12 * at)
  }
  return Buffer.concat([header, directory])
}

/** Damages the image data in the middle. */
function withFlippedBits(png: Buffer): Buffer {
  const bytes = Buffer.from(png)
  const middle = bytes.length >> 1
  bytes.fill(0xff, middle, middle + 50)
  return bytes
}

/** Returns a PNG's image data, which is in a single chunk. */
function dataOf(png: Buffer = Buffer.of()): Buffer {
  const at = png.indexOf('IDAT')
  return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4))
}

/** Returns an animated PNG of 64 × 64 pixels: red, then with a blue right half, then the same with a green square. */
async function animatedPng(): Promise<Buffer> {
  const [red, blue, green] = await Promise.all(
    [
      [64, 64, '#f00'],
      [32, 64, '#00f'],
      [32, 32, '#0f0'],
    ].map(([width = 0, height = 0, background = '']) =>
      sharp({
        create: { width: Number(width), height: Number(height), channels: 4, background: String(background) },
      })
        .png()
        .toBuffer(),
    ),
  )
  const control = Buffer.alloc(8)
  control.writeUInt32BE(3, 0)
  control.writeUInt32BE(5, 4)
  let sequence = 0
  const frame = (width: number, height: number, x: number, delay: number, dispose: number) => {
    const data = Buffer.alloc(26)
    for (const [at, value] of [sequence++, width, height, x, 0].entries()) data.writeUInt32BE(value, 4 * at)
    data.writeUInt16BE(delay, 20)
    data.writeUInt16BE(1000, 22)
    data.writeUInt8(dispose, 24)
    return chunk('fcTL', data)
  }
  const more = (png: Buffer | undefined) => {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(sequence++, 0)
    return chunk('fdAT', Buffer.concat([number, dataOf(png)]))
  }
  const base = red ?? Buffer.of()
  return Buffer.concat([
    base.subarray(0, 33),
    chunk('acTL', control),
    frame(64, 64, 0, 100, 0),
    chunk('IDAT', dataOf(base)),
    frame(32, 64, 32, 200, 2),
    more(blue),
    frame(32, 32, 0, 300, 0),
    more(green),
    chunk('IEND', Buffer.of()),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}

const plan = (query: string) => planned({ type: 'PNG', name: 'Spinner', width: 64, height: 64 }, query)

describe('an animated PNG', async () => {
  const bytes = await animatedPng()

  test.each(['webp', 'gif'])('keeps its frames, their times and repetitions as %s', async (format) => {
    const files = await openFiles({ PNG: bytes })
    const { src } = plan(`format=${format}`)
    const made = src ? await files.bytes(src) : Buffer.of()
    expect(await sharp(made, { pages: -1 }).metadata()).toMatchObject({ pages: 3, delay: [100, 200, 300], loop: 5 })
    const colors = [0, 1, 2].map(async (page) => {
      const frame = await sharp(made, { page }).png().toBuffer()
      return [await pixel(frame, 2, 2), await pixel(frame, 61, 61)]
    })
    const [red, blue, green] = [
      [255, 0, 0, 255],
      [0, 0, 255, 255],
      [0, 255, 0, 255],
    ]
    const expected = [
      [red, red],
      [red, blue],
      [green, red],
    ]
    for (const [at, frame] of (await Promise.all(colors)).entries())
      for (const [corner, color] of frame.entries())
        expect(near(color, expected[at]?.[corner] ?? []), `frame ${at}, corner ${corner}: ${color.join()}`).toBe(true)
    expect(files.warnings).toEqual([])
  })

  test('is resized and rotated with its frames', async () => {
    const files = await openFiles({ PNG: bytes })
    const { src } = plan('format=webp&w=32&rotate=90')
    const made = src ? await files.bytes(src) : Buffer.of()
    expect(await sharp(made, { pages: -1 }).metadata()).toMatchObject({ pages: 3, width: 32, pageHeight: 32 })
  })

  test('becomes a still picture in formats without frames, with one line for all of them', async () => {
    const files = await openFiles({ PNG: bytes })
    const { srcset = [], sources = [] } = plan('w=20;30&format=webp;avif;png')
    const all = [...srcset, ...sources.flatMap((source) => source.srcset)]
    for (const { file } of all) expect((await files.bytes(file)).length).toBeGreaterThan(0)
    expect(files.warnings).toEqual([
      expect.stringMatching(/^Spinner is an animated PNG\. As (?:avif|png), it is a still picture: format=webp or gif/),
    ])
  })

  test.each([
    ['its frames contradict its header', 'acTL', 0],
    ['its frames are not in their order', 'fdAT', 4],
  ])('is a still picture, as in browsers, if %s', async (_, name, number) => {
    const wrong = Buffer.from(bytes)
    const start = wrong.indexOf(name)
    const end = start + 4 + wrong.readUInt32BE(start - 4)
    wrong.writeUInt32BE(number, start + 4)
    wrong.writeUInt32BE(crc32(wrong.subarray(start, end)), end)
    const files = await openFiles({ PNG: wrong })
    const [original, { src }] = [plan('').src, plan('format=webp')]
    expect(original && (await files.bytes(original))).toEqual(wrong)
    const { format, width, pages = 1 } = await sharp(src ? await files.bytes(src) : Buffer.of()).metadata()
    expect({ format, width, pages }).toEqual({ format: 'webp', width: 64, pages: 1 })
  })
})

test.each([
  ['JPG', '10x30', (one: Sharp) => one.jpeg()],
  ['PNG', '10x30', (one: Sharp) => one.png()],
  ['AVIF', '10x30', (one: Sharp) => one.avif()],
  ['TIFF', '10x30', (one: Sharp) => one.tiff()],
  // Browsers ignore the orientation of WebP.
  ['WEBP', '30x10', (one: Sharp) => one.webp()],
])('%s with an EXIF orientation is listed and converted as %s', async (type, size, encode) => {
  const bytes = await encode(halves(30, 10)).withMetadata({ orientation: 6 }).toBuffer()
  expect(await readDimensions(type, bytes)).toBe(size)
  const files = await openFiles({ [type]: bytes })
  const { src } = planned({ type }, 'format=png&rotate=180')
  const { width, height } = await sharp(src ? await files.bytes(src) : Buffer.of()).metadata()
  expect(`${width}x${height}`).toBe(size)
})
