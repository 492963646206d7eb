import type { Host, ResolvedOptions } from '../config/options.js'
import { projectInputs } from '../config/project-inputs.js'
import { derivedKey } from '../disk/cache-layout.js'
import { noDerived, openDerived, type Derived } from '../disk/derived.js'
import type { Store } from '../files/store.js'
import type { LockSession } from '../lock/session.js'
import type { Space } from '../space/space.js'

/**
 * Opens the data that earlier runs of a project derived. Only builds and commands use this data. A dev server doesn't
 * need it, because it loads content once and keeps it in memory.
 */
export async function openProjectDerived(
  options: ResolvedOptions,
  { command = 'build' }: Partial<Host>,
  { space, store, lock }: { space: Space; store: Store; lock: LockSession },
): Promise<Derived> {
  const { main = space, own = [] } = space.routes ?? {}
  const isLocal = [main, ...new Map(own).values()].some(({ local }) => local === true)
  if (command !== 'build' || isLocal || options.lockfile === false) return noDerived
  return openDerived(store, derivedKey({ space: space.key, inputs: await projectInputs(options) }), lock.digestAsRead())
}
