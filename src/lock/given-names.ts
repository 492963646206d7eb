import { byIdentity } from '../kit/identity.js'
import type { LoadedKit } from '../kit/load.js'
import type { GivenKitNames } from '../kit/named-kit.js'
import type { GivenNames, GivenSlugs } from '../kit/names.js'
import { followRenamed } from './renamed.js'
import { omitUndefined } from '../text/omit-undefined.js'
import type { Lock, LockedItem, LockedTable } from './schema.js'

/** A table with the number of its version. */
export interface VersionTable {
  version: number
  table: LockedTable
}

type Names = GivenNames[string]

/**
 * Returns the names of a version, and the names of its assets in other versions. Matches assets between versions by
 * identity, because a version may have its own uuids.
 * @param own tables whose names are taken, including by removed assets; earlier tables take precedence
 * @param others tables of other versions, whose names apply to assets that `own` lacks
 */
export function givenNames(
  kit: LoadedKit,
  own: readonly VersionTable[],
  others: readonly VersionTable[],
): GivenKitNames {
  const uuids = byIdentity(kit)
  const assets: Record<string, Names> = {}
  const elsewhere: Record<string, Names> = {}
  const sections: Record<string, GivenSlugs[string]> = {}
  const headings: Record<string, GivenSlugs[string]> = {}
  for (const { version, table } of [...own, ...others]) {
    const isOwn = own.some((one) => one.table === table)
    const label = { version, versionIdentifier: table.label, ...(table.date !== undefined && { date: table.date }) }
    for (const [key, line] of Object.entries(followRenamed(table.assets, kit))) {
      const identity = line.source ?? key
      const uuid = Object.hasOwn(kit.assets, key) ? key : (uuids.get(identity) ?? identity)
      const { name, slug, aliases, former, lastSeen = label } = line
      const isHere = Object.hasOwn(kit.assets, uuid)
      const names = { name, slug, aliases, former, ...(!isHere && { lastSeen }) }
      if (isHere || isOwn) assets[uuid] ??= names
      else elsewhere[uuid] ??= names
    }
    for (const [uuid, section] of Object.entries(table.sections)) sections[uuid] ??= slugsOf(section)
    for (const [uuid, item] of Object.entries(table.items))
      if (item.slug !== undefined) headings[uuid] ??= slugsOf(item)
  }
  return { assets, sections, headings, elsewhere }
}

/** Returns only the slugs of a kit or a section, without its title. */
export function slugsOf({
  slug = '',
  aliases,
  former,
}: Pick<LockedItem, 'slug' | 'aliases' | 'former'>): GivenSlugs[string] {
  return { slug, aliases, former }
}

/** Returns the slugs of all kits, by uuid. */
export function kitSlugs({ kits }: Lock): GivenSlugs {
  return Object.fromEntries(
    Object.entries(kits).map(([uuid, kit]) => [uuid, omitUndefined({ ...slugsOf(kit), shortId: kit.shortId })]),
  )
}
