import type { CatalogContext } from '../../src/catalog/catalog.js'
import { noSnapshots } from '../../src/catalog/snapshots.js'
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

/** The context of a catalog without a lockfile, a cache, options or messages. Only the space is missing. */
export const plainCatalog: Omit<CatalogContext, 'space'> = {
  lock: noLock,
  snapshots: noSnapshots,
  configured: new Map(),
  names: [],
  strict: false,
  frozen: false,
  offline: false,
  warn() {},
  onKit() {},
}
