import { expect, test } from 'vitest'
import { loadKit, type LoadedKit } from '../../../src/kit/load.js'
import { openSnapshots } from '../../../src/catalog/snapshots.js'
import { hostileTexts } from '../../support/hostile-texts.js'
import { assetItem, assetRecord, headingItem, id, memoryKit, memorySpace } from '../../support/memory-space.js'

const items = [
  headingItem(id(4), 'Dark'),
  ...hostileTexts.map((name, at) => assetItem(id(1000 + at), assetRecord(id(2000 + at), name, { notes: name }))),
]
const kept = memoryKit(id(1), 'Brand', [{ uuid: id(2), name: 'Logos', items }])
const space = memorySpace(() => [kept])
const load = () => loadKit(kept.record, 1, { space, strict: true, warn: () => {} })

/** The result of reading a snapshot after its bytes in the cache were changed. */
async function reread(change: (kit: LoadedKit) => object): Promise<unknown> {
  const bytes = Buffer.from(JSON.stringify({ kit: change(await load()) }))
  const store = { peek: async () => ({ bytes, integrity: '' }), put: async () => ({ integrity: '' }) }
  return openSnapshots(store, 'space', false).last(id(1), 1)
}

test('is read back unchanged, with any text', async () => {
  const kit = await load()
  expect(await reread((same) => same)).toEqual(JSON.parse(JSON.stringify(kit)))
})

test.each<[string, (kit: LoadedKit) => object]>([
  [
    'a uuid that is code',
    (kit) => ({
      ...kit,
      assets: Object.fromEntries(
        Object.values(kit.assets).map((asset) => ['x } from "a"', { ...asset, uuid: 'x } from "a"' }]),
      ),
    }),
  ],
  [
    'a size that is code',
    (kit) => ({
      ...kit,
      assets: Object.fromEntries(
        Object.entries(kit.assets).map(([key, asset]) => [key, { ...asset, width: '1; hit()' }]),
      ),
    }),
  ],
  ['an asset that is missing', (kit) => ({ ...kit, assets: {} })],
  [
    'an asset under another uuid',
    (kit) => ({
      ...kit,
      assets: Object.fromEntries(Object.keys(kit.assets).map((key) => [key, Object.values(kit.assets)[0]])),
    }),
  ],
  ['counts of other things', (kit) => ({ ...kit, counts: { ...kit.counts, 'x: hit()': 1 } })],
  ['another kit', (kit) => ({ ...kit, uuid: id(9) })],
  ['another version', (kit) => ({ ...kit, version: 2 })],
  ['no kit', () => []],
])('is rejected with %s', async (_, change) => {
  expect(await reread(change)).toBeUndefined()
})

test('is rejected when it is not JSON', async () => {
  const snapshots = openSnapshots(
    { peek: async () => ({ bytes: Buffer.from('{'), integrity: '' }), put: async () => ({ integrity: '' }) },
    'space',
    false,
  )
  expect(await snapshots.last(id(1), 1)).toBeUndefined()
})
