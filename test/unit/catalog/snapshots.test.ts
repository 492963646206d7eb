import { expect, test } from 'vitest'
import { loadKit, type LoadedKit } from '../../../src/kit/load.js'
import { contentOf } from '../../../src/files/store.js'
import { openSnapshots } from '../../../src/catalog/snapshots.js'
import { hostileTexts } from '../../support/hostile-texts.js'
import { readAsset } from '../../../src/space/wire/asset.js'
import { assetItem, headingItem, id, memoryKit, memorySpace } from '../../support/memory-space.js'

/** The record of an asset as a service sends it. */
const sent = {
  type: 'SVG',
  keywords: 'logo, main',
  colors: [{ hue: 1 }],
  dimensions: '24x48',
  size: 100,
  file_hash: 'd41d8cd98f00b204e9800998ecf8427e',
  date_added: '2020-01-01 00:00:00.000000+0000',
  thumbnails: { 292: 'https://example.com/292' },
}

const items = [
  headingItem(id(4), 'Dark'),
  ...hostileTexts.map((name, at) =>
    assetItem(id(1000 + at), readAsset({ ...sent, uuid: id(2000 + at), name, notes: name, meta: { [name]: name } })),
  ),
]
const kept = memoryKit(id(1), 'Brand', [{ uuid: id(2), name: 'Logos', items }])
const space = memorySpace(() => [kept])
const load = () => loadKit(kept.record, 1, { space, strict: true, warn: () => {} })

type Json = Record<string, unknown>

function each(list: unknown, change: (one: Json) => unknown): unknown[] {
  return Array.isArray(list) ? list.map((one: Json) => change(one)) : []
}

/** The result of reading a snapshot after its bytes in the cache were changed. */
async function reread(change: (kit: Json) => object): Promise<LoadedKit | undefined> {
  const { bytes } = await keptIn(await load())
  const { kit }: { kit: Json } = JSON.parse(Buffer.from(bytes).toString())
  return last(Buffer.from(JSON.stringify({ kit: change(kit) })))
}

const context = { space: 'space', offline: false, isAsLocked: () => true }

const alone = <T>(_: string, work: () => Promise<T>): Promise<T> => work()

/** Keeps a kit in a store. */
async function keptIn(kit: LoadedKit): Promise<{ bytes: Uint8Array }> {
  const written: Uint8Array[] = []
  const store = {
    peek: async () => undefined,
    put: async () => ({ integrity: '' }),
    alone,
    async putParts(_: string, parts: AsyncIterable<Uint8Array>) {
      for await (const part of parts) written.push(part)
      return contentOf(Buffer.concat(written))
    },
  }
  await openSnapshots(store, context).keep(kit, kept.record)
  return { bytes: Buffer.concat(written) }
}

function last(bytes: Uint8Array): Promise<LoadedKit | undefined> {
  const store = {
    peek: async () => ({ bytes, integrity: '' }),
    put: async () => ({ integrity: '' }),
    alone,
    putParts: async () => contentOf(bytes),
  }
  return openSnapshots(store, context).last(id(1), 1)
}

test('is read back unchanged, with any text', async () => {
  const kit = await load()
  expect(await reread((same) => same)).toEqual(kit)
})

test.each<[string, (kit: Json) => object]>([
  [
    'a uuid that is code',
    (kit) => ({ ...kit, assets: each(kit['assets'], (asset) => ({ ...asset, uuid: 'x } from "a"' })) }),
  ],
  [
    'a uuid of a section that is code',
    (kit) => ({ ...kit, sections: each(kit['sections'], (one) => ({ ...one, uuid: 'x } from "a"' })) }),
  ],
  [
    'a uuid of an item that is code',
    (kit) => ({
      ...kit,
      sections: each(kit['sections'], (section) => ({
        ...section,
        items: each(section['items'], (item) => ({ ...item, uuid: 'x } from "a"' })),
      })),
    }),
  ],
  ['an asset that is missing', (kit) => ({ ...kit, assets: [] })],
  [
    'an asset in the place of others',
    ({ assets, ...kit }) => ({ ...kit, assets: each(assets, () => each(assets, (one) => one)[0]) }),
  ],
  ['assets that are no list', (kit) => ({ ...kit, assets: {} })],
  ['counts of other things', (kit) => ({ ...kit, counts: { ...Object(kit['counts']), 'x: hit()': 1 } })],
  ['another kit', (kit) => ({ ...kit, uuid: id(9) })],
  ['another version', (kit) => ({ ...kit, version: 2 })],
  ['no kit', () => []],
])('is rejected with %s', async (_, change) => {
  expect(await reread(change)).toBeUndefined()
})

test('leaves out a size that is code', async () => {
  const kit = await reread((same) => ({
    ...same,
    assets: each(same['assets'], (asset) => ({ ...asset, dimensions: '1; hit()', size: '1; hit()' })),
  }))
  expect(Object.values(kit?.assets ?? {})).toHaveLength(hostileTexts.length)
  for (const { width, height, size } of Object.values(kit?.assets ?? {}))
    expect([width, height, size]).toEqual([undefined, undefined, undefined])
})

test('is rejected when it is not JSON', async () => {
  expect(await last(Buffer.from('{'))).toBeUndefined()
})
