import type { LockedSummary } from '../lock/schema.js'
import type { KitRecord } from '../space/space.js'
import { sortKeys } from '../space/wire/sort-keys.js'
import { compareStrings } from '../text/compare.js'
import { omitUndefined } from '../text/omit-undefined.js'

/** Returns the list of kits for the lockfile. */
export function lockedList(kits: readonly KitRecord[]): Record<string, LockedSummary> {
  return Object.fromEntries(
    kits.map(({ uuid, name, description, status, useVersion, dateAdded, dateUpdated, cover, raw }, at) => {
      const known = { at, name, description, status, useVersion, dateAdded, dateUpdated, cover }
      return [uuid, omitUndefined({ ...known, raw: raw === undefined ? undefined : sortKeys(raw) })]
    }),
  )
}

/** Returns the kits from the lockfile in the order of the space. */
export function listOfLock(list: Readonly<Record<string, LockedSummary>>): KitRecord[] {
  const sorted = Object.entries(list).toSorted(([x, a], [y, b]) => a.at - b.at || compareStrings(x, y))
  return sorted.map(([uuid, { name, description, status, useVersion, dateAdded, dateUpdated, cover, raw }]) =>
    omitUndefined({ uuid, name, description, status, useVersion, dateAdded, dateUpdated, cover, raw }),
  )
}
