import { nameSlugs } from '../../../kit/names.js'
import { lastVersion } from '../../../lock/drift.js'
import type { LockedKit } from '../../../lock/schema.js'
import { compareStrings } from '../../../text/compare.js'
import { readableName } from '../../../space/folder/naming.js'
import type { KitComparison } from './comparisons.js'
import type { PartEntry } from './parts.js'
import type { Side } from './side.js'
import { labelsOf, versionsOf, type ComparedVersions } from './versions.js'

/** A kit that differs, but doesn't have an entry in any other list. */
export interface KitEntry {
  uuid: string
  /** Slug of the kit. */
  kit: string
  /** Without `from` for an added kit, and without `to` for a removed kit. */
  versions: Partial<ComparedVersions>
}

export interface KitsDiff {
  /** Absent without entries. */
  kits?: {
    /** Kits that exist only in the later lockfile. */
    added: KitEntry[]
    /** Kits that exist only in the earlier lockfile. */
    removed: KitEntry[]
    /** Kits with a different name. Absent without entries. */
    renamed?: PartEntry<{ name: string }>[]
    /**
     * Kits with a different version, or a different listing of the same version, but without an entry in any other
     * list.
     */
    updated: KitEntry[]
  }
}

/** A kit that exists in only one of two lockfiles. */
export interface AddedOrRemoved {
  uuid: string
  locked: LockedKit
  change: 'added' | 'removed'
}

/** @param isSame whether a comparison has not found any difference of assets or parts */
export function kitsOf<T extends KitComparison>(
  kits: readonly T[],
  isSame: (kit: T) => boolean,
  single: readonly AddedOrRemoved[],
): KitsDiff {
  const all = kits.map((kit) => ({ kit, former: formerName(kit) }))
  const renamed = all.flatMap(({ kit, former }): PartEntry<{ name: string }>[] => {
    const { uuid, slug, after } = kit
    const to = { name: after.name ?? '' }
    return former === undefined
      ? []
      : [{ uuid, name: to.name, kit: slug, versions: versionsOf(kit), from: { name: former }, to, breaks: [] }]
  })
  const updated = all
    .filter(({ kit, former }) => former === undefined && isOther(kit) && isSame(kit))
    .map(({ kit }) => ({ uuid: kit.uuid, kit: kit.slug, versions: versionsOf(kit) }))
  if (single.length + updated.length + renamed.length === 0) return {}
  const changed = (change: AddedOrRemoved['change']) => single.filter((kit) => kit.change === change).map(singleEntry)
  const [added, removed] = [sort(changed('added')), sort(changed('removed'))]
  const more = renamed.length === 0 ? {} : { renamed: sort(renamed) }
  return { kits: { added, removed, updated: sort(updated), ...more } }
}

/**
 * Returns the name of a kit before it was renamed. Also compares the locked slugs, because the cache may already have
 * the new name from another project.
 */
function formerName({ uuid, slug, names, before, after: { name } }: KitComparison): string | undefined {
  if (name === undefined) return undefined
  if (before.name !== undefined && before.name !== name) return before.name
  const current = nameSlugs([{ uuid, name }], 'kit').get(uuid)?.slug ?? ''
  // If kits have the same name, their slugs end with a part of their uuids.
  return [...names].some((known) => known.startsWith(current)) ? undefined : readableName(slug)
}

/** Returns whether the version or its listing differs, for example in notes, keywords or the order of items. */
function isOther({ before, after }: { before: Side; after: Side }): boolean {
  if (before.version !== after.version) return true
  return before.content !== undefined && after.content !== undefined && before.content !== after.content
}

function singleEntry({ uuid, locked, change }: AddedOrRemoved): KitEntry {
  const { version = 0, versionIdentifier = '' } = lastVersion(locked) ?? {}
  const versions = change === 'added' ? { to: version } : { from: version }
  const labels = change === 'added' ? labelsOf('', versionIdentifier) : labelsOf(versionIdentifier, '')
  return { uuid, kit: locked.slug || uuid, versions: { ...versions, ...labels } }
}

function sort<T extends KitEntry>(entries: readonly T[]): T[] {
  return entries.toSorted((a, b) => compareStrings(a.kit, b.kit) || compareStrings(a.uuid, b.uuid))
}
