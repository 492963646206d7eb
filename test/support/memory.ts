import { openLockSession } from '../../src/lock/session.js'

const session = await openLockSession({
  lockfile: false,
  spaceId: undefined,
  frozen: false,
  hashes: true,
  warn() {},
})

/** The lock session of a first run without a lockfile. It doesn't record anything, because tests share it. */
export const noLock: typeof session = { ...session, record() {} }
