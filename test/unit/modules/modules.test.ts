import { describe, expect, test } from 'vitest'
import { ContentSpaceError } from '../../../src/errors.js'
import { openCatalog } from '../../../src/catalog/catalog.js'
import { createModules } from '../../../src/modules/modules.js'
import type { References } from '../../../src/modules/references.js'
import type { Query } from '../../../src/request/query.js'
import type { Request } from '../../../src/request/request.js'
import { evaluate } from '../../support/evaluate.js'
import { assetItem, assetRecord, headingItem, id, memoryKit, memorySpace } from '../../support/memory-space.js'
import { plainCatalog } from '../../support/memory.js'

const logo = assetRecord(id(11), 'Acme Logo', { notes: '</script>', keywords: ['mark'] })
const photo = assetRecord(id(12), 'Hero Photo', {
  type: 'JPG',
  width: 640,
  height: 480,
  dateAdded: '2025-01-01T00:00:00.000Z',
})
const colour = assetRecord(id(13), 'Acme Red', { type: 'COLOR', size: 0, meta: { hex: '#f00' } })
const brand = memoryKit(id(1), 'Brand', [
  {
    uuid: id(2),
    name: 'Logos',
    items: [headingItem(id(22), 'Marks'), assetItem(id(21), logo), assetItem(id(23), photo)],
  },
  {
    uuid: id(3),
    name: 'Colours',
    items: [
      assetItem(id(31), colour),
      assetItem(id(32), logo),
      { uuid: id(33), type: 'video', status: 'active', data: { length: 3 } },
    ],
  },
])
const kit = { kit: id(1), version: 'use' } as const
const asset: Query = { as: 'asset', full: false }

const references = (layout: References['layout']): References => ({
  layout,
  address: ({ name, ext, cut }) => ({ code: JSON.stringify(`/${name}${cut ? '.cut' : ''}.${ext}`) }),
  value: async ({ as }) => ({ code: JSON.stringify(`<${as}>`) }),
})

function source(layout: References['layout'], content = brand, full = false): (request: Request) => Promise<string> {
  const catalog = openCatalog({
    space: memorySpace(() => [content]),
    ...plainCatalog,
  })
  const modules = createModules({ catalog, svg: 'trust', full })
  return (request) =>
    request.kind === 'tokens'
      ? expect.fail('Another room makes these modules.')
      : modules.source(request, references(layout))
}

const module = (request: Request, layout: References['layout'] = 'barrel') => evaluate(request, source(layout))

async function refusal(request: Request): Promise<ContentSpaceError> {
  const error: unknown = await source('barrel')(request).catch((reason: unknown) => reason)
  if (error instanceof ContentSpaceError) return error
  throw new Error('Expected a refusal')
}

const acmeLogo = {
  uuid: id(11),
  name: 'Acme Logo',
  type: 'SVG',
  format: 'svg',
  src: '/acme-logo.svg',
  width: 24,
  height: 24,
  notes: '</script>',
  keywords: ['mark'],
  colors: [],
}
const heroPhoto = {
  uuid: id(12),
  name: 'Hero Photo',
  type: 'JPG',
  format: 'jpg',
  src: '/hero-photo.jpg',
  width: 640,
  height: 480,
  notes: '',
  keywords: [],
  colors: [],
}
const acmeRed = {
  uuid: id(13),
  name: 'Acme Red',
  type: 'COLOR',
  notes: '',
  keywords: [],
  colors: [],
  meta: { hex: '#f00' },
}

describe.each(['barrel', 'flat'] as const)('a kit in the layout %s', (layout) => {
  test('exports its assets by name and its content in display order', async () => {
    const { default: whole, ...named } = await module({ kind: 'kit', kit, query: asset }, layout)
    expect(named).toEqual({ acmeLogo, acmeRed, heroPhoto })
    expect(whole).toEqual({
      uuid: id(1),
      name: 'Brand',
      status: 'active',
      version: 1,
      versionIdentifier: '1.0',
      notes: 'first',
      counts: { assets: 3, items: 6, sections: 2 },
      dateAdded: '2025-01-01T00:00:00.000Z',
      dateUpdated: '2025-02-01T00:00:00.000Z',
      sections: [
        {
          uuid: id(2),
          name: 'Logos',
          counts: { assets: 2, items: 3 },
          items: [
            { type: 'heading', uuid: id(22), content: 'Marks', displaySize: 'large' },
            { type: 'asset', uuid: id(21), displaySize: 'small', asset: acmeLogo },
            { type: 'asset', uuid: id(23), displaySize: 'small', asset: heroPhoto },
          ],
        },
        {
          uuid: id(3),
          name: 'Colours',
          counts: { assets: 2, items: 3 },
          items: [
            { type: 'asset', uuid: id(31), displaySize: 'small', asset: acmeRed },
            { type: 'asset', uuid: id(32), displaySize: 'small', asset: acmeLogo },
            { type: 'video', uuid: id(33), data: { length: 3 } },
          ],
        },
      ],
    })
    expect(whole).toHaveProperty('sections.1.items.1.asset', named['acmeLogo'])
  })

  test('makes one object of an asset that is used twice', async () => {
    const { default: whole, acmeLogo: named } = await module({ kind: 'kit', kit, query: asset }, layout)
    const { sections } = Object(whole)
    expect(sections[0].items[1].asset).toBe(named)
    expect(sections[1].items[1].asset).toBe(named)
  })

  test('exports only the picked names', async () => {
    expect(Object.keys(await module({ kind: 'kit', kit, query: asset, pick: ['heroPhoto'] }, layout))).toEqual([
      'heroPhoto',
    ])
    expect(Object.keys(await module({ kind: 'kit', kit, query: asset, pick: [] }, layout))).toEqual([])
    expect(Object.keys(await module({ kind: 'kit', kit, query: asset, pick: ['acmeRed', 'default'] }, layout))).toEqual(
      ['acmeRed', 'default'],
    )
  })

  test('passes its query to each asset', async () => {
    const { default: whole, ...named } = await module({ kind: 'kit', kit, query: { as: 'url', full: false } }, layout)
    expect(named).toEqual({ acmeLogo: '/acme-logo.svg', heroPhoto: '/hero-photo.jpg', acmeRed: undefined })
    expect(whole).toHaveProperty('sections.0.items.1.asset', '/acme-logo.svg')
  })

  test('uses the export names of the kit for sections and headings', async () => {
    const section = await module({ kind: 'section', kit, section: 'colours', query: asset }, layout)
    expect(Object.keys(section)).toEqual(['acmeLogo', 'acmeRed', 'default'])
    expect(section['default']).toMatchObject({
      uuid: id(3),
      name: 'Colours',
      items: [{ asset: acmeRed }, { asset: acmeLogo }, { type: 'video' }],
    })
    const heading = await module({ kind: 'section', kit, section: 'logos', heading: 'marks', query: asset }, layout)
    expect(heading['default']).toEqual({ uuid: id(22), name: 'Marks', items: [expect.anything(), expect.anything()] })
    const alone = await module(
      { kind: 'section', version: 'use', section: id(3), query: asset, pick: ['acmeRed'] },
      layout,
    )
    expect(alone).toMatchObject({ acmeRed })
  })
})

const one = async (query: Partial<Query>, name = 'hero-photo') =>
  (await module({ kind: 'asset', kit, asset: name, query: { ...asset, ...query } }))['default']

describe('an asset', () => {
  test('has the value that its query selects', async () => {
    expect(await one({})).toEqual(heroPhoto)
    expect(await one({ as: 'url' })).toBe('/hero-photo.jpg')
    expect(await one({ as: 'raw' })).toBe('<raw>')
    expect(await one({ as: 'inline' })).toBe('<inline>')
    expect(await one({ as: 'picture' })).toEqual({
      name: 'Hero Photo',
      src: '/hero-photo.jpg',
      width: 640,
      height: 480,
    })
    const { format: _, src: __, ...metadata } = heroPhoto
    expect(await one({ as: 'metadata' })).toEqual(metadata)
    expect(await one({ cut: { type: 'PNG', orOriginal: false } })).toMatchObject({
      src: '/hero-photo.cut.png',
      format: 'png',
      type: 'JPG',
    })
  })

  test('includes its whole record on request', async () => {
    expect(await one({ full: true })).toEqual({
      ...heroPhoto,
      size: 100,
      fileHash: 'd41d8cd98f00b204e9800998ecf8427e',
      dateAdded: '2025-01-01T00:00:00.000Z',
      thumbnails: {},
      cuts: [],
      presets: [],
      raw: { uuid: id(12), name: 'Hero Photo' },
    })
  })

  test("doesn't have a file if it is data, so a form or key that needs a file is an error", async () => {
    expect(await one({}, 'acme-red')).toEqual(acmeRed)
    expect(await one({ as: 'metadata' }, 'acme-red')).toEqual(acmeRed)
    const cut = { type: 'PNG', orOriginal: false }
    const queries: Partial<Query>[] = [
      { as: 'url' },
      { w: [20] },
      { cut },
      { format: ['webp'] },
      { placeholder: 'blur' },
    ]
    for (const query of queries) await expect(one(query, 'acme-red')).rejects.toMatchObject({ code: 'invalidQuery' })
  })
})

test('kits and outlines', async () => {
  expect((await module({ kind: 'kits' }))['default']).toEqual([
    {
      uuid: id(1),
      name: 'Brand',
      status: 'active',
      useVersion: 1,
      dateAdded: '2025-01-01T00:00:00.000Z',
      dateUpdated: '2025-02-01T00:00:00.000Z',
    },
  ])
  expect((await module({ kind: 'outline', kit }))['default']).toMatchObject({
    uuid: id(1),
    version: 1,
    sections: [
      { uuid: id(2), name: 'Logos', headings: [{ uuid: id(22), name: 'Marks' }] },
      { uuid: id(3), name: 'Colours', headings: [] },
    ],
  })
})

test('include everything that the service sent if the whole record is requested', async () => {
  const [logos, ...others] = brand.sections
  const items = logos?.items.map((item) => ({ ...item, raw: { of: item.uuid } })) ?? []
  const content = {
    record: { ...brand.record, raw: 'kit' },
    version: { ...brand.version, raw: 'version' },
    sections: logos ? [{ ...logos, items, raw: 'section' }, ...others] : [],
  }
  const sentIn = async (request: Request) => (await evaluate(request, source('barrel', content, true)))['default']
  const query = { ...asset, full: true }
  const section = { kind: 'section', kit, section: 'logos', query } as const
  expect(await sentIn({ kind: 'kits' })).toMatchObject([{ uuid: id(1), raw: 'kit' }])
  expect(await sentIn({ kind: 'outline', kit })).toMatchObject({ raw: { kit: 'kit', version: 'version' } })
  expect(await sentIn(section)).toMatchObject({ raw: 'section', items: [{ raw: { of: id(22) } }, {}, {}] })
  expect(await sentIn({ ...section, heading: 'marks' })).toMatchObject({ uuid: id(22), raw: { of: id(22) } })
})

describe('a barrel', () => {
  test('contains only re-exports, and the tree is a separate module', async () => {
    const text = await source('barrel')({ kind: 'kit', kit, query: asset })
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^export \{ default( as \w+)? \} from "content-space:/)
  })

  test('imports one module for an asset through any version selector and section', async () => {
    const assetId = /acmeLogo \} from "([^"]+)"/
    const texts = await Promise.all(
      [kit, { kit: id(1), version: 1 }].flatMap((reference) => [
        source('barrel')({ kind: 'kit', kit: reference, query: asset }),
        source('barrel')({ kind: 'section', kit: reference, section: 'logos', query: asset }),
      ]),
    )
    expect(new Set(texts.map((text) => assetId.exec(text)?.[1])).size).toBe(1)
  })
})

describe('errors', () => {
  test('an error about an unknown export suggests the most similar name', async () => {
    expect(await refusal({ kind: 'kit', kit, query: asset, pick: ['acmeLgoo'] })).toMatchObject({
      code: 'unknownExport',
      hint: expect.stringContaining('Did you mean acmeLogo'),
    })
  })

  test('an error about a cut lists all assets that lack it', async () => {
    const error = await refusal({ kind: 'kit', kit, query: { ...asset, cut: { type: 'PDF', orOriginal: false } } })
    expect(error.code).toBe('fileCutUnavailable')
    expect(error.message).toContain('Hero Photo')
    const picked = await source('barrel')({
      kind: 'kit',
      kit,
      query: { ...asset, cut: { type: 'PDF', orOriginal: false } },
      pick: ['acmeLogo'],
    })
    expect(picked).toContain('acmeLogo')
  })
})

test('a srcset of imported addresses can be dropped, and a srcset of tokens is a plain concatenation', async () => {
  const { assetSource } = await import('../../../src/modules/emit.js')
  const file = { asset: id(12), label: 'Hero Photo', name: 'hero-photo', ext: 'jpg', type: 'JPG' }
  const plan = {
    src: file,
    format: 'jpg',
    srcset: [
      { file, descriptor: '1x' },
      { file, descriptor: '2x' },
    ],
  }
  const imported: References = {
    ...references('barrel'),
    address: () => ({
      code: 'file0',
      import: { local: 'file0', from: 'data:text/javascript,export default "/a.jpg"' },
    }),
  }
  const text = await assetSource(photo, asset, plan, imported)
  expect(text).toContain('/* @__PURE__ */')
  const address = `data:text/javascript;base64,${btoa(text)}`
  expect((await import(address)).default.srcset).toBe('/a.jpg 1x, /a.jpg 2x')
  expect(await assetSource(photo, asset, plan, references('barrel'))).toContain(
    'srcset:"/hero-photo.jpg"+" 1x"+", "+"/hero-photo.jpg"+" 2x"',
  )
})
