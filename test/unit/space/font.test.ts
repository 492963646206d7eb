import { describe, expect, test } from 'vitest'
import { readFontFile } from '../../../src/space/font-file.js'
import { readVariant } from '../../../src/space/font-style.js'
import { makeFont, type FontOptions } from '../../support/font.js'
import { fc } from '../../support/random.js'

describe('a font file', () => {
  test.each(['ttf', 'otf', 'woff', 'woff2'] as const)('is read from %s', async (format) => {
    const bytes = makeFont({ family: 'Süß Sans', variant: 'Light Italic', weight: 300, italic: true, format })
    expect(await readFontFile(bytes)).toEqual({
      format,
      family: 'Süß Sans',
      variant: 'Light Italic',
      fullName: 'Süß Sans Light Italic',
      postscriptName: 'SSans-LightItalic',
      weight: 300,
      style: 'italic',
    })
  })

  test.each<[string, FontOptions, object]>([
    ['an oblique one', { variant: 'Oblique', oblique: true }, { weight: 400, style: 'oblique' }],
    ['a weight that is not a number of CSS', { variant: 'Bold', weight: 0 }, { weight: 700, style: 'normal' }],
    ['an unknown weight', { variant: 'Display', weight: 0 }, { weight: 400, style: 'normal' }],
    ['a variable one', { axis: [100, 400, 900] }, { weight: 400, weightRange: [100, 900], style: 'normal' }],
    ['a range without weights of CSS', { axis: [0, 400, 2000], variant: 'Medium', weight: 500 }, { weight: 500 }],
  ])('has weight and style: %s', async (_, options, expected) => {
    const file = (await readFontFile(makeFont({ ...options, format: 'woff2' }))) ?? expect.fail()
    expect(file).toMatchObject(expected)
    expect('weightRange' in file).toBe('weightRange' in expected)
  })

  test.each<[string, FontOptions, object]>([
    ['its class', { variant: 'Regular', widthClass: 4 }, { stretch: 87.5 }],
    ['its name', { variant: 'Extra Condensed Bold', weight: 700 }, { weight: 700, stretch: 62.5 }],
    ['its class rather than its name', { variant: 'Narrow Light', weight: 300, widthClass: 2 }, { stretch: 62.5 }],
    ['its axis', { axes: { wdth: [25, 100, 151] } }, { weight: 400, stretch: 100, stretchRange: [25, 151] }],
  ])('has the width of %s', async (_, options, expected) => {
    expect(await readFontFile(makeFont(options))).toMatchObject(expected)
  })

  test('has the slant of its axis, as CSS counts it', async () => {
    const file = await readFontFile(makeFont({ axis: [100, 400, 900], axes: { slnt: [-10, 0, 0] } }))
    expect(file).toMatchObject({ style: 'normal', slantRange: [0, 10], weightRange: [100, 900] })
  })

  test.each([
    ['Thin', 250, 100],
    ['ExtraLight', 250, 200],
    ['Extra Light Italic', 275, 200],
    ['Light', 300, 300],
    ['Bold', 400, 700],
    ['SemiLight', 350, 350],
    // Names that are ambiguous, or that foundries use in different ways.
    ['Text', 450, 450],
    ['Book', 450, 450],
    ['Heavy', 800, 800],
  ])('that is called %s and has the number %d has weight %d', async (variant, weight, expected) => {
    expect(await readFontFile(makeFont({ variant, weight }))).toMatchObject({ weight: expected })
  })

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a picture', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a signature alone', Buffer.from('wOF2')],
    ['a collection', Buffer.concat([Buffer.from('ttcf'), makeFont().subarray(4)])],
    ['half a font', makeFont({ format: 'woff2' }).subarray(0, 60)],
  ])('is not read from %s', async (_, bytes) => {
    expect(await readFontFile(bytes)).toBeUndefined()
  })

  test('is not read if its names or its compressed data are too large', async () => {
    expect(await readFontFile(makeFont({ family: 'x'.repeat(60_000), format: 'woff' }))).toBeUndefined()
    const other = Buffer.alloc(65 * 1024 * 1024)
    expect(await readFontFile(makeFont({ other, format: 'woff2' }))).toBeUndefined()
  })

  test('never breaks the reader when it is damaged', async () => {
    const fonts = (['ttf', 'woff', 'woff2'] as const).map((format) => makeFont({ format, axis: [100, 400, 900] }))
    const damage = fc.tuple(fc.constantFrom(...fonts), fc.array(fc.tuple(fc.nat(2000), fc.nat(255)), { minLength: 1 }))
    await fc.assert(
      fc.asyncProperty(damage, async ([font, changes]) => {
        const bytes = Buffer.from(font)
        for (const [at, value] of changes) bytes[at % bytes.length] = value
        const { weight = 400, family = '' } = (await readFontFile(bytes)) ?? {}
        expect(weight).toBeGreaterThanOrEqual(1)
        expect(weight).toBeLessThanOrEqual(1000)
        expect(typeof family).toBe('string')
      }),
      { numRuns: 300 },
    )
  })
})

describe('the name of a variant', () => {
  test.each([
    ['Regular', 400, 'normal'],
    ['regular', 400, 'normal'],
    ['Light Italic', 300, 'italic'],
    ['LightItalic', 300, 'italic'],
    ['300italic', 300, 'italic'],
    ['700', 700, 'normal'],
    ['italic', 400, 'italic'],
    ['Oblique', 400, 'oblique'],
    ['Extra Bold Oblique', 800, 'oblique'],
    ['semi-bold', 600, 'normal'],
    ['DemiBold', 600, 'normal'],
    ['Ultra Light', 200, 'normal'],
    ['Hairline', 100, 'normal'],
    ['w450', 450, 'normal'],
    ['45 Light', 300, 'normal'],
    ['55 Roman', 400, 'normal'],
    ['12pt Regular', 400, 'normal'],
    ['1000', 1000, 'normal'],
  ])('%s is %d %s', (variant, weight, style) => {
    expect(readVariant(variant)).toEqual({ weight, style })
  })

  test.each([
    ['Condensed Black', 900, 75],
    ['Semi Condensed 300italic', 300, 87.5],
    ['Extra Light Extended', 200, 125],
    ['UltraExpanded-Bold', 700, 200],
  ])('%s has the weight %d and the width %d', (variant, weight, stretch) => {
    expect(readVariant(variant)).toMatchObject({ weight, stretch })
  })

  test.each(['', 'Condensed', 'Display Italic', 'Variable', '[wght]', '12000', 'VF'])(
    '%j says too little',
    (variant) => {
      expect(readVariant(variant)).toBeUndefined()
    },
  )
})
