import { snapshotKey } from '../disk/cache-layout.js'
import type { Store } from '../files/store.js'
import type { LoadedKit } from '../kit/load.js'
import { isFinal } from '../kit/processing.js'
import { readSnapshot, snapshotParts } from './snapshot.js'

export type KitStore = Pick<Store, 'peek' | 'putParts' | 'alone'>

export type Snapshots = ReturnType<typeof openSnapshots>

/**
 * Opens the listings of kits in the cache, for those who show whole kits. No build of a locked version needs them.
 * @param space its key, because spaces share the cache
 */
export function openSnapshots(store: KitStore, space: string) {
  const keyOf = (kit: string, version: number): string => snapshotKey({ space, kit, version })

  /** Returns a version as it was listed last, by this or another project. */
  async function last(kit: string, version: number): Promise<LoadedKit | undefined> {
    const kept = await store.peek(keyOf(kit, version))
    const found = kept && readSnapshot(kept.bytes)
    return found?.uuid === kit && found.version === version ? found : undefined
  }

  return {
    last,
    /** Loads a published version that was not listed before, or not finally. Of several processes, one loads it. */
    once: (kit: string, version: number, load: () => Promise<LoadedKit>): Promise<LoadedKit> =>
      store.alone(keyOf(kit, version), async () => {
        const known = await last(kit, version)
        return known && isFinal(known) ? known : load()
      }),
    async keep(this: void, kit: LoadedKit): Promise<void> {
      await store.putParts(keyOf(kit.uuid, kit.version), bytesOf(snapshotParts(kit)))
    },
  }
}

async function* bytesOf(parts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part)
}

/** Stores nothing. For folders, which are fast to read. */
export const noSnapshots: Snapshots = {
  last: async () => undefined,
  once: (_kit, _version, load) => load(),
  keep: async () => {},
}
