import { compareStrings } from '../text/compare.js'
import type { Lock, LockedAsset, LockedKit, LockedSlug, LockedVersion } from './schema.js'

/**
 * Lists how a run would change a lockfile, one line for each difference, sorted. Hashes of new downloads do not
 * count. For a draft, which changes often, only names are compared.
 */
export function lockDrift(before: Lock, after: Lock): string[] {
  const differences = Object.entries(after.kits).flatMap(([uuid, kit]) => {
    const locked = before.kits[uuid]
    if (locked === undefined) return [`kit ${kit.slug} (${uuid}) is not in the lockfile`]
    return kitDrift(locked, kit).map((difference) => `kit ${locked.slug}: ${difference}`)
  })
  return differences.toSorted(compareStrings)
}

function kitDrift(before: LockedKit, after: LockedKit): string[] {
  const hasDraft = Object.values(after.selectors).some(({ version }) => version === 0)
  return [
    ...slugDrift('the kit', before, after),
    ...Object.entries(after.selectors).flatMap(([selector, version]) => versionDrift(before, selector, version)),
    ...tableDrift('section', before.sections, after.sections, (was, is) => slugDrift(`section ${was.slug}`, was, is)),
    ...tableDrift('heading', before.headings, after.headings, (was, is) => slugDrift(`heading ${was.slug}`, was, is)),
    ...tableDrift('asset', before.assets, after.assets, (was, is) => assetDrift(was, is, hasDraft)),
  ]
}

function versionDrift({ selectors }: LockedKit, selector: string, { version, content }: LockedVersion): string[] {
  // A version number always means that version: if it is locked by another selector, nothing can change.
  if (selector === String(version) && Object.values(selectors).some((locked) => locked.version === version)) return []
  const locked = selectors[selector]
  if (locked === undefined) return [`version ${selector} is not in the lockfile`]
  if (locked.version !== version) return [`version ${selector} is ${version}, but ${locked.version} in the lockfile`]
  const isSame = locked.content === undefined || content === undefined || locked.content === content
  return isSame ? [] : [`version ${version} is listed with other content than in the lockfile`]
}

function tableDrift<T extends { slug: string }>(
  what: string,
  before: Record<string, T>,
  after: Record<string, T>,
  compare: (was: T, is: T) => string[],
): string[] {
  return Object.entries(after).flatMap(([uuid, is]) => {
    const was = before[uuid]
    return was === undefined ? [`${what} ${is.slug} (${uuid}) is not in the lockfile`] : compare(was, is)
  })
}

function slugDrift(what: string, was: LockedSlug, is: LockedSlug): string[] {
  return was.slug === is.slug ? [] : [`${what} is now called ${is.slug}`]
}

function assetDrift(was: LockedAsset, is: LockedAsset, hasDraft: boolean): string[] {
  const differences: string[] = []
  if (was.name !== is.name || was.slug !== is.slug) {
    differences.push(`asset ${was.name} (${was.slug}) is now called ${is.name} (${is.slug})`)
  }
  if (was.lastSeen === undefined && is.lastSeen !== undefined) differences.push(`asset ${was.name} was removed`)
  if (was.lastSeen !== undefined && is.lastSeen === undefined) differences.push(`asset ${was.name} was added again`)
  if (!hasDraft && was.file_hash !== is.file_hash) {
    differences.push(
      `asset ${was.name} has file_hash ${is.file_hash ?? 'none'}, but ${was.file_hash ?? 'none'} in the lockfile`,
    )
  }
  return differences
}
