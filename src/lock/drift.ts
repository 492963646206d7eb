import { isDeepStrictEqual as same } from 'node:util'
import { compareStrings } from '../text/compare.js'
import type { Lock, LockedAsset, LockedKit, LockedSlug } from './schema.js'

/**
 * How a lock would change, one line for each difference, sorted. Files that were not downloaded before are none;
 * nor is the content of a draft, which floats: of it only the names are locked.
 */
export function lockDrift(before: Lock, after: Lock): string[] {
  const differences = Object.entries(after.kits).flatMap(([uuid, kit]) => {
    const known = before.kits[uuid]
    if (known === undefined) return [`kit ${kit.slug} (${uuid}) is not in the lock`]
    return kitDrift(known, kit).map((difference) => `kit ${known.slug}: ${difference}`)
  })
  return differences.toSorted(compareStrings)
}

function kitDrift(before: LockedKit, after: LockedKit): string[] {
  const floating = Object.values(after.selectors).some(({ version }) => version === 0)
  return [
    ...slugDrift('the kit', before, after),
    ...Object.entries(after.selectors).flatMap(([selector, { version }]) => {
      const locked = before.selectors[selector]
      // A number means what it says: with its version in the lock, nothing could come out differently.
      if (selector === String(version) && Object.values(before.selectors).some((known) => known.version === version))
        return []
      if (locked === undefined) return [`version ${selector} is not in the lock`]
      return locked.version === version ? [] : [`version ${selector} is ${version}, and ${locked.version} in the lock`]
    }),
    ...tableDrift('section', before.sections, after.sections, (uuid, was, is) => slugDrift(`section ${uuid}`, was, is)),
    ...tableDrift('heading', before.headings, after.headings, (uuid, was, is) => slugDrift(`heading ${uuid}`, was, is)),
    ...tableDrift('asset', before.assets, after.assets, (_, was, is) => assetDrift(was, is, floating)),
  ]
}

function tableDrift<T extends { slug: string }>(
  what: string,
  before: Record<string, T>,
  after: Record<string, T>,
  compare: (uuid: string, was: T, is: T) => string[],
): string[] {
  return Object.entries(after).flatMap(([uuid, is]) => {
    const was = before[uuid]
    return was === undefined ? [`${what} ${is.slug} (${uuid}) is not in the lock`] : compare(uuid, was, is)
  })
}

function slugDrift(what: string, was: LockedSlug, is: LockedSlug): string[] {
  return was.slug === is.slug ? [] : [`${what} is called ${is.slug}, and ${was.slug} in the lock`]
}

function assetDrift(was: LockedAsset, is: LockedAsset, floating: boolean): string[] {
  const differences: string[] = []
  if (was.name !== is.name || was.slug !== is.slug) {
    differences.push(`asset ${was.name} (${was.slug}) is now called ${is.name} (${is.slug})`)
  }
  if (was.lastSeen === undefined && is.lastSeen !== undefined) differences.push(`asset ${was.name} is gone`)
  if (was.lastSeen !== undefined && is.lastSeen === undefined) differences.push(`asset ${was.name} is back`)
  if (!floating && !same(was.file_hash, is.file_hash)) {
    differences.push(
      `asset ${was.name} has file_hash ${is.file_hash ?? 'none'}, and ${was.file_hash ?? 'none'} in the lock`,
    )
  }
  return differences
}
