import { ignoreCodes } from '../../../errors.js'
import type { Space } from '../../../space/space.js'
import { omitUndefined } from '../../../text/omit-undefined.js'
import type { Side } from './side.js'

/** A version of a kit, as its editors describe it. */
export interface Release {
  version: number
  /** The version identifier, which may be empty. */
  label: string
  /** Release notes, which may be empty or have several lines. */
  notes: string
}

/** The versions of a kit on both sides. 0 is the draft. */
export interface ComparedVersions {
  from: number
  to: number
  /** Version identifiers, if known. */
  labels?: { from?: string; to?: string }
  /** The versions after `from` up to `to`, oldest first, that have a version identifier or release notes. */
  releases?: Release[]
}

/** The sides of a comparison, and the versions after the first side up to the second. */
export interface ComparedSides {
  before: Side
  after: Side
  releases: readonly Release[]
}

export function versionsOf({ before, after, releases }: ComparedSides): ComparedVersions {
  const [from, to] = [before.version, after.version]
  return {
    from,
    to,
    ...labelsOf(before.label, after.label),
    ...(releases.length === 0 ? {} : { releases: [...releases] }),
  }
}

/** @param from version identifier; empty if unknown */
export function labelsOf(from: string, to: string): Pick<ComparedVersions, 'labels'> {
  const labels = omitUndefined({ from: from || undefined, to: to || undefined })
  return Object.keys(labels).length === 0 ? {} : { labels }
}

/**
 * Returns the versions after one side up to the other that have an identifier or notes, oldest first. Requests only
 * versions between the sides, because the sides are already loaded.
 */
export async function releasesBetween(
  kit: string,
  { version: from }: Side,
  { version, label, notes, assets }: Side,
  space: Pick<Space, 'kit'>,
): Promise<Release[]> {
  if (from === version || assets.size === 0) return []
  // The draft comes after every version.
  const to = version === 0 ? Infinity : version
  const hasGap = from !== 0 && to - from > 1
  const record = hasGap ? await space.kit(kit, 'versions').catch(ignoreCodes('kitNotFound', 'offline')) : undefined
  const between = (record?.versions ?? [])
    .filter((one) => one.version > from && one.version < to)
    .toSorted((a, b) => a.version - b.version)
    .map((one) => ({ version: one.version, label: one.versionIdentifier, notes: one.notes }))
  return [...between, { version, label, notes }].filter((release) => release.label !== '' || release.notes !== '')
}
