import { describe, expect, test, vi } from 'vitest'
import { agreeOnNames } from '../../../src/kit/chosen-names.js'
import type { LoadedKit } from '../../../src/kit/load.js'
import { kitCollection, nameKit, type GivenKitNames } from '../../../src/kit/named-kit.js'
import { assetRecord, id } from '../../support/memory-space.js'

const icon = '9AA35486-0B1E-4F6D-8A77-0123456789AB'
const color = '151364A9-0B1E-4F6D-8A77-0123456789AB'
const leaf = id(3)

function kitOf(assets: [uuid: string, name: string, type: string, section: string][]): LoadedKit {
  const sections = [...new Set(assets.map(([, , , section]) => section))]
  return {
    uuid: id(1),
    name: 'Brand',
    status: 'active',
    version: 1,
    versionIdentifier: '1.0',
    notes: '',
    counts: { assets: assets.length, items: assets.length, sections: sections.length },
    sections: sections.map((name, at) => {
      const own = assets.filter(([, , , section]) => section === name)
      return {
        uuid: id(100 + at),
        name,
        counts: { assets: own.length, items: own.length },
        items: own.map(([asset]) => ({ type: 'asset', uuid: asset, displaySize: undefined, asset })),
      }
    }),
    assets: Object.fromEntries(assets.map(([uuid, name, type]) => [uuid, assetRecord(uuid, name, { type })])),
  }
}

const kit = kitOf([
  [icon, 'Sun', 'SVG', 'Icons'],
  [color, 'Sun', 'COLOR', 'Colors'],
  [leaf, 'Leaf', 'SVG', 'Icons'],
])
const choose = (names: Record<string, string>, given?: GivenKitNames) =>
  nameKit(kit, given, { alias: 'brand', names: new Map(Object.entries(names)) })
const exportsOf = (...args: Parameters<typeof choose>) => [...kitCollection(choose(...args)).exports.keys()]
const locked = (names: Record<string, { name: string; slug: string; aliases?: { name: string; slug: string }[] }>) => ({
  assets: names,
})

describe('names that the project gives', () => {
  test('are found by uuid and by slug, and leave slugs unchanged', () => {
    expect(exportsOf({ [icon]: 'sunIcon', 'sun-151364a9': 'sunColor' })).toEqual(['leaf', 'sunColor', 'sunIcon'])
    expect(choose({ [icon]: 'sunIcon' }).assets.get(icon)?.slug).toBe('sun-9aa35486')
  })

  test('may be the plain name that no asset has because of a collision', () => {
    expect(exportsOf({ [icon]: 'sun' })).toEqual(['leaf', 'sun', 'sun_151364A9'])
  })

  test('keep the name in the lockfile as a former one', () => {
    const before = locked({ [icon]: { name: 'sun', slug: 'sun' } })
    expect(choose({ [icon]: 'sunIcon' }, before).assets.get(icon)).toEqual({
      name: 'sunIcon',
      slug: 'sun',
      aliases: [{ name: 'sun', slug: 'sun' }],
    })
    expect(choose({}, locked({ [icon]: { name: 'sunIcon', slug: 'sun' } })).assets.get(icon)?.aliases).toEqual([
      { name: 'sunIcon', slug: 'sun' },
    ])
  })

  test.each([
    [
      'a name of another asset',
      { [icon]: 'LEAF' },
      {},
      /gives asset 9AA35486.* the name LEAF, which asset Leaf .* has/,
    ],
    [
      'a former name of another asset',
      { [icon]: 'oldLeaf' },
      locked({ [leaf]: { name: 'leaf', slug: 'leaf', aliases: [{ name: 'oldLeaf', slug: 'old-leaf' }] } }),
      /oldLeaf, which asset Leaf .*update brand --rename/s,
    ],
    [
      'the former name of an asset with another chosen name',
      { [icon]: 'sunIcon', [color]: 'sun' },
      locked({ [icon]: { name: 'sun', slug: 'sun' } }),
      /the name sun, which asset Sun/,
    ],
    ['a name of a removed asset', { [icon]: 'gone' }, locked({ [id(9)]: { name: 'gone', slug: 'gone' } }), /gone/],
    ['two names for one asset', { [icon]: 'one', 'sun-9aa35486': 'two' }, {}, /two names: one and two/],
    ['a slug of two assets', { sun: 'one' }, {}, /More than one asset of kit Brand.*is called sun/],
  ])('%s is an error', (_, names, given, message) => {
    expect(() => choose(names, given)).toThrow(message)
  })

  test('of an unknown asset are reported with the nearest one, unless the lockfile has it', () => {
    const [error] = choose({ leef: 'leafIcon' }).chosen.unknown
    expect(error?.code).toBe('assetNotFound')
    expect(error?.message).toMatch(/no asset leef in kit Brand.*kits\.brand\.names.*\nDid you mean leaf \(Leaf/)
    expect(choose({ gone: 'lost' }, locked({ [id(9)]: { name: 'x', slug: 'gone' } })).chosen.unknown).toEqual([])
  })

  test('of two aliases of one kit must be the same', () => {
    const [one, two] = [
      { alias: 'a', names: new Map([['x', 'y']]) },
      { alias: 'b', names: new Map([['x', 'z']]) },
    ]
    expect(agreeOnNames([one, { ...one, alias: 'b' }])?.names.get('x')).toBe('y')
    expect(() => agreeOnNames([one, two])).toThrow(
      /kits\.a and kits\.b are the same kit, but give its assets different names/,
    )
    const swapped = [
      { alias: 'c', names: new Map([...one.names, ['z', 'w']]) },
      { alias: 'd', names: new Map() },
    ]
    const other = {
      alias: 'e',
      names: new Map([
        ['x', 'w'],
        ['z', 'y'],
      ]),
    }
    expect(() => agreeOnNames([...swapped, other])).toThrow(/kits\.c and kits\.e are the same kit/)
  })

  test('of two aliases of one kit may be empty, and may have slugs and uuids as keys', () => {
    const bySlug = { alias: 'a', names: new Map([['sun-9aa35486', 'sunIcon']]) }
    const byUuid = { alias: 'b', names: new Map([[icon, 'sunIcon']]) }
    const none = { alias: 'c', names: new Map<string, string>() }
    expect(agreeOnNames([none, bySlug])).toEqual(bySlug)
    expect(nameKit(kit, {}, agreeOnNames([bySlug, none, byUuid])).chosen.byAsset).toEqual(new Map([[icon, 'sunIcon']]))
    const leafToo = { alias: 'd', names: new Map([[leaf, 'sunIcon']]) }
    expect(() => nameKit(kit, {}, agreeOnNames([bySlug, leafToo]))).toThrow(
      /kits\.a\.names and another alias of the kit give the name sunIcon to 9AA35486/,
    )
  })
})

describe('suggested names', () => {
  test('distinguish assets with the same name by section, heading, or type, or else by number', () => {
    expect(Object.fromEntries(choose({}).suggested)).toEqual({ [color]: 'sunColors', [icon]: 'sunIcons' })
    const sameSection = kitOf([
      [icon, 'Sun', 'SVG', 'All'],
      [color, 'SUN', 'COLOR', 'All'],
    ])
    expect([...nameKit(sameSection).suggested.values()]).toEqual(['SUNColor', 'sunSvg'])
    const same = kitOf([
      [icon, 'Sun', 'SVG', 'All'],
      [color, 'Sun', 'SVG', 'All'],
      [leaf, 'Sun 1', 'SVG', 'All'],
    ])
    expect([...nameKit(same).suggested.values()]).toEqual(['sun2', 'sun3'])
  })

  test('are numbers in the order of uuids, and take a few steps for each of many assets with the same name', () => {
    const count = 1000
    const icons = Array.from({ length: count }, (_, at): [string, string, string, string] => [
      id(1000 + at),
      'Icon',
      'SVG',
      'All',
    ])
    const has = vi.spyOn(Set.prototype, 'has')
    const { suggested } = nameKit(kitOf(icons))
    const steps = has.mock.calls.length
    has.mockRestore()
    const uuids = icons.map(([uuid]) => uuid).toSorted()
    expect([...suggested]).toEqual(uuids.map((uuid, at) => [uuid, `icon${at + 1}`]))
    expect(steps).toBeLessThan(50 * count)
  })

  test('are not made for named assets, and for assets without letters', () => {
    expect([...choose({ [icon]: 'sunIcon' }).suggested.values()]).toEqual(['sunColors'])
    expect(nameKit(kitOf([[icon, '🙂', 'SVG', 'All']])).suggested.size).toBe(0)
  })
})
