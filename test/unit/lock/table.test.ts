import { expect, test } from 'vitest'
import { nameKit } from '../../../src/kit/named-kit.js'
import { addToTable, emptyTable } from '../../../src/lock/table.js'
import { assetRecord, namedKit } from '../../support/declared.js'
import { uuid } from '../../support/lock.js'

/** Locks one asset of a kit, and returns how many records it read that the service sent. */
function recordsRead(count: number): number {
  let read = 0
  const counted = <T extends object>(record: T, sent: object): T =>
    Object.defineProperty({ ...record }, 'raw', {
      enumerable: true,
      get() {
        read++
        return sent
      },
    })
  const { kit } = namedKit(Array.from({ length: count }, (_, at) => assetRecord(at, `Icon ${at}`)))
  const named = nameKit({
    ...kit,
    sections: kit.sections.map((section) => ({
      ...section,
      items: section.items.map((item) => counted(item, { short_id: `item${item.uuid.slice(-4)}` })),
    })),
    assets: Object.fromEntries(
      Object.entries(kit.assets).map(([own, asset]) => [own, counted(asset, { uuid: own, type: 'SVG' })]),
    ),
  })
  read = 0
  const table = addToTable(emptyTable(named), named, { assets: [uuid(3)] }, undefined)
  expect(table.assets[uuid(3)]).toMatchObject({ name: 'icon3', record: { type: 'SVG' } })
  expect(table.items[uuid(5003)]?.shortId).toBe(`item${uuid(5003).slice(-4)}`)
  return read
}

test("locking an asset doesn't read the records of other assets", () => {
  expect(recordsRead(500)).toBeLessThan(20)
})
