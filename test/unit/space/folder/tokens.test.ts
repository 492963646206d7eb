import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { KnownAsset } from '../../../../src/asset.js'
import { createImporter, type Importer } from '../../../../src/importer.js'
import { folderSpace } from '../../../../src/space/folder/space.js'
import type { Options } from '../../../../src/config/options.js'
import { makeFont } from '../../../support/font.js'
import { serveSpace, svg, writeSpace, type Files } from '../../../support/space.js'

async function written(files: Files): Promise<string> {
  const space = await writeSpace(files)
  onTestFinished(() => space.remove())
  return space.folder
}

/** Opens a space in a separate project. */
async function open(options: Options): Promise<Importer> {
  const root = await mkdtemp(join(tmpdir(), 'content-space-tokens-'))
  const importer = await createImporter({ cacheDir: 'cache', ...options }, { root, env: {} })
  onTestFinished(async () => {
    await importer.close()
    await rm(root, { recursive: true, force: true })
  })
  return importer
}

/** Reads the records of a kit, by name. */
async function recordsOf(folder: string): Promise<Record<string, object>> {
  const space = folderSpace(folder)
  const [kit] = await space.kits()
  const outline = await space.outline(kit?.uuid ?? '', 0)
  const sections = await Promise.all(outline.sections.map(({ uuid }) => space.section(uuid, 0)))
  const assets = sections.flatMap(({ items }) => items.flatMap(({ asset }) => asset ?? []))
  return Object.fromEntries(assets.map((asset) => [asset.name, asset]))
}

const light = makeFont({ family: 'Test Sans', variant: 'Light Italic', weight: 300, italic: true, format: 'woff2' })
const coral = { name: 'Coral', hue: 11.93, saturation: 72.49, brightness: 89.8, alpha: 100, coverage: 100 }

test('a JSON with `color` is a color as the service sends it', async () => {
  const folder = await written({
    'brand/kit.json': { color: '#f00' },
    'brand/Colours/section.json': { color: '#f00' },
    'brand/Colours/coral.json': { color: '#E5603F', notes: 'One a page.' },
    'brand/Colours/faint.json': { name: 'Faint Coral', color: '#E5603F66' },
    'brand/Colours/sun.json': { type: 'Color', meta: { hex: '#ffcc00' } },
    'brand/Colours/sea.json': { color: { hue: 200, saturation: 50, brightness: 80, alpha: 100, coverage: 100 } },
    'brand/Logos/logo.svg': svg('logo'),
    'brand/Logos/logo.json': { color: '#f00' },
    'space.json': { color: '#f00' },
  })
  const records = await recordsOf(folder)
  expect(Object.keys(records)).toEqual(['Coral', 'Faint Coral', 'Sea', 'Sun', 'Logo'])
  expect(records['Coral']).toMatchObject({ type: 'COLOR', size: 0, notes: 'One a page.', colors: [coral], meta: {} })
  expect(records['Coral']).not.toHaveProperty('raw.color')
  expect(records['Faint Coral']).toMatchObject({ colors: [{ ...coral, name: 'Faint Coral', alpha: 40 }] })
  expect(records['Sun']).toMatchObject({ type: 'COLOR', colors: [{ name: 'Sun', hue: 48 }], meta: { hex: '#ffcc00' } })
  expect(records['Sea']).toMatchObject({ colors: [{ name: 'Sea', hue: 200, saturation: 50, brightness: 80 }] })
  expect(records['Logo']).toMatchObject({ type: 'SVG', colors: [] })
})

test('a color that cannot be read is an error with the file', async () => {
  const folder = await written({ 'brand/Colours/coral.json': { color: 'coral reef' } })
  await expect(recordsOf(folder)).rejects.toMatchObject({
    code: 'invalidSpace',
    message: expect.stringMatching(/brand\/Colours\/coral\.json: .*"coral reef".*"#e5603f"/s),
  })
})

test('a JSON without a type, a color and a file is an error', async () => {
  const folder = await written({ 'brand/Colours/coral.json': { notes: 'One a page.' } })
  await expect(recordsOf(folder)).rejects.toMatchObject({ code: 'invalidSpace', message: /no `type` or `color`/ })
})

test('a font file is a text style with its names', async () => {
  const folder = await written({
    'brand/Fonts/light.woff2': light,
    'brand/Fonts/variable.ttf': makeFont({ axis: [100, 400, 900] }),
    'brand/Fonts/odd.WOFF': makeFont({ variant: 'Book', weight: 450, format: 'woff' }),
    'brand/Fonts/damaged.otf': 'no font',
    'brand/Fonts/own.woff2': light,
    'brand/Fonts/own.json': { meta: { font: { family: 'Own' } } },
  })
  const records = await recordsOf(folder)
  expect(records['Light']).toMatchObject({
    type: 'TEXT_STYLE',
    size: light.length,
    meta: {
      font: {
        family: 'Test Sans',
        displayName: 'Test Sans Light Italic',
        fontName: 'TestSans-LightItalic',
        variant: 'Light Italic',
        extension: 'woff2',
        source: 'file',
      },
    },
  })
  expect(records['Variable']).toMatchObject({ meta: { font: { variant: 'Variable', extension: 'ttf' } } })
  expect(records['Odd']).toMatchObject({ meta: { font: { variant: '450', extension: 'woff' } } })
  expect(records['Damaged']).toMatchObject({ type: 'TEXT_STYLE', meta: { font: { extension: 'otf', source: 'file' } } })
  expect(records['Own']).toMatchObject({ meta: { font: { family: 'Own', variant: 'Light Italic' } } })
})

test('the service, a mirror of it and a mirror of the mirror have the same colors and fonts', async () => {
  const folder = await written({
    'brand/Colours/coral.json': { color: '#E5603F', notes: 'One a page.' },
    'brand/Colours/sun.json': { type: 'Color', meta: { hex: '#ffcc00' } },
    'brand/Fonts/light.woff2': light,
    'brand/Fonts/lora.json': {
      type: 'TEXT_STYLE',
      meta: { font: { family: 'Lora', source: 'google-fonts', stylesheetUrl: 'https://example.com/lora.css' } },
    },
  })
  const service = await serveSpace(folder)
  onTestFinished(() => service.close())
  const { url, spaceId, token } = service
  const opened = await open({ space: url, spaceId, token })
  const copies = await mkdtemp(join(tmpdir(), 'content-space-mirrors-'))
  onTestFinished(() => rm(copies, { recursive: true, force: true }))
  await opened.mirror({ kits: ['brand'], out: join(copies, 'first') })
  const first = await open({ space: join(copies, 'first') })
  await first.mirror({ kits: ['brand'], out: join(copies, 'second') })
  const second = await open({ space: join(copies, 'second') })
  const records = await assetsOf(opened)
  expect(records.map(({ name, type }) => [name, type])).toEqual([
    ['Coral', 'COLOR'],
    ['Sun', 'COLOR'],
    ['Light', 'TEXT_STYLE'],
    ['Lora', 'TEXT_STYLE'],
  ])
  expect(await assetsOf(first)).toEqual(records)
  expect(await assetsOf(second)).toEqual(records)
})

/** Returns assets for comparison, without the service's URLs and the fields that only files have. */
async function assetsOf(importer: Importer): Promise<Partial<KnownAsset>[]> {
  const { sections } = await importer.kit('brand')
  const items = sections.flatMap((section) => section.items)
  return items.flatMap((item) => {
    if (item.type !== 'asset' || !('asset' in item)) return []
    const { permalink: _, thumbnails: __, raw: ___, ...asset } = item.asset
    return [asset]
  })
}
