import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { makeCut, makeThumbnail } from '../../../../src/space/folder/make-cut.js'
import { svg } from '../../../support/space.js'

const clear = sharp({ create: { width: 20, height: 10, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
const frames = Buffer.from(
  'R0lGODlhAgABAIAAAP8AAAAA/yH/C05FVFNDQVBFMi4wAwEAAAAh+QQACgAAACwAAAAAAgABAAACAgQKACH5BAAKAAAALAAAAAACAAEAAAICTAoAOw==',
  'base64',
)

describe('a cut', () => {
  test.each([
    ['SVG', 'PNG', Buffer.from(svg('a', 20, 10)), '20x10'],
    [
      'SVG',
      'PNG',
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="1in" height="48" viewBox="0 0 2 1"><path d="M0 0h1v1z"/></svg>',
      ),
      '96x48',
    ],
    ['JPG', 'PNG', clear.clone().jpeg().toBuffer(), '20x10'],
    ['PNG', 'JPG', clear.clone().png().toBuffer(), '20x10'],
    ['GIF', 'PNG', frames, '2x1'],
    ['GIF', 'JPG', frames, '2x1'],
    ['TIFF', 'PNG', clear.clone().tiff().toBuffer(), '20x10'],
    ['TIFF', 'JPG', clear.clone().tiff().toBuffer(), '20x10'],
  ])(
    'of %s to %s has the size of the original, and the same bytes each time',
    async (from, to, original, dimensions) => {
      const picture = { type: from, bytes: await original, dimensions }
      const cut = await makeCut(picture, { type: to })
      const { format, width, height, pages = 1 } = await sharp(cut).metadata()
      expect([format, `${width}x${height}`, pages]).toEqual([to === 'JPG' ? 'jpeg' : 'png', dimensions, 1])
      expect(Buffer.from(await makeCut(picture, { type: to })).equals(cut)).toBe(true)
    },
  )

  test("is white, because a JPG can't be transparent", async () => {
    const cut = await makeCut(
      { type: 'PNG', bytes: await clear.clone().png().toBuffer(), dimensions: '20x10' },
      { type: 'JPG' },
    )
    const { dominant } = await sharp(cut).stats()
    expect(Math.min(dominant.r, dominant.g, dominant.b)).toBeGreaterThan(240)
  })

  test('is upright', async () => {
    const bytes = await sharp({ create: { width: 30, height: 10, channels: 3, background: '#fff' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const {
      width,
      height,
      orientation = 1,
    } = await sharp(await makeCut({ type: 'JPG', bytes, dimensions: '10x30' }, { type: 'PNG' })).metadata()
    expect([width, height, orientation]).toEqual([10, 30, 1])
  })

  test('of a file that is not a picture fails', async () => {
    await expect(makeCut({ type: 'PNG', bytes: Buffer.from('no picture') }, { type: 'JPG' })).rejects.toMatchObject({
      code: 'conversionFailed',
    })
  })
})

describe('a thumbnail', () => {
  test('of an SVG is drawn at its size, not enlarged from pixels', async () => {
    const half =
      '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2" viewBox="0 0 2 2"><path d="M0 0h1v2H0z"/></svg>'
    const { data, info } = await sharp(
      await makeThumbnail({ type: 'SVG', bytes: Buffer.from(half), dimensions: '2x2' }, 292),
    )
      .extractChannel(3)
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([292, 292])
    const row = [...data.subarray(0, 292)]
    expect(row.filter((alpha) => alpha > 0 && alpha < 255).length).toBeLessThanOrEqual(2)
  })

  test('of pixels fits the size and is not enlarged', async () => {
    const wide = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    const sizes = [292, 1232].map(async (size) => {
      const { width, height } = await sharp(
        await makeThumbnail({ type: 'PNG', bytes: wide, dimensions: '900x300' }, size),
      ).metadata()
      return [width, height]
    })
    expect(await Promise.all(sizes)).toEqual([
      [292, 97],
      [900, 300],
    ])
  })
})
