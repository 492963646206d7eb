import { isDeepStrictEqual } from 'node:util'
import { snapshotKey } from '../disk/cache-layout.js'
import type { LoadedKit } from '../kit/load.js'
import type { KitRecord } from '../space/space.js'
import { isSnapshot, type Snapshot } from './snapshot.js'

/** Where bytes are kept by key; what is read back is what was written, or nothing. */
export interface KitStore {
  peek(key: string): Promise<{ bytes: Uint8Array } | undefined>
  put(key: string, bytes: Uint8Array): Promise<unknown>
}

/** Kits that were loaded whole, kept in the cache. */
export interface Snapshots {
  /**
   * A version as it is now.
   * @param record reads the record of the kit, which only a draft needs: it is up to date while its record stays the
   *   same
   */
  current(kit: string, version: number, record: () => Promise<KitRecord>): Promise<LoadedKit | undefined>
  /** A version as it was when it was loaded last. */
  last(kit: string, version: number): Promise<LoadedKit | undefined>
  keep(kit: LoadedKit, record: KitRecord): Promise<void>
}

/**
 * @param space separates spaces that share a cache
 * @param offline takes drafts as they were loaded last, for their records cannot be read
 */
export function openSnapshots(store: KitStore, space: string, offline: boolean): Snapshots {
  /** A value that this package did not write is ignored: the kit is loaded again. */
  async function read(kit: string, version: number): Promise<Snapshot | undefined> {
    const kept = await store.peek(snapshotKey({ space, kit, version }))
    const snapshot = kept && parse(kept.bytes)
    return isSnapshot(snapshot) && snapshot.kit.uuid === kit && snapshot.kit.version === version ? snapshot : undefined
  }

  return {
    async current(kit, version, record) {
      const snapshot = await read(kit, version)
      if (snapshot === undefined || version !== 0 || offline) return snapshot?.kit
      const now: unknown = JSON.parse(JSON.stringify(await record()))
      return snapshot.record !== undefined && isDeepStrictEqual(snapshot.record, now) ? snapshot.kit : undefined
    },
    last: async (kit, version) => (await read(kit, version))?.kit,
    async keep(kit, record) {
      // A draft whose record has neither a date nor a revision has to be read again to know of its changes.
      const tells = kit.version === 0 && (record.dateUpdated !== undefined || record.revision !== undefined)
      const snapshot: Snapshot = tells ? { kit, record } : { kit }
      await store.put(
        snapshotKey({ space, kit: kit.uuid, version: kit.version }),
        Buffer.from(JSON.stringify(snapshot)),
      )
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
  current: async () => undefined,
  last: async () => undefined,
  keep: async () => {},
}
