import { openLockSession } from '../../src/lock/session.js'

/** The memory of a first run without a lock. */
export const noMemory = await openLockSession({
  lockfile: false,
  spaceId: undefined,
  frozen: false,
  hashes: true,
})
