import type { Lock, LockedAsset, LockedKit } from './schema.js'

/** The assets of a kit whose files were replaced within a locked version. */
export interface ReplacedFiles {
  /** Slug of the kit. */
  slug: string
  /** Uuids. */
  assets: ReadonlySet<string>
}

/**
 * Finds files that a run has seen with other bytes than the lockfile has, in a version that is the same.
 * Drafts are left out, because their files change.
 * @param after the lock of the run, with the hashes of its downloads
 * @returns kits by uuid
 */
export function replacedFiles(before: Lock, after: Lock): Map<string, ReplacedFiles> {
  const kits = Object.entries(after.kits).flatMap(([uuid, kit]): [string, ReplacedFiles][] => {
    const was = before.kits[uuid]
    if (was === undefined || !hasSameVersions(was, kit)) return []
    const replaced = Object.entries(kit.assets).filter(([asset, is]) => isReplaced(was.assets[asset], is))
    return replaced.length === 0
      ? []
      : [[uuid, { slug: was.slug || kit.slug, assets: new Set(replaced.map(([asset]) => asset)) }]]
  })
  return new Map(kits)
}

function hasSameVersions(before: LockedKit, after: LockedKit): boolean {
  return Object.entries(after.selectors).every(
    ([selector, { version }]) => version !== 0 && before.selectors[selector]?.version === version,
  )
}

function isReplaced(was: LockedAsset | undefined, is: LockedAsset): boolean {
  return differs(was?.file_hash, is.file_hash) || differs(was?.files?.['original'], is.files?.['original'])
}

function differs(was: string | undefined, is: string | undefined): boolean {
  return was !== undefined && is !== undefined && was !== is
}
