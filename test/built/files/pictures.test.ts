import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { RecipeKey } from '../../../src/request/parameters.js'
import { openFiles, planned, tempFolder } from '../../support/files.js'
import { svg } from '../../support/space.js'
import { animation, halves, halvesSvg, near, pixel } from '../../support/pictures.js'

const [red, blue, white] = [
  [255, 0, 0, 255],
  [0, 0, 255, 255],
  [255, 255, 255, 255],
]
type Spot = [x: number, y: number, colour: number[]]

const photo = await halves(900, 600).jpeg({ quality: 95 }).toBuffer()
const originals: Record<string, { bytes: Buffer; width: number; height: number }> = {
  JPG: { bytes: photo, width: 900, height: 600 },
  PNG: { bytes: await halves(900, 600).png().toBuffer(), width: 900, height: 600 },
  TIFF: { bytes: await halves(900, 600).tiff().toBuffer(), width: 900, height: 600 },
  GIF: { bytes: await animation(90, 60), width: 90, height: 60 },
  SVG: { bytes: halvesSvg, width: 90, height: 60 },
}

async function convert(type: string, query: string) {
  const { bytes = Buffer.of(), width = 0, height = 0 } = originals[type] ?? {}
  const files = await openFiles({ [type]: bytes })
  const plan = planned({ type, width, height, size: bytes.length }, query)
  if (!plan.src) throw new Error('no src')
  const made = await files.bytes(plan.src)
  return { plan, made, metadata: await sharp(made, { pages: -1 }).metadata(), files }
}

/** Each key of a recipe, with a query to which it is added. */
const effects = {
  background: ['background=red', 'w=200&h=200&fit=contain'],
  blur: ['blur=20', ''],
  effort: ['effort=0', 'format=webp'],
  enlarge: ['enlarge', 'w=1800'],
  greyscale: ['greyscale', ''],
  lossless: ['lossless', 'format=webp'],
  position: ['position=left', 'w=200&h=200'],
  quality: ['quality=10', ''],
  rotate: ['rotate=90', ''],
} satisfies Record<RecipeKey, [key: string, query: string]>

test.each(Object.values(effects))('%s changes the picture of ?%s', async (key, query) => {
  const [without, changed] = await Promise.all([convert('JPG', query), convert('JPG', `${query}&${key}`)])
  expect(Buffer.compare(changed.made, without.made)).not.toBe(0)
})

describe('every parameter, with decoded results', () => {
  test.each<[type: string, query: string, format: string, width: number, height: number, ...spots: Spot[]]>([
    ['JPG', 'w=300', 'jpeg', 300, 200, [10, 100, red], [290, 100, blue]],
    ['JPG', 'h=100', 'jpeg', 150, 100, [10, 50, red]],
    ['JPG', 'w=5000', 'jpeg', 900, 600],
    ['JPG', 'w=1800&enlarge', 'jpeg', 1800, 1200],
    ['JPG', 'w=200&h=200', 'jpeg', 200, 200, [10, 100, red], [190, 100, blue]],
    ['JPG', 'w=200&h=200&position=left', 'jpeg', 200, 200, [10, 100, red], [140, 100, red]],
    ['JPG', 'w=200&h=200&position=right-top', 'jpeg', 200, 200, [60, 100, blue]],
    ['JPG', 'w=200&h=200&fit=fill', 'jpeg', 200, 200, [10, 100, red]],
    ['JPG', 'w=200&h=200&fit=contain&background=fff', 'jpeg', 200, 200, [100, 5, white], [10, 100, red]],
    ['JPG', 'w=200&h=200&fit=contain&format=png', 'png', 200, 200, [100, 5, [0, 0, 0, 0]]],
    ['JPG', 'w=200&h=200&fit=inside', 'jpeg', 200, 133],
    ['JPG', 'w=200&h=200&fit=outside', 'jpeg', 300, 200],
    ['JPG', 'w=200&dpr=1;2', 'jpeg', 400, 267],
    ['JPG', 'format=avif&w=300', 'heif', 300, 200, [10, 100, red]],
    ['JPG', 'format=webp', 'webp', 900, 600, [10, 100, red], [890, 100, blue]],
    ['JPG', 'format=png', 'png', 900, 600, [10, 100, red]],
    ['JPG', 'format=gif', 'gif', 900, 600, [10, 100, red]],
    ['PNG', 'format=jpg', 'jpeg', 900, 600, [10, 100, red]],
    ['PNG', 'w=300&format=original', 'png', 300, 200, [10, 100, red]],
    ['TIFF', 'w=300', 'tiff', 300, 200, [10, 100, red]],
    ['TIFF', 'w=300&format=webp', 'webp', 300, 200, [10, 100, red]],
    ['JPG', 'rotate=90', 'jpeg', 600, 900, [300, 10, red], [300, 890, blue]],
    ['JPG', 'rotate=90&w=300', 'jpeg', 300, 450, [150, 10, red]],
    ['JPG', 'rotate=45&format=png', 'png', 1061, 1061, [2, 2, [0, 0, 0, 0]], [530, 500, red]],
    ['JPG', 'greyscale', 'jpeg', 900, 600, [10, 100, [127, 127, 127, 255]]],
    ['PNG', 'blur=20', 'png', 900, 600, [450, 300, [128, 0, 128, 255]]],
    ['SVG', 'w=3000', 'png', 3000, 2000, [1499, 900, red], [1500, 900, blue]],
    ['SVG', 'format=png', 'png', 90, 60, [10, 10, red]],
    ['SVG', 'w=100&h=100&format=webp', 'webp', 100, 100, [10, 50, red]],
    ['SVG', 'rotate=90&w=60', 'png', 60, 90, [30, 10, red]],
    ['GIF', 'w=45&format=png', 'png', 45, 30, [10, 10, red]],
  ])('%s?%s is %s, %i x %i', async (type, query, format, width, height, ...spots) => {
    const { plan, made, metadata } = await convert(type, query)
    expect(metadata).toMatchObject({ format, width, height })
    expect(plan).toMatchObject({ width, height })
    for (const [x, y, colour] of spots)
      expect(await pixel(made, x, y)).toSatisfy((actual: number[]) => near(actual, colour))
  })

  test.each(['avif', 'webp', 'gif'])('takes any effort in %s', async (format) => {
    const efforts = ['', '&effort=0', '&effort=9']
    const made = await Promise.all(efforts.map((effort) => convert('JPG', `format=${format}${effort}`)))
    expect(new Set(made.map(({ metadata }) => metadata.format)).size).toBe(1)
    const [, least, most] = made.map(({ made: { length } }) => length)
    if (format !== 'gif') expect(most).toBeLessThan(least ?? 0)
  })

  test.each(['avif', 'webp'])('keeps each pixel in lossless %s', async (format) => {
    const [png, made] = await Promise.all([
      convert('PNG', 'greyscale'),
      convert('PNG', `greyscale&format=${format}&lossless`),
    ])
    const [before, after] = await Promise.all(
      [png, made].map((one) => sharp(one.made).removeAlpha().toColourspace('srgb').raw().toBuffer()),
    )
    expect(after && before && Buffer.compare(after, before)).toBe(0)
  })

  test('spends fewer bytes on less quality', async () => {
    const [low, high] = await Promise.all([convert('JPG', 'quality=10'), convert('JPG', 'quality=95')])
    expect(low.made.length).toBeLessThan(high.made.length)
  })

  test.each(['gif', 'webp'])('keeps an animation as %s', async (format) => {
    const { metadata, plan } = await convert('GIF', `w=45&format=${format}`)
    expect(metadata).toMatchObject({ format, pages: 2, delay: [100, 200], loop: 0, width: 45, pageHeight: 30 })
    expect(plan).toMatchObject({ width: 45, height: 30 })
  })

  test.each(['gif', 'webp'])('turns an animation as %s', async (format) => {
    const { made, metadata, plan } = await convert('GIF', `rotate=90&w=30&format=${format}`)
    expect(metadata).toMatchObject({ format, pages: 2, delay: [100, 200], loop: 0, width: 30, pageHeight: 45 })
    expect(plan).toMatchObject({ width: 30, height: 45 })
    const frames = await Promise.all([0, 1].map((page) => sharp(made, { page }).raw().toBuffer()))
    expect(frames[0]).not.toEqual(frames[1])
  })

  test.each([
    [24.4, 24.6],
    [30.5, 60.25],
  ])('makes a picture of its planned size from a drawing of %s × %s', async (width, height) => {
    const files = await openFiles({ SVG: Buffer.from(svg('decimals', width, height)) })
    const { src, ...size } = planned({ type: 'SVG', width, height }, 'w=100')
    const made = src && (await sharp(await files.bytes(src)).metadata())
    expect(made).toMatchObject({ width: 100, height: size.height })
  })

  test('makes every file of a plan according to its description', async () => {
    const files = await openFiles({ JPG: photo })
    const plan = planned({ type: 'JPG', width: 900, height: 600 }, 'w=300;600&format=avif;webp;original')
    for (const { type, srcset } of plan.sources ?? []) {
      for (const { file, descriptor } of srcset) {
        const { width, format } = await sharp(await files.bytes(file)).metadata()
        expect(`${width}w`).toBe(descriptor)
        expect(type).toBe(`image/${format === 'heif' ? 'avif' : format}`)
      }
    }
    expect(files.downloads).toEqual(['JPG'])
  })
})

describe('the source of a picture', () => {
  const eps = Buffer.from('%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 90 60\n%%EOF\n')
  const pdf = Buffer.from('%PDF-1.4\n')
  const sketch = Buffer.from('PK\x03\x04\x14\0\0\0\0\0', 'latin1')

  test.each([
    ['PDF', pdf],
    ['EPS', eps],
    ['Sketch', sketch],
  ])('is the PNG cut of %s', async (type, original) => {
    const files = await openFiles({ [type]: original, PNG: await halves(90, 60).png().toBuffer() })
    const plan = planned({ type, width: 90, height: 60 }, 'w=45&format=webp')
    expect(await sharp(plan.src && (await files.bytes(plan.src))).metadata()).toMatchObject({
      format: 'webp',
      width: 45,
      height: 30,
    })
    expect(files.downloads).toEqual(['PNG'])
  })

  test('is upright and sRGB, whatever the metadata of the file', async () => {
    const turned = await halves(90, 60).withMetadata({ orientation: 6, icc: 'p3' }).jpeg({ quality: 95 }).toBuffer()
    const files = await openFiles({ JPG: turned })
    const { src } = planned({ type: 'JPG', width: 60, height: 90 }, 'w=60&format=png')
    const made = src ? await files.bytes(src) : Buffer.of()
    const metadata = await sharp(made).metadata()
    expect(metadata).toMatchObject({ width: 60, height: 90, space: 'srgb' })
    expect(metadata.orientation).toBeUndefined()
    expect(near(await pixel(made, 30, 5), [255, 0, 0, 255])).toBe(true)
    expect(near(await pixel(made, 30, 85), [0, 0, 255, 255])).toBe(true)
  })
})

describe('placeholders', () => {
  test.each(['JPG', 'PNG', 'GIF', 'TIFF', 'SVG'])('are small pictures of %s, always the same', async (type) => {
    const { bytes = Buffer.of(), width = 0, height = 0 } = originals[type] ?? {}
    for (const kind of ['blur', 'color']) {
      const { placeholder } = planned({ type, width, height }, `placeholder=${kind}`)
      if (!placeholder) throw new Error('no placeholder')
      const [first, second] = await Promise.all(
        [0, 1].map(async () => (await openFiles({ [type]: bytes })).value(placeholder)),
      )
      expect(first).toBe(second)
      expect(first?.length).toBeLessThan(2048)
      const data = Buffer.from(first?.split(',')[1] ?? '', 'base64')
      expect(await sharp(data).metadata()).toMatchObject(
        kind === 'blur' ? { format: 'webp', width: 24, height: 16 } : { format: 'png', width: 1, height: 1 },
      )
    }
  })

  test('show the same crop as src', async () => {
    const files = await openFiles({ JPG: photo })
    const { placeholder } = planned(
      { type: 'JPG', width: 900, height: 600 },
      'w=100&h=100&position=left&placeholder=color',
    )
    const text = placeholder ? await files.value(placeholder) : ''
    expect(near(await pixel(Buffer.from(text.split(',')[1] ?? '', 'base64'), 0, 0), [191, 0, 64, 255])).toBe(true)
  })
})

test.each(['avif', 'webp', 'gif'])(
  'a dev server makes %s with the lowest effort, and a build never gets its bytes',
  async (format) => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    const JPG = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#888', noise } })
      .jpeg()
      .toBuffer()
    const cacheDir = await tempFolder()
    const open = (isQuick: boolean) => openFiles({ JPG }, { isQuick, cacheDir })
    const make = async (isQuick: boolean, query: string) => {
      const { src } = planned(
        { type: 'JPG', width: 300, height: 200, size: JPG.length },
        `w=200&format=${format}${query}`,
      )
      if (src === undefined) throw new Error('no file')
      return Buffer.from(await (await open(isQuick)).bytes(src))
    }
    const served = await make(true, '')
    const lowest = await make(false, format === 'gif' ? '&effort=1' : '&effort=0')
    expect(served.equals(lowest)).toBe(true)
    expect((await make(false, '')).equals(served)).toBe(false)
    expect((await make(true, '&effort=5')).equals(await make(false, '&effort=5'))).toBe(true)
  },
)
