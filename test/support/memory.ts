import { openLockSession } from '../../src/lock/session.js'

/** The lock session of a first run without a lockfile. */
export const noLock = await openLockSession({
  lockfile: false,
  spaceId: undefined,
  frozen: false,
  hashes: true,
  warn() {},
})
