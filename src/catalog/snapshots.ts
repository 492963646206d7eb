import { snapshotKey } from '../disk/cache-layout.js'
import type { Store } from '../files/store.js'
import type { LoadedKit } from '../kit/load.js'
import { isFinal } from '../kit/processing.js'
import { readSnapshot, snapshotParts } from './snapshot.js'

export type KitStore = Pick<Store, 'peek' | 'putParts' | 'alone'>

export interface Snapshots {
  /** Returns a version as it was last listed by this or another project. */
  last(this: void, kit: string, version: number): Promise<LoadedKit | undefined>
  /** Loads a published version whose final state hasn't been listed yet. If several processes need it, one loads it. */
  once(this: void, kit: string, version: number, load: () => Promise<LoadedKit>): Promise<LoadedKit>
  keep(this: void, kit: LoadedKit): Promise<void>
}

/**
 * Opens the listings of kits in the cache, for commands that show whole kits. Builds of locked versions don't need
 * them.
 * @param spaceOf returns the key of the space that a kit comes from, because spaces share the cache. Undefined for a
 *   folder, whose listings aren't cached, because folders are fast to read and their versions may be edited.
 */
export function openSnapshots(store: KitStore, spaceOf: (kit: string) => string | undefined): Snapshots {
  function keyOf(kit: string, version: number): string | undefined {
    const space = spaceOf(kit)
    return space === undefined ? undefined : snapshotKey({ space, kit, version })
  }

  async function last(kit: string, version: number): Promise<LoadedKit | undefined> {
    const key = keyOf(kit, version)
    const kept = key === undefined ? undefined : await store.peek(key)
    const found = kept && readSnapshot(kept.bytes)
    return found?.uuid === kit && found.version === version ? found : undefined
  }

  return {
    last,
    once(kit, version, load) {
      const key = keyOf(kit, version)
      if (key === undefined) return load()
      return store.alone(key, async () => {
        const known = await last(kit, version)
        return known && isFinal(known) ? known : load()
      })
    },
    async keep(kit) {
      const key = keyOf(kit.uuid, kit.version)
      if (key !== undefined) await store.putParts(key, bytesOf(snapshotParts(kit)))
    },
  }
}

async function* bytesOf(parts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part)
}

/** Doesn't store anything. Used for folders, because they are fast to read. */
export const noSnapshots: Snapshots = {
  last: async () => undefined,
  once: (_kit, _version, load) => load(),
  keep: async () => {},
}
