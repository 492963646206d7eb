import { expect, test } from 'vitest'
import { loadKit, type LoadedKit } from '../../../src/kit/load.js'
import { contentOf } from '../../../src/disk/content.js'
import { readSnapshot } from '../../../src/catalog/snapshot.js'
import { openSnapshots, type KitStore } from '../../../src/catalog/snapshots.js'
import { hostileTexts } from '../../support/hostile-texts.js'
import { readAsset } from '../../../src/space/wire/asset.js'
import { assetItem, headingItem, id, memoryKit, memorySpace } from '../../support/memory-space.js'

/** An asset's record as a service sends it. */
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

/** Changes the records of assets, which a snapshot has in pairs with their previews. */
function eachAsset(list: unknown, change: (one: Json) => unknown): unknown[] {
  return each(list, ({ 0: record, 1: previews }) => [change(Object(record)), previews])
}

function each(list: unknown, change: (one: Json) => unknown): unknown[] {
  return Array.isArray(list) ? list.map((one: Json) => change(one)) : []
}

const stored = (bytes: Uint8Array) => ({ ...contentOf(bytes), bytes, cached: true, kept: true })

/** Returns a store in memory and its content. */
function memoryStore({ alone }: Pick<KitStore, 'alone'> = { alone: (_, work) => work() }) {
  const entries = new Map<string, Uint8Array>()
  const store: KitStore = {
    async peek(key) {
      const bytes = entries.get(key)
      return bytes && stored(bytes)
    },
    async putParts(key, parts) {
      const chunks: Uint8Array[] = []
      for await (const part of parts) chunks.push(part)
      entries.set(key, Buffer.concat(chunks))
      return stored(Buffer.concat(chunks))
    },
    alone,
  }
  return { entries, snapshots: openSnapshots(store, () => 'space') }
}

/** Runs work one step after another, as locks between processes do. */
function queue(): KitStore['alone'] {
  let last: Promise<unknown> = Promise.resolve()
  return (_, work) => {
    const next = last.then(work)
    last = next
    return next
  }
}

/** Returns the bytes of a kit's snapshot. */
async function bytesOf(kit: LoadedKit): Promise<Uint8Array> {
  const { entries, snapshots } = memoryStore()
  await snapshots.keep(kit)
  return [...entries].find(([key]) => key.startsWith('kit-'))?.[1] ?? Buffer.of()
}

/** Returns the result of reading a snapshot whose bytes in the cache have been changed. */
async function reread(change: (kit: Json) => object): Promise<LoadedKit | undefined> {
  const { kit }: { kit: Json } = JSON.parse(Buffer.from(await bytesOf(await load())).toString())
  return readSnapshot(Buffer.from(JSON.stringify({ kit: change(kit) })))
}

test('is read back unchanged, with any text', async () => {
  const kit = await load()
  expect(await reread((same) => same)).toEqual(kit)
})

test.each<[string, (kit: Json) => object]>([
  [
    'a uuid that is code',
    (kit) => ({ ...kit, assets: eachAsset(kit['assets'], (asset) => ({ ...asset, uuid: 'x } from "a"' })) }),
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
  ['no kit', () => []],
])('is rejected with %s', async (_, change) => {
  expect(await reread(change)).toBeUndefined()
})

test('leaves out a size that is code', async () => {
  const kit = await reread((same) => ({
    ...same,
    assets: eachAsset(same['assets'], (asset) => ({ ...asset, dimensions: '1; hit()', size: '1; hit()' })),
  }))
  expect(Object.values(kit?.assets ?? {})).toHaveLength(hostileTexts.length)
  for (const { width, height, size } of Object.values(kit?.assets ?? {}))
    expect([width, height, size]).toEqual([undefined, undefined, undefined])
})

test('is listed again while the service is processing something', async () => {
  const state = { asset_processing: 'processing' }
  const busy = readAsset({ ...sent, uuid: id(5), name: 'Film', meta: state })
  const filling = { uuid: id(6), type: 'gallery', status: 'active', data: { name: 'New', item_processing: 'pending' } }
  for (const item of [assetItem(id(7), busy), filling]) {
    const kit = memoryKit(id(1), 'Brand', [{ uuid: id(2), name: 'Logos', items: [item] }])
    const listing = { ...memorySpace(() => [kit]), gallery: async () => [] }
    const { snapshots } = memoryStore()
    const listed = () => loadKit(kit.record, 1, { space: listing, strict: true, warn: () => {} })
    await snapshots.keep(await listed())
    expect(await snapshots.last(id(1), 1)).toEqual(await listed())
    expect(await snapshots.once(id(1), 1, load)).toEqual(await load())
  }
})

test('is rejected when it is not JSON', () => {
  expect(readSnapshot(Buffer.from('{'))).toBeUndefined()
})

test.each<[string, (kit: Json) => object]>([
  ['another kit', (kit) => ({ ...kit, uuid: id(9) })],
  ['another version', (kit) => ({ ...kit, version: 2 })],
])('is not found when a process has put %s there', async (_, change) => {
  const { entries, snapshots } = memoryStore()
  const kit = await load()
  await snapshots.keep(kit)
  expect(await snapshots.last(kit.uuid, 1)).toEqual(kit)
  for (const [key, bytes] of entries) {
    const { kit: was }: { kit: Json } = JSON.parse(Buffer.from(bytes).toString())
    entries.set(key, Buffer.from(JSON.stringify({ kit: change(was) })))
  }
  expect(await snapshots.last(kit.uuid, 1)).toBeUndefined()
})

test('of several states of a version, the last one is kept', async () => {
  const { snapshots } = memoryStore()
  const [one, two] = [await load(), { ...(await load()), notes: 'other' }]
  await snapshots.keep(one)
  await snapshots.keep(two)
  expect(await snapshots.last(one.uuid, 1)).toEqual(two)
})

test('a version is listed once by all who need it at the same time', async () => {
  const { snapshots } = memoryStore({ alone: queue() })
  let loads = 0
  const list = () =>
    snapshots.once(id(1), 1, async () => {
      loads++
      const kit = await load()
      await snapshots.keep(kit)
      return kit
    })
  await Promise.all([list(), list(), list()])
  expect(loads).toBe(1)
})
