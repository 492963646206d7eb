import { fc } from '../../../support/random.js'
import { describe, expect, test } from 'vitest'
import { nameKit, type GivenKitNames } from '../../../../src/kit/named-kit.js'
import { foldName } from '../../../../src/text/letters.js'
import { planAll } from '../../../../src/modules/plans.js'
import { layOut, safeName, type PlacedAsset } from '../../../../src/commands/pull/layout.js'
import { parseQuery } from '../../../../src/request/query.js'
import type { AssetRecord } from '../../../../src/space/space.js'
import { assetRecord, id } from '../../../support/memory-space.js'

/** Returns a kit with one section that contains the given assets. */
function placed(
  assets: readonly Partial<AssetRecord>[],
  query = '',
  section = 'Logos',
  given: GivenKitNames = {},
  isNative = false,
): PlacedAsset[] {
  const records = assets.map((asset, at) => assetRecord(id(at + 1), `Asset ${at}`, asset))
  const named = nameKit(
    {
      uuid: id(100),
      name: 'Kit',
      status: 'active',
      version: 1,
      versionIdentifier: '',
      notes: '',
      counts: { assets: records.length, items: records.length, sections: 1 },
      sections: [
        {
          uuid: id(101),
          name: section,
          counts: { assets: 0, items: 0 },
          items: records.map(({ uuid }, at) => ({ type: 'asset', uuid: id(200 + at), asset: uuid })),
        },
      ],
      assets: Object.fromEntries(records.map((record) => [record.uuid, record])),
    },
    given,
  )
  return layOut(named, planAll(records, parseQuery(query), 'sanitize'), false, isNative)
}

const paths = (assets: readonly PlacedAsset[]): string[] =>
  assets.flatMap(({ files }) => [...files.values()].map(({ path }) => path))

describe('names', () => {
  test.each(['con', 'nul', 'com1', 'lpt9', 'aux', 'prn'])(
    'reserved for devices get the start of the uuid: %s',
    (name) => {
      expect(paths(placed([{ name }]))).toEqual([`logos/${name}-00000001.svg`])
    },
  )

  test('that are very long stay distinct, and within the limits of file systems', () => {
    const names = paths(placed([{ name: 'größe '.repeat(60) }, { name: `${'größe '.repeat(60)}b` }]))
    expect(new Set(names).size).toBe(2)
    expect(names.every((name) => Buffer.byteLength(name) < 230)).toBe(true)
  })

  test('that differ only in case stay distinct where case is ignored', () => {
    const names = paths(placed([{ name: 'Arrow' }, { name: 'ARROW' }, { name: 'arrow' }]))
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(3)
  })

  test('that are equal on some disks stay distinct', () => {
    const names = placed([
      { name: 'Straße' },
      { name: 'Strasse' },
      { name: 'ﬁx' },
      { name: 'fix' },
      { name: 'ΟΔΟΣ' },
      { name: 'οδοσ' },
    ]).map(({ stem }) => foldName(stem))
    expect(new Set(names).size).toBe(6)
  })

  test('that were made safe stay distinct from equal names that were already safe', () => {
    const long = 'n'.repeat(200)
    const safe = safeName(long, id(2))
    const stems = placed([{ name: 'con' }, { name: long }, { name: 'con 00000001' }, { name: safe }]).map(
      ({ stem }) => stem,
    )
    expect(new Set(stems.map((stem) => stem.toLowerCase())).size).toBe(4)
  })

  test('that a lock has given twice stay distinct', () => {
    const given = Object.fromEntries([1, 2].map((number) => [id(number), { name: `same${number}`, slug: 'same' }]))
    const stems = placed([{ name: 'Same' }, { name: 'same!' }], '', 'Logos', { assets: given }).map(({ stem }) => stem)
    expect(stems).toEqual([`logos/same-${id(1).toLowerCase()}`, `logos/same-${id(2).toLowerCase()}`])
  })

  test('of scripts never replace a module', () => {
    expect(
      paths(
        placed([
          { name: 'Player', type: 'JS' },
          { name: 'Clip', type: 'TS' },
        ]),
      ),
    ).toEqual([
      expect.stringMatching(/^logos\/player-[\da-f]{8}\.js$/),
      expect.stringMatching(/^logos\/clip-[\da-f]{8}\.ts$/),
    ])
  })

  test('of several files of one asset never collide with those of another asset', () => {
    const names = paths(
      placed(
        [
          { name: 'Hero', type: 'PNG', width: 900 },
          { name: 'Hero 640', type: 'PNG', width: 900 },
        ],
        'w=640;800&format=webp',
      ),
    )
    expect(names).toEqual([
      'logos/hero-640.webp',
      'logos/hero-800.webp',
      'logos/hero-640-640.webp',
      'logos/hero-640-800.webp',
    ])
  })

  test('stay inside the folder, whatever names authors write', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { minLength: 1, maxLength: 4 }),
        fc.string({ unit: 'binary', maxLength: 20 }),
        (names, section) => {
          const all = paths(
            placed(
              names.map((name) => ({ name })),
              '',
              section,
            ),
          )
          expect(new Set(all.map((path) => path.normalize('NFC').toLowerCase())).size).toBe(names.length)
          for (const path of all) expect(path).toMatch(/^[\p{L}\p{N}\p{M}_-]+\/[\p{L}\p{N}\p{M}_-]+\.svg$/u)
        },
      ),
    )
  })

  test('are truncated between characters', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), (shift) => {
        const name = safeName('a'.repeat(shift) + '𝒳'.repeat(80), id(1))
        expect(name).not.toContain('\uFFFD')
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(180)
      }),
    )
  })
})

/**
 * Returns the name of an Android resource, without the density, as React Native's `getAndroidResourceIdentifier` does.
 */
const resource = (path: string): string =>
  `src/content/${path}`
    .replace(/(?:@[\d.]+x)?\.\w+$/, '')
    .toLowerCase()
    .replaceAll('/', '_')
    .replace(/[^a-z0-9_]/g, '')

describe('names for React Native', () => {
  test.each<[names: string[], section: string, expected: RegExp[]]>([
    [['Arrow Left', 'Arrowleft'], 'Icons', [/^icons\/arrow_left\.png$/, /^icons\/arrowleft\.png$/]],
    [['ファイル', 'ユーザー'], 'Icons', [/^icons\/asset_00000001\.png$/, /^icons\/asset_00000002\.png$/]],
    [['Über', 'Uber'], 'Icons', [/^icons\/uber_00000001\.png$/, /^icons\/uber_00000002\.png$/]],
    [['Größe'], 'アイコン', [/^アイコン\/gro_e\.png$/]],
  ])('stay apart by the rules of Android: %j in %s', (names, section, expected) => {
    const assets = names.map((name) => ({ name, type: 'PNG' }))
    const found = paths(placed(assets, '', section, {}, true))
    expect(found).toEqual(expected.map((pattern) => expect.stringMatching(pattern)))
    expect(new Set(found.map(resource)).size).toBe(names.length)
  })

  test('keep densities at the end, where Metro looks for them', () => {
    const [logo] = placed([{ name: 'Logo 2', width: 90, height: 90 }], 'w=10&dpr=1;2&format=png', 'Logos', {}, true)
    expect(paths(logo ? [logo] : [])).toEqual(['logos/logo_2.png', 'logos/logo_2@2x.png'])
    // Modules keep the names that other projects use.
    expect(logo?.stem).toBe('logos/logo-2')
  })

  test('stay apart for names in any script', () => {
    const name = fc.stringMatching(/^[\p{L}\p{N} -]{1,8}$/u)
    fc.assert(
      fc.property(fc.array(name, { maxLength: 6 }), name, (names, section) => {
        const found = paths(
          placed(
            names.map((one) => ({ name: one, type: 'PNG' })),
            '',
            section,
            {},
            true,
          ),
        )
        expect(new Set(found.map(resource)).size).toBe(names.length)
        for (const path of found) expect(path).toMatch(/\/[a-z0-9_]+\.png$/)
      }),
    )
  })
})
