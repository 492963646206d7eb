import { describe, expect, test } from 'vitest'
import { compare, differences } from '../../../../src/commands/shared/changes/compare.js'
import { sideOf, lockedSide, type Side } from '../../../../src/commands/shared/changes/side.js'
import type { LoadedKit } from '../../../../src/kit/load.js'
import { nameKit } from '../../../../src/kit/named-kit.js'
import type { AssetRecord } from '../../../../src/space/space.js'

const record = (uuid: string, name: string, more: Partial<AssetRecord> = {}): AssetRecord => ({
  uuid,
  name,
  type: 'SVG',
  notes: '',
  keywords: [],
  colors: [],
  size: 10,
  fileHash: `hash of ${uuid}`,
  thumbnails: {},
  presets: [],
  meta: {},
  raw: {},
  ...more,
})

function edition(version: number, ...records: AssetRecord[]): Side {
  const items = records.map(({ uuid }) => ({ type: 'asset' as const, uuid: `item ${uuid}`, asset: uuid }))
  const kit: LoadedKit = {
    uuid: 'K',
    name: 'Kit',
    status: 'active',
    version,
    versionIdentifier: '',
    notes: '',
    counts: { assets: 0, items: 0, sections: 1 },
    sections: [{ uuid: 'S', name: 'Section', counts: { assets: 0, items: 0 }, items }],
    assets: Object.fromEntries(records.map((one) => [one.uuid, one])),
  }
  return sideOf(nameKit(kit))
}

const uuids = (before: Side, after: Side) => {
  const pairs = compare(before, after)
  return differences.map((one) => pairs.filter(({ word }) => word === one).map(({ uuid }) => uuid))
}

const [a, b, c] = [record('A', 'Apple'), record('B', 'Bee'), record('C', 'Cat')]

describe('compare', () => {
  test.each<[string, Side, Side, string[][]]>([
    ['nothing', edition(1, a, b), edition(2, a, b), [[], [], [], []]],
    ['another order', edition(1, a, b, c), edition(2, c, a, b), [[], [], [], []]],
    ['other notes', edition(1, a), edition(2, { ...a, notes: 'new', dateUpdated: '2024' }), [[], [], [], []]],
    ['what comes and goes', edition(1, a, b), edition(2, b, c), [['C'], ['A'], [], []]],
    ['another name', edition(1, a), edition(2, { ...a, name: 'Pear' }), [[], [], ['A'], []]],
    ['a name that is spelt otherwise', edition(1, a), edition(2, { ...a, name: 'APPLE' }), [[], [], ['A'], []]],
    [
      'another export, for a namesake came',
      edition(1, a),
      edition(2, a, { ...b, name: 'Apple' }),
      [['B'], [], ['A'], []],
    ],
    ['another file', edition(1, a), edition(2, { ...a, fileHash: 'other' }), [[], [], [], ['A']]],
    [
      'another name and another file',
      edition(1, a),
      edition(2, { ...a, name: 'Pear', fileHash: 'other' }),
      [[], [], ['A'], ['A']],
    ],
    ['a hash that was not known', edition(1, { ...a, fileHash: undefined }), edition(2, a), [[], [], [], []]],
    [
      'another size, without hashes',
      edition(1, { ...a, fileHash: undefined }),
      edition(2, { ...a, fileHash: undefined, size: 11 }),
      [[], [], [], ['A']],
    ],
    [
      'other data',
      edition(1, { ...a, type: 'Color', size: 0, fileHash: undefined, meta: { value: '#f00' } }),
      edition(2, { ...a, type: 'Color', size: 0, fileHash: undefined, meta: { value: '#00f' } }),
      [[], [], [], ['A']],
    ],
    [
      'another color',
      edition(1, { ...a, type: 'COLOR', size: 0, fileHash: undefined, colors: [{ hue: 1 }] }),
      edition(2, { ...a, type: 'COLOR', size: 0, fileHash: undefined, colors: [{ hue: 2 }] }),
      [[], [], [], ['A']],
    ],
  ])('classifies changes: %s', (_, before, after, expected) => expect(uuids(before, after)).toEqual(expected))

  test('compares with the lockfile alone, except assets that are already gone', () => {
    const [apple, bee, cat] = ['000000000001', '000000000002', '000000000003'].map(
      (end) => `237C41F2-AAAA-4BBB-8CCC-${end}`,
    )
    const assets = {
      [String(apple)]: { name: 'apple', slug: 'apple', record: { file_hash: '01' } },
      [String(bee)]: { name: 'bee', slug: 'bee', record: { file_hash: '02' } },
      [String(cat)]: { name: 'cat', slug: 'cat', lastSeen: { version: 1, versionIdentifier: '' } },
    }
    const table = { label: '', sections: {}, items: {}, assets }
    const side = lockedSide('K', { name: 'Kit', slug: 'kit', versions: { 0: table } }, 0)
    expect(side.isPartial).toBe(true)
    expect([...side.assets].map(([uuid, { hash }]) => [uuid, hash])).toEqual([
      [apple, '01'],
      [bee, '02'],
    ])
  })
})
