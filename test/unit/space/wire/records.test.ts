import { expect, test } from 'vitest'
import { parseKit, parseKits, parseOutline } from '../../../../src/space/wire/records.js'

const uuid = '3BD9A8C0-1111-4222-8333-444455556666'
const brand = { kit_uuid: uuid, name: 'Brand' }

test('reads the list of kits under either name', () => {
  for (const result of [
    { kit: [brand] },
    { kits: [brand] },
    { kit: [brand], kits: [brand] },
    { kit: {}, kits: [brand] },
  ])
    expect(parseKits(result)).toMatchObject([{ uuid, name: 'Brand', raw: brand }])
})

test('keeps one of the kits, sections and headers with the same uuid', () => {
  const section = {
    uuid,
    name: 'Logos',
    headers: [
      { uuid, name: 'One' },
      { uuid, name: 'One' },
    ],
  }
  const version = { kit_uuid: uuid, version: 1, sections: [section, section] }
  expect(parseKits({ kit: [brand, brand] })).toHaveLength(1)
  expect(parseOutline({ kit_version: version }).sections).toEqual([
    { uuid, name: 'Logos', headings: [{ uuid, name: 'One' }] },
  ])
})

test.each([
  [() => parseKits({ kit: [brand, { name: 'Icons' }] }), 'list of kits: `kit.1.kit_uuid` is missing.'],
  [() => parseKits({ kits: [{ ...brand, use_version: -1 }] }), 'list of kits: `kit.0.use_version` should be '],
  [() => parseKits({ kits: [{ ...brand, kit_uuid: 'brand' }] }), 'list of kits: `kit.0.kit_uuid` should be a uuid.'],
  [() => parseKits({}), 'list of kits: `kit` '],
  [() => parseKit({ kit: { ...brand, versions: [{}] } }), 'kit: `kit.versions.0.version` is missing.'],
  [() => parseKit({ kit: { ...brand, versions: [{ version: null }] } }), 'kit: `kit.versions.0.version` should be '],
  [() => parseOutline({ kit_version: { kit_uuid: uuid, version: 1 } }), 'outline: `kit_version.sections` is missing.'],
])('names the field of a record that is missing or wrong', (read, message) => {
  expect(read).toThrow(`The service sent an invalid ${message}`)
})
