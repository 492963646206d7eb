import type { KitRecord } from '../space/space.js'
import type { LoadedKit } from './load.js'

/** Where bytes are kept by key; what is read back is what was written, or nothing. */
export interface KitStore {
  peek(key: string): Promise<{ bytes: Uint8Array } | undefined>
  put(key: string, bytes: Uint8Array): Promise<unknown>
}

/** Kits that were loaded whole, kept in the cache. */
export interface Snapshots {
  read(kit: string, version: number): Promise<Snapshot | undefined>
  keep(snapshot: Snapshot): Promise<void>
}

/** A version of a kit, and for a draft what its record was when it was loaded: it tells whether the draft has moved. */
interface Snapshot {
  kit: LoadedKit
  record?: KitRecord
}

/** Raise it when what is kept changes its shape. */
const format = 'kit-v1'

/** @param space separates spaces that share a cache */
export function openSnapshots(store: KitStore, space: string): Snapshots {
  const keyOf = (kit: string, version: number) => [format, space, kit, version].join('\n')
  return {
    async read(kit, version) {
      const kept = await store.peek(keyOf(kit, version))
      return kept && JSON.parse(Buffer.from(kept.bytes).toString())
    },
    async keep(snapshot) {
      await store.put(keyOf(snapshot.kit.uuid, snapshot.kit.version), Buffer.from(JSON.stringify(snapshot)))
    },
  }
}

/** Keeps nothing: for a space that is a folder, and read at no cost. */
export const noSnapshots: Snapshots = {
  read: async () => undefined,
  keep: async () => {},
}
