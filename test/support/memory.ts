import { openMemory } from '../../src/lock/session.js'

/** The memory of a first run without a lock. */
export const noMemory = await openMemory({
  lockfile: false,
  spaceId: undefined,
  frozen: false,
  hashes: true,
})
