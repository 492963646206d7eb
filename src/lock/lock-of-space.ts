import { ContentSpaceError } from '../errors.js'
import { readLock } from './lockfile.js'
import { emptyLock, parseLock, type Lock } from './schema.js'

export interface LockOfSpace {
  lockfile: string | false
  /** The id of the space, if it is known. */
  spaceId: string | undefined
}

/**
 * Reads the lockfile of a project.
 * @throws ContentSpaceError `invalidLock`, also for the lockfile of another space
 */
export async function readLockOfSpace({ lockfile, spaceId }: LockOfSpace): Promise<Lock> {
  const lock = lockfile === false ? emptyLock : await readLock(lockfile)
  if (spaceId !== undefined && lock.space !== undefined && lock.space !== spaceId) {
    throw new ContentSpaceError(
      'invalidLock',
      `${lockfile} is the lockfile of space ${lock.space}, but this project uses space ${spaceId}.`,
      { hint: 'Set option lockfile to another file for this space, or correct option spaceId.' },
    )
  }
  return withSpace(lock, spaceId)
}

function withSpace(lock: Lock, spaceId: string | undefined): Lock {
  return spaceId === undefined ? lock : { space: spaceId, ...lock }
}

/** Returns the lock of a text that an earlier run has found valid, and parses it on the first call. */
export function lazyLock(text: string, { lockfile, spaceId }: LockOfSpace): () => Lock {
  let lock: Lock | undefined
  return () => (lock ??= withSpace(parseLock(text, String(lockfile)), spaceId))
}
