import { describe, expect, test } from 'vitest'
import type { FileDescriptor } from '../../../src/files/plan.js'
import { loadKit } from '../../../src/kit/load.js'
import { nameKit, type NamedKit } from '../../../src/kit/named-kit.js'
import type { AssetRecord } from '../../../src/space/space.js'
import { colorsOf } from '../../../src/tokens/colors.js'
import { fontsOf } from '../../../src/tokens/fonts.js'
import { makeFont } from '../../support/font.js'
import { assetItem, assetRecord, headingItem, id, memoryKit, memorySpace } from '../../support/memory-space.js'

const hsb = (hue: number, saturation: number, brightness: number, alpha = 100) => {
  return { name: 'Any', hue, saturation, brightness, alpha, coverage: 100 }
}
const data = (number: number, name: string, more: Partial<AssetRecord>) =>
  assetRecord(id(number), name, { size: 0, width: undefined, height: undefined, ...more })
const color = (number: number, name: string, more: Partial<AssetRecord>) =>
  data(number, name, { type: 'COLOR', ...more })
const font = (number: number, name: string, record: object | undefined, more: Partial<AssetRecord> = {}) =>
  assetRecord(id(number), name, { type: 'TEXT_STYLE', meta: record ? { font: record } : {}, ...more })

const inter = {
  family: 'Inter',
  displayName: 'Inter Light',
  fontName: 'Inter-Light',
  extension: 'woff2',
  source: 'file',
}

async function kitOf(...assets: AssetRecord[]): Promise<NamedKit> {
  const items = assets.map((asset, index) => assetItem(id(500 + index), asset))
  const half = Math.ceil(items.length / 2)
  const kit = memoryKit(id(1), 'Brand', [
    {
      uuid: id(2),
      name: 'Colours',
      items: [...items.slice(0, half), headingItem(id(3), 'Accents'), ...items.slice(half)],
    },
    { uuid: id(4), name: 'Again', items: items.slice(0, 1) },
  ])
  const space = memorySpace(() => [kit])
  return nameKit(await loadKit(kit.record, 1, { space, strict: true, warn: () => {} }))
}

async function readColors(...assets: AssetRecord[]) {
  const warnings: string[] = []
  const colors = await colorsOf(await kitOf(...assets), (message) => warnings.push(message))
  return { colors, warnings }
}

async function readFonts(bytes: Buffer | Record<string, Buffer>, ...assets: AssetRecord[]) {
  const warnings: string[] = []
  const files: FileDescriptor[] = []
  const fonts = await fontsOf(await kitOf(...assets), {
    async read(file) {
      files.push(file)
      return bytes instanceof Uint8Array ? bytes : (bytes[file.name] ?? expect.fail(file.name))
    },
    warn: (message) => warnings.push(message),
  })
  return { fonts, files: files.map(({ name, ext }) => `${name}.${ext}`), warnings }
}

describe('colors', () => {
  test('are in display order, with the group of their first position', async () => {
    const coral = color(11, 'Coral', { colors: [hsb(11.93, 72.49, 89.8)], notes: 'One a page.' })
    const { colors, warnings } = await readColors(coral, color(10, 'Acme Red', { meta: { hex: '#f00' } }))
    expect([...colors]).toEqual([
      [
        'coral',
        {
          uuid: id(11),
          name: 'Coral',
          slug: 'coral',
          group: ['Colours'],
          notes: 'One a page.',
          hex: '#e5603f',
          alpha: 1,
          css: '#e5603f',
          rgb: [229, 96, 63],
          hsb: { hue: 11.93, saturation: 72.49, brightness: 89.8 },
        },
      ],
      ['acmeRed', expect.objectContaining({ group: ['Colours', 'Accents'], hex: '#ff0000' })],
    ])
    expect(warnings).toEqual([])
  })

  test("that can't be read are omitted and listed in a warning", async () => {
    const { colors, warnings } = await readColors(
      color(11, 'Coral', { colors: ['#e5603f66'] }),
      color(12, 'Spot', { colors: [{ pantone: '7416 C' }] }),
      color(13, 'Broken', { colors: [hsb(400, 10, 10)], meta: { hex: 'NaN' } }),
    )
    expect([...colors.keys()]).toEqual(['coral'])
    expect(colors.get('coral')?.css).toBe('rgb(229 96 63 / 40%)')
    expect(JSON.stringify([...colors])).not.toMatch(/null|NaN/)
    expect(warnings).toEqual([
      'Brand (version 1): the color Spot cannot be read, and is not in its tokens. ' +
        'Its value is {"pantone":"7416 C"}. Use a color of CSS, or hue, saturation and brightness.',
      expect.stringMatching(/^.*color Broken cannot be read.*Its value is \{"name":"Any","hue":400,.*… Use a color/),
    ])
  })

  test('are assets of type COLOR, and neither files with colors nor other data', async () => {
    const { colors, warnings } = await readColors(
      assetRecord(id(11), 'Logo', { colors: [hsb(0, 100, 100)] }),
      data(12, 'Palette', { type: 'LINK', colors: ['#f00'] }),
      assetRecord(id(13), 'Chart', { type: 'COLOR', colors: ['#f00'], size: 100 }),
      color(14, 'Sun', { type: 'Color', colors: ['#ff0'], size: undefined }),
    )
    expect([...colors.keys()]).toEqual(['sun'])
    expect(warnings).toEqual([])
  })
})

describe('fonts', () => {
  const bytes = makeFont({ family: 'Test Sans', variant: 'Bold Italic', weight: 700, italic: true, format: 'woff2' })

  test('of a complete record are not read', async () => {
    const { fonts, files } = await readFonts(bytes, font(11, 'Inter Light.woff2', { ...inter, variant: '300italic' }))
    expect(files).toEqual([])
    expect(fonts.get('interLightWoff2')).toMatchObject({
      family: 'Inter',
      weight: 300,
      style: 'italic',
      format: 'woff2',
      group: ['Colours'],
      file: { name: 'inter-light', ext: 'woff2', type: 'TEXT_STYLE' },
    })
  })

  test.each([
    ['no family', { ...inter, family: '', variant: 'Light' }, { family: 'Test Sans', weight: 300, style: 'normal' }],
    ['no variant', inter, { family: 'Inter', weight: 700, style: 'italic' }],
    ['a variant without weight', { ...inter, variant: 'Narrow' }, { family: 'Inter', weight: 700 }],
    ['no extension', { family: 'Inter', variant: 'Light' }, { family: 'Inter', weight: 300, format: 'woff2' }],
    ['nothing', undefined, { family: 'Test Sans', weight: 700, format: 'woff2' }],
  ])('of a record with %s are read', async (_, record, expected) => {
    const { fonts, files, warnings } = await readFonts(bytes, font(11, 'Inter', record))
    expect(files).toHaveLength(1)
    expect(fonts.get('inter')).toMatchObject({ ...expected, file: { ext: 'woff2' } })
    expect(warnings).toEqual([])
  })

  test('are recognized by type and by name', async () => {
    const { fonts } = await readFonts(
      bytes,
      assetRecord(id(11), 'One', { type: 'WOFF2' }),
      assetRecord(id(12), 'Two', { type: 'otf' }),
      assetRecord(id(13), 'Three.ttf', { type: 'FILE' }),
      assetRecord(id(14), 'Four.ttf', { type: 'PDF' }),
      font(15, 'Five', { source: 'google-fonts' }, { size: 0 }),
    )
    expect([...fonts.keys()]).toEqual(['one', 'two', 'threeTtf'])
  })

  test('with equal records are distinguished by their files', async () => {
    const files = { one: makeFont(), two: makeFont({ variant: 'Condensed', widthClass: 4 }) }
    const same = { ...inter, variant: 'Regular' }
    const { fonts, warnings } = await readFonts(files, font(11, 'One', same), font(12, 'Two', same))
    expect([fonts.get('one')?.stretch, fonts.get('two')?.stretch]).toEqual([undefined, 87.5])
    expect(warnings).toEqual([])
  })

  test('that are the same face are named in a warning', async () => {
    const same = { ...inter, variant: 'Regular' }
    const { fonts, warnings } = await readFonts(makeFont(), font(11, 'One', same), font(12, 'Two', same))
    expect([...fonts.keys()]).toEqual(['one', 'two'])
    expect(warnings).toEqual([
      expect.stringMatching(/: the fonts One, Two have the same family, weight, style and width, so pages show only/),
    ])
  })

  test('that are variable have a range of weights', async () => {
    const variable = makeFont({ axis: [100, 400, 900], format: 'woff2' })
    const { fonts } = await readFonts(variable, font(11, 'Inter Variable', { ...inter, variant: 'Regular' }))
    expect(fonts.get('interVariable')).toMatchObject({ weight: 400, weightRange: [100, 900] })
  })

  test('of other services have a style sheet and no file', async () => {
    const stylesheetUrl = 'https://fonts.googleapis.com/css2?family=Lora'
    const lora = { family: 'Lora', variant: '700italic', source: 'google-fonts', stylesheetUrl }
    const { fonts, files, warnings } = await readFonts(
      bytes,
      font(11, 'Lora', lora, { size: 0 }),
      font(12, 'Bad', { ...lora, stylesheetUrl: 'javascript:alert(1)' }, { size: 0 }),
      font(14, 'Unsized', { ...lora, stylesheetUrl: 'none' }, { size: undefined }),
      data(13, 'Heading', { type: 'TEXT_STYLE', meta: { font: { family: 'Lora' } } }),
    )
    expect(files).toEqual([])
    expect(warnings).toEqual([
      'Brand (version 1): the font Bad has neither a file nor a style sheet, and is not in its tokens. ' +
        'Set the URL of its style sheet in the space, or upload the font.',
      expect.stringContaining('the font Unsized has neither a file nor a style sheet'),
    ])
    expect([...fonts]).toEqual([
      [
        'lora',
        {
          uuid: id(11),
          name: 'Lora',
          slug: 'lora',
          group: ['Colours'],
          notes: '',
          family: 'Lora',
          weight: 700,
          style: 'italic',
          format: 'css',
          stylesheet: stylesheetUrl,
        },
      ],
    ])
  })

  test('that cannot be read have the name of the asset as their family, and are named in a warning', async () => {
    const { fonts, warnings } = await readFonts(Buffer.from('no font'), font(11, 'Inter', undefined))
    expect(fonts.get('inter')).toMatchObject({ family: 'Inter', weight: 400, style: 'normal', format: 'bin' })
    expect(warnings).toEqual(['Inter is not a font that can be read. Its name is used as the family, with weight 400.'])
  })
})
