import { readText } from '../disk/replace-file.js'
import { emptyLock, invalidLock, lockedEntriesIn, parseLock, type Lock, type LockedAsset } from './schema.js'
import { parseOneSide, parseSides, type LockOfSides } from './sides.js'

export interface LockOfSpace {
  lockfile: string | false
  /** The id of the space, if it is known. */
  spaceId: string | undefined
}

/**
 * Reads the lockfile of a project.
 * @param frozen whether both sides of a merge are an error, because the lockfile cannot be written
 * @throws ContentSpaceError `invalidLock`, also for the lockfile of another space
 */
export async function readLockOfSpace({ lockfile, spaceId }: LockOfSpace, frozen: boolean): Promise<LockOfSides> {
  const text = lockfile === false ? undefined : await readText(lockfile)
  const { lock, merged } = readSidesOf(text, String(lockfile), frozen)
  if (spaceId !== undefined && lock.space !== undefined && lock.space !== spaceId) {
    const problem = `is the lockfile of space ${lock.space}, but this project uses space ${spaceId}`
    const hint = 'Set option lockfile to another file for this space, or correct option spaceId.'
    throw invalidLock(String(lockfile), problem, hint)
  }
  return { lock: withSpace(lock, spaceId), merged }
}

function readSidesOf(text: string | undefined, file: string, frozen: boolean): LockOfSides {
  if (text === undefined) return { lock: emptyLock, merged: undefined }
  return frozen ? { lock: parseOneSide(text, file), merged: undefined } : parseSides(text, file)
}

function withSpace(lock: Lock, spaceId: string | undefined): Lock {
  return spaceId === undefined ? lock : { space: spaceId, ...lock }
}

/** Assets whose lines are searched for. For more, parsing the lockfile is faster. */
const maxSearched = 64

/** Opens a lockfile that an earlier run has found valid. */
export function lazyLock(text: string, { lockfile, spaceId }: LockOfSpace) {
  let parsed: Lock | undefined
  const searched = new Map<string, LockedAsset[]>()
  const lock = (): Lock => (parsed ??= withSpace(parseLock(text, String(lockfile)), spaceId))
  return {
    /** Returns the lock. It is parsed on the first call. */
    lock,
    /** Returns the entries of an asset, from its own lines of the file if the rest is not parsed yet. */
    entries(asset: string): LockedAsset[] {
      const known = searched.get(asset)
      if (known) return known
      const isSearched = parsed === undefined && searched.size < maxSearched
      const entries = (isSearched ? lockedEntriesIn(text, asset) : undefined) ?? entriesOf(lock(), asset)
      searched.set(asset, entries)
      return entries
    },
  }
}

/** Returns the entries of an asset in all kits. */
export function entriesOf({ kits }: Lock, asset: string): LockedAsset[] {
  return Object.values(kits).flatMap(({ assets }) => assets[asset] ?? [])
}

/**
 * Returns the locked hash of a file of the service. Of several kits, the first that has it counts.
 * @param hash its `file_hash`. Versions of a kit may have different files
 * @param isOther whether a file with this `file_hash`, which is not locked, is another file than the locked one
 */
export function findHash(
  entries: readonly LockedAsset[],
  cut: string,
  hash: string | undefined,
  isOther: (hash: string) => boolean,
): string | undefined {
  const exact = entries.flatMap(({ file_hash: other, files, revisions }) =>
    hash === undefined || other === undefined || other === hash ? [files] : (revisions?.[hash] ?? []),
  )
  const isExact = exact.length > 0 || (hash !== undefined && isOther(hash))
  const all = isExact ? exact : entries.map(({ files }) => files)
  return all.find((files) => files?.[cut] !== undefined)?.[cut]
}
