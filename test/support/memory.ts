import { openMemory } from '../../src/kit/memory.js'
import { noSnapshots } from '../../src/kit/snapshots.js'

/** The memory of a first run without a lock. */
export const noMemory = await openMemory({
  lockfile: false,
  spaceId: undefined,
  frozen: false,
  offline: false,
  hashes: true,
  snapshots: noSnapshots,
})
