import { expect, test } from 'vitest'
import { nameIcons } from '../../../../src/commands/pull/icon-set/icon-names.js'
import { nameKit, type GivenKitNames } from '../../../../src/kit/named-kit.js'
import { assetRecord, id } from '../../../support/memory-space.js'

/** Returns the names of icons by the names of assets, and their former names. */
function namesOf(assets: Record<string, string>, given?: GivenKitNames['assets']) {
  const records = Object.entries(assets).map(
    ([uuid, name]) => [uuid, assetRecord(uuid, name, { type: 'SVG' })] as const,
  )
  const counts = { assets: records.length, items: 0, sections: 0 }
  const head = { uuid: id(1), name: 'Icons', status: 'active', version: 1, versionIdentifier: '1', notes: '' } as const
  const named = nameKit({ ...head, counts, sections: [], assets: Object.fromEntries(records) }, { assets: given ?? {} })
  const { icons, aliases } = nameIcons(named, Object.keys(assets))
  expect(new Set(icons.values()).size).toBe(records.length)
  return [Object.fromEntries([...icons].map(([uuid, icon]) => [assets[uuid], icon])), Object.fromEntries(aliases)]
}
const [one, two, three] = [id(2), id(3), id(4)]
const start = (uuid: string) => uuid.slice(0, 8).toLowerCase()

test("an icon with an accent doesn't rename an icon without one", () => {
  expect(namesOf({ [two]: 'eclair', [one]: '\u00e9clair' })).toEqual([
    { eclair: 'eclair', '\u00e9clair': `eclair-${start(one)}` },
    {},
  ])
})

test('converted names that are the same all get a part of the uuid', () => {
  expect(namesOf({ [one]: '\u00e9clair', [two]: '\u00e8clair', [three]: 'Gr\u00f6\u00dfe' })[0]).toEqual({
    '\u00e9clair': `eclair-${start(one)}`,
    '\u00e8clair': `eclair-${start(two)}`,
    'Gr\u00f6\u00dfe': 'grosse',
  })
})

test("a name with a uuid part is never another icon's name", () => {
  const [icons] = namesOf({ [one]: '\u00e9clair', [two]: 'eclair', [three]: `eclair ${start(one)}` })
  expect(icons).toMatchObject({ [`eclair ${start(one)}`]: `eclair-${start(one)}`, eclair: 'eclair' })
})

test('a former name stays with its icon', () => {
  const given = { [two]: { name: 'eclair', slug: 'eclair' } }
  expect(namesOf({ [one]: '\u00e9clair', [two]: 'Half' }, given)).toEqual([
    { '\u00e9clair': `eclair-${start(one)}`, Half: 'half' },
    { eclair: 'half' },
  ])
})
