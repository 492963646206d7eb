import decodeIco from 'decode-ico'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { writeDescriptor } from '../../../src/bundlers/references/descriptors.js'
import { checkPolicy, readDescriptor } from '../../../src/bundlers/references/read-descriptors.js'
import { planAppIcons } from '../../../src/files/app-icons.js'
import { appIconsSource } from '../../../src/modules/app-icons.js'
import { ofNext } from '../../../src/modules/references.js'
import { appIconKeys, formatAppIcons, parseAppIcons } from '../../../src/request/app-icons.js'
import { assetRecord } from '../../support/memory-space.js'
import { openFiles } from '../../support/files.js'
import { halves, halvesSvg, near, pixel } from '../../support/pictures.js'

const red = [255, 0, 0, 255]
const white = [255, 255, 255, 255]
const clear = [0, 0, 0, 0]
const uuid = 'A0000000-0000-4000-8000-000000000000'
const drawing = assetRecord(uuid, 'App Icon', { type: 'SVG', width: 90, height: 60 })

async function make(text = '', type = 'SVG', bytes: Uint8Array = halvesSvg) {
  const query = parseAppIcons(text)
  const asset = { ...drawing, type, ...(type === 'SVG' ? {} : { width: 600, height: 600 }) }
  const dark = query.dark === undefined ? undefined : asset
  const plan = planAppIcons({ asset, dark, query, svg: 'sanitize', name: 'Brand' })
  const files = await openFiles({ [type]: bytes })
  const made = new Map<string, Uint8Array>()
  for (const file of [...plan.icons.map((icon) => icon.file), plan.manifest]) {
    expect(readDescriptor(writeDescriptor(file))).toEqual(file)
    expect(() => checkPolicy(file, 'sanitize')).not.toThrow()
    made.set(`${file.name}.${file.ext}`, await files.bytes(file))
  }
  return { plan, files, file: (name: string) => made.get(name) ?? expect.fail(`no ${name}`) }
}

describe('an icon', () => {
  test('favicon.ico has three pictures, each a PNG with the size of its entry', async () => {
    const pictures = decodeIco((await make()).file('favicon.ico'))
    expect(pictures.map(({ type, width, height }) => [type, width, height])).toEqual([
      ['png', 16, 16],
      ['png', 32, 32],
      ['png', 48, 48],
    ])
    for (const { data, width, height } of pictures) {
      const png = Buffer.from(data)
      const read = await sharp(png).metadata()
      expect([read.width, read.height]).toEqual([width, height])
      expect(near(await pixel(png, 2, height / 2), red)).toBe(true)
      expect(await pixel(png, 2, 1)).toEqual(clear)
    }
  })

  test('is transparent around the drawing, except for icons with a background', async () => {
    const { file } = await make()
    expect(await pixel(file('icon-192.png'), 5, 5)).toEqual(clear)
    expect(near(await pixel(file('icon-192.png'), 5, 96), red)).toBe(true)
    for (const name of ['apple-touch-icon.png', 'icon-maskable-512.png']) {
      expect(await pixel(file(name), 5, 5)).toEqual(white)
      expect(await sharp(file(name)).stats()).toMatchObject({ isOpaque: true })
    }
  })

  test('has the padding and the background of the query', async () => {
    const { file } = await make('padding=25&background=%2300f')
    expect(await pixel(file('icon-512.png'), 120, 256)).toEqual([0, 0, 255, 255])
    expect(near(await pixel(file('icon-512.png'), 140, 256), red)).toBe(true)
    expect(await pixel(file('icon-512.png'), 140, 100)).toEqual([0, 0, 255, 255])
    const svg = await sharp(file('icon.svg')).resize(512).png().toBuffer()
    expect(await pixel(svg, 120, 256)).toEqual([0, 0, 255, 255])
    expect(near(await pixel(svg, 140, 256), red)).toBe(true)
    expect((await sharp(file('apple-touch-icon.png')).metadata()).width).toBe(180)
  })

  test('that is maskable keeps a full square within the safe zone', async () => {
    const square = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>',
    )
    const { file } = await make('', 'SVG', square)
    const { data, info } = await sharp(file('icon-maskable-512.png'))
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const distances = [...data.keys()]
      .filter((at) => (data[at] ?? 255) < 250)
      .map((at) => Math.hypot((at % info.width) - 255.5, Math.floor(at / info.width) - 255.5))
    expect(Math.max(...distances)).toBeLessThanOrEqual(0.4 * 512)
    expect(Math.max(...distances)).toBeGreaterThan(0.38 * 512)
  })

  test('shows the dark drawing by the theme, sanitized, with ids of its own', async () => {
    const hostile = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" onload="x()"><style>.a{fill:red}</style>' +
        '<path class="a" id="p" d="M0 0h8v8H0z"/><use href="#p"/><script>x()</script></svg>',
    )
    const text = Buffer.from((await make('dark=other', 'SVG', hostile)).file('icon.svg')).toString()
    expect(text).toMatch(/^<svg xmlns="[^"]+" viewBox="0 0 100 100"><style>[^<]*prefers-color-scheme:dark/)
    expect(text).toMatch(/<g class="light"><svg width="100" height="100" viewBox="0 0 8 8" x="0" y="0">/)
    expect(text).toContain('<g class="dark">')
    expect(text).not.toMatch(/onload|script|class="a"|id="p"/)
  })
})

test('the manifest has the texts of the query, and addresses beside itself', async () => {
  const { file } = await make('name=Acme+%22%3C&theme=tomato&display=browser&start=/app')
  expect(JSON.parse(Buffer.from(file('manifest.webmanifest')).toString())).toEqual({
    name: 'Acme "<',
    icons: [
      { src: 'icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: 'icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: 'icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
    start_url: '/app',
    display: 'browser',
    theme_color: 'tomato',
    background_color: '#ffffff',
  })
})

test('a picture of enough pixels makes all icons but the SVG', async () => {
  const { plan, file } = await make('', 'PNG', await halves(600, 600).png().toBuffer())
  expect(plan.icons.map((icon) => icon.file.ext)).toEqual(['ico', 'png', 'png', 'png', 'png'])
  expect(plan.links.map(({ rel }) => rel)).toEqual(['icon', 'apple-touch-icon', 'manifest'])
  expect(near(await pixel(file('icon-512.png'), 5, 256), red)).toBe(true)
})

test.each([
  [{ type: 'PNG', width: 300, height: 600 }, /App Icon \(PNG\) is too small.*300 × 600/],
  [{ type: 'COLOR', size: 0 }, /App Icon \(COLOR\) is data and has no file/],
  [{ type: 'WOFF2', cuts: [] }, /not a picture/],
])('%j makes no icons', (fields, message) => {
  const asset = assetRecord(uuid, 'App Icon', fields)
  expect(() => planAppIcons({ asset, query: {}, svg: 'sanitize', name: 'Brand' })).toThrow(message)
})

test('a dark drawing needs two SVG', () => {
  const dark = assetRecord(uuid, 'Dark', { type: 'PNG', width: 600, height: 600 })
  expect(() => planAppIcons({ asset: drawing, dark, query: {}, svg: 'sanitize', name: 'Brand' })).toThrow(
    /Dark \(PNG\)/,
  )
})

test.each([
  ['paddin=5', /Did you mean padding\?.*background, dark, display/],
  ['padding=41', /invalid value 41[^]*from 0 to 40/],
  ['padding=5&padding=6', /given twice/],
  ['background=whit', /Did you mean white\?/],
  ['display=fullscren', /fullscreen/],
  ['name=', /name takes a text/],
])('?%s is an error', (query, hint) => {
  expect(() => parseAppIcons(query)).toThrow(hint)
})

test('Next.js, which names files itself, refers to the command', () => {
  const plan = planAppIcons({ asset: drawing, query: {}, svg: 'sanitize', name: 'Brand' })
  const references = { layout: 'whole', address: () => ({ code: '""' }), value: async () => ({ code: '""' }) } as const
  expect(appIconsSource(plan, references)).toContain('export default')
  expect(() => appIconsSource(plan, { ...references, ...ofNext })).toThrow(/content-space app-icons .*--out public/)
})

test('a query is written as it is read', () => {
  const query = 'background=%23fff&dark=icon-dark&display=browser&name=A+%26+B&padding=0&start=%2Fa%3Fb&theme=tomato'
  const read = parseAppIcons(query)
  expect(Object.keys(read).toSorted()).toEqual(Object.keys(appIconKeys))
  expect(parseAppIcons(formatAppIcons(read))).toEqual(read)
})
