import { lastVersion } from '../../lock/record.js'
import type { LockedKit } from '../../lock/schema.js'
import { compareStrings } from '../../text/compare.js'
import type { KitComparison } from './comparisons.js'
import { labelsOf, versionsOf, type ComparedVersions } from './versions.js'

/** A kit that differs, although no other list has an entry of it. */
export interface KitEntry {
  uuid: string
  /** Slug of the kit. */
  kit: string
  /** Without `from` for a kit that was added, and without `to` for one that was removed. */
  versions: Partial<ComparedVersions>
}

export interface KitsDiff {
  /** Absent without an entry. */
  kits?: {
    /** Kits that only the later lockfile has. */
    added: KitEntry[]
    /** Kits that only the earlier lockfile has. */
    removed: KitEntry[]
    /** Kits with another version, without an entry in any other list. */
    updated: KitEntry[]
  }
}

/** A kit that only one of two lockfiles has. */
export interface SingleKit {
  uuid: string
  locked: LockedKit
  change: 'added' | 'removed'
}

/** @param same comparisons that have found no difference of assets or parts */
export function kitsOf(same: readonly KitComparison[], single: readonly SingleKit[]): KitsDiff {
  const updated = same
    .filter(({ before, after }) => before.version !== after.version)
    .map((kit) => ({ uuid: kit.uuid, kit: kit.slug, versions: versionsOf(kit) }))
  if (single.length + updated.length === 0) return {}
  const changed = (change: SingleKit['change']) => single.filter((kit) => kit.change === change).map(singleEntry)
  return { kits: { added: sort(changed('added')), removed: sort(changed('removed')), updated: sort(updated) } }
}

function singleEntry({ uuid, locked, change }: SingleKit): KitEntry {
  const { version = 0, versionIdentifier = '' } = lastVersion(locked) ?? {}
  const versions = change === 'added' ? { to: version } : { from: version }
  const labels = change === 'added' ? labelsOf('', versionIdentifier) : labelsOf(versionIdentifier, '')
  return { uuid, kit: locked.slug || uuid, versions: { ...versions, ...labels } }
}

function sort(entries: readonly KitEntry[]): KitEntry[] {
  return entries.toSorted((a, b) => compareStrings(a.kit, b.kit) || compareStrings(a.uuid, b.uuid))
}
