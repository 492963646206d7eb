import { expect } from 'vitest'
import {
  assetItem,
  assetUuid,
  contentService,
  headingItem,
  kitUuid,
  logo,
  upload,
} from '../../support/content-service.js'
import { halves } from '../../support/pictures.js'
import { moduleOf } from '../module.js'
import type { Row } from '../row.js'

export const records: Row[] = [
  {
    row: 43,
    fault: 'type=asset without `asset`; asset_uuid null',
    must: 'warn + skip; strict fails',
    async run(bench) {
      const good = upload(1, 'Acme Logo')
      const items = [
        assetItem(0, undefined),
        assetItem(1, null, { asset_uuid: null }),
        assetItem(2, {}, { asset_uuid: null }),
        assetItem(3, good.record),
      ]
      const { module, warnings } = await moduleOf(bench, { uploads: [good], items })
      expect(Object.keys(module)).toEqual(['acmeLogo', 'default'])
      expect(warnings).toHaveLength(1)
      for (const number of [0, 1, 2]) expect(warnings[0]).toContain(`17E30000-1111-4222-8333-00000000000${number}`)
      const error = await bench.failure(moduleOf(bench, { uploads: [good], items }, undefined, { strict: true }))
      expect(error).toMatchObject({ code: 'invalidResponse', facts: { kit: kitUuid, importer: 'main.js' } })
      return 'three items are left out, and one warning names them; strict: invalidResponse'
    },
  },
  {
    row: 44,
    fault: 'unknown item type/status; extra fields',
    must: 'preserve, typed unknown, warn once',
    async run(bench) {
      const good = upload(1, 'Acme Logo', 'SVG', logo, { legacy_id: 12, nested: { b: [1], a: null } })
      const odd = [1, 2, 3].map((number) => ({
        ...headingItem(number),
        type: 'video',
        data: { length: number, codec: { name: 'av1' } },
      }))
      const items = [
        assetItem(0, good.record, { extra: true }),
        ...odd,
        headingItem(4, { status: 'archived' }),
        headingItem(5, { status: 'archived' }),
      ]
      for (const strict of [false, true]) {
        const { module, warnings } = await moduleOf(
          bench,
          { uploads: [good], items, kit: { extra: 1 }, section: { extra: [] } },
          undefined,
          { strict },
        )
        const kit = JSON.parse(JSON.stringify(module['default']))
        const shown: { type: string; data?: unknown; asset?: { raw: unknown } }[] = kit.sections[0].items
        expect(shown.slice(1)).toMatchObject(
          [1, 2, 3].map((number) => ({ type: 'video', data: { length: number, codec: { name: 'av1' } } })),
        )
        expect(shown).toHaveLength(4)
        expect(shown[0]?.asset?.raw).toEqual(good.record)
        expect(warnings).toHaveLength(1)
        expect(warnings[0]).toMatch(/video/)
        expect(warnings[0]).toMatch(/archived/)
      }
      return 'three items of type video are kept with their data, unknown fields are in `raw`; archived items are left out; one warning names both, strict or not'
    },
  },
  {
    row: 45,
    fault: 'size null/string, dimensions `"0x0"`, `"1e9x1"`, absent meta',
    must: 'undefined fields; no NaN',
    async run(bench) {
      const odd = ['0x0', '1e9x1', '0x10', '-5x5', 'x', '24', 24, null, '24x24x24', 'NaNxNaN', '٣x٣']
      const uploads = odd.map((dimensions, at) =>
        upload(at, `Mark ${at}`, 'SVG', logo, {
          dimensions,
          size: [null, '12', -1, 1.5, 'NaN'][at % 5],
          meta: at % 2 ? null : undefined,
          file_hash: null,
        }),
      )
      const { module, warnings } = await moduleOf(bench, { uploads })
      for (const [at] of odd.entries()) {
        const asset = Object(module[`mark${at}`])
        expect([asset.width, asset.height, asset.size], JSON.stringify(odd[at])).toEqual([
          undefined,
          undefined,
          undefined,
        ])
        expect(asset.src).toBe(`/mark-${at}.svg`)
      }
      const text = JSON.stringify(module, (_, value: unknown) => (Number.isNaN(value) ? 'NaN!' : value))
      expect(text).not.toContain('NaN!')
      expect(warnings).toEqual([])
      return `${odd.length} assets without width, height and size; all other fields are kept`
    },
  },
  {
    row: 46,
    fault: 'keywords array; colors odd',
    must: 'unknown, no throw',
    async run(bench) {
      const keywords = [['a', ' b ', 3, null], 'a, b,,', null, 7, { a: 1 }, [['a']]]
      const colors = [['#fff', { hex: '#ABC' }, 3, null], 'red', null, { a: 1 }, [[]], [{ hue: 'x' }]]
      const uploads = keywords.map((value, at) =>
        upload(at, `Mark ${at}`, 'SVG', logo, { keywords: value, colors: colors[at] }),
      )
      const { module } = await moduleOf(bench, { uploads })
      const shown = keywords.map((_, at) => Object(module[`mark${at}`]))
      expect(shown.map((asset) => asset.keywords)).toEqual([['a', 'b'], ['a', 'b'], [], [], [], []])
      expect(shown.map((asset) => asset.colors)).toEqual([
        ['#fff', { hex: '#ABC' }, 3, null],
        [],
        [],
        [],
        [[]],
        [{ hue: 'x' }],
      ])
      return 'strings in the list of keywords are kept, colors are unchanged, any other value is an empty list'
    },
  },
  {
    row: 47,
    fault: 'uuid lower-case, braces, file_id upper',
    must: 'compare case-folded; request canonical; bad form fails before network',
    async run(bench) {
      const uuid = assetUuid(0xabc)
      const asset = upload(0xabc, 'Acme Logo', 'SVG', logo, {
        uuid: `{${uuid.toLowerCase()}}`,
        file_id: 'ABCDEF12-0000-4000-8000-00000000000A',
      })
      const content = {
        uploads: [{ ...asset, record: { ...asset.record, uuid } }],
        items: [assetItem(1, asset.record)],
        kit: { kit_uuid: kitUuid.toLowerCase() },
        outline: { kit_uuid: `{${kitUuid.toLowerCase()}}` },
      }
      for (const id of [uuid, uuid.toLowerCase(), `%7B${uuid.toLowerCase()}%7D`]) {
        const { module, server } = await moduleOf(bench, content, `content-space:asset/brand/${id}?metadata=full`, {
          kits: { brand: kitUuid.toLowerCase() },
        })
        expect(module['default']).toMatchObject({ uuid, fileId: 'abcdef12-0000-4000-8000-00000000000a' })
        for (const { url } of server.requests) expect(url).not.toMatch(/3bd9a8c0|%7B/)
      }
      const server = await bench.serve(contentService(content))
      await bench.pull(server.url)
      expect(server.requests.map(({ url }) => url)).toContain(`/1/assets/${uuid}/download`)
      for (const bad of [uuid.slice(1), `${uuid}0`, uuid.replaceAll('-', ''), uuid.replace('A', 'G')]) {
        const unasked = await bench.serve(contentService(content))
        expect(await bench.failure(moduleOf(bench, unasked, `content-space:asset/${bad}`))).toMatchObject({
          code: 'invalidId',
          facts: { importer: 'main.js' },
        })
        expect(unasked.requests).toEqual([])
      }
      return `every form is requested as ${uuid}; four bad forms: invalidId, no request`
    },
  },
  {
    row: 48,
    fault: 'asset type `png`; cut `JPEG`',
    must: 'normalise aliases',
    async run(bench) {
      const picture = halves(9, 9)
      const [png, jpg] = [await picture.clone().png().toBuffer(), await picture.clone().jpeg().toBuffer()]
      const meta = { filecuts: { available_types: [{ type: 'jpeg', enabled: true, resizable: false }], presets: [] } }
      const content = {
        uploads: [
          upload(1, 'One', 'png', png, { meta }, { jpg }),
          upload(2, 'Two', 'Jpeg', jpg),
          upload(3, 'Three', 'svg', logo),
        ],
      }
      const { module } = await moduleOf(bench, content)
      const shown = ['one', 'two', 'three'].map((name) => Object(module[name]))
      expect(shown.map(({ type, format }) => `${type} ${format}`)).toEqual(['PNG png', 'JPG jpg', 'SVG svg'])
      for (const cut of ['jpeg', 'JPG', 'JPEG']) {
        const server = await bench.serve(contentService(content))
        const { kits } = await bench.pull(server.url, {}, { cut, assets: ['one'] })
        expect(kits[0]?.written).toContain('logos/one.jpg')
        expect(server.requests.at(-1)?.url).toContain('?type=jpg')
      }
      return 'png, Jpeg and svg are PNG, JPG and SVG; cut=jpeg, JPG and JPEG request type=jpg'
    },
  },
]
