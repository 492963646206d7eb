import { isSnapshot, type Snapshot } from './snapshot.js'

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

/** Raise it when what is kept changes its shape. */
const format = 'kit-v1'

/** @param space separates spaces that share a cache */
export function openSnapshots(store: KitStore, space: string): Snapshots {
  const keyOf = (kit: string, version: number) => [format, space, kit, version].join('\n')
  return {
    async read(kit, version) {
      const kept = await store.peek(keyOf(kit, version))
      const snapshot = kept && parse(kept.bytes)
      // What others have put there is as good as nothing: the kit is loaded again.
      return isSnapshot(snapshot) && snapshot.kit.uuid === kit && snapshot.kit.version === version ? snapshot : undefined
    },
    async keep(snapshot) {
      await store.put(keyOf(snapshot.kit.uuid, snapshot.kit.version), Buffer.from(JSON.stringify(snapshot)))
    },
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}

/** Keeps nothing: for a space that is a folder, and read at no cost. */
export const noSnapshots: Snapshots = {
  read: async () => undefined,
  keep: async () => {},
}
