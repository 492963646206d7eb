import { isDeepStrictEqual } from 'node:util'
import { snapshotKey } from '../disk/cache-layout.js'
import type { Content } from '../disk/content.js'
import { contentOf } from '../files/store.js'
import type { LoadedKit } from '../kit/load.js'
import type { KitRecord } from '../space/space.js'
import { noSharedListings, type SharedListings } from './shared-listings.js'
import { readSnapshot, snapshotParts, type Snapshot } from './snapshot.js'

/** A store of bytes by key. It returns the bytes as they were written, or undefined. */
export interface KitStore {
  peek(key: string): Promise<{ bytes: Uint8Array; integrity: string } | undefined>
  put(key: string, bytes: Uint8Array): Promise<{ integrity: string }>
  /** Does the same with bytes that come in parts. */
  putParts(key: string, parts: AsyncIterable<Uint8Array>): Promise<Content>
}

/** Versions of kits that were loaded completely, in the cache. */
export interface Snapshots {
  /**
   * Returns a version that is up to date.
   * @param record returns the record of the kit. Called for drafts only, which are up to date while the record is the
   *   same.
   */
  current(kit: string, version: number, record: () => Promise<KitRecord>): Promise<LoadedKit | undefined>
  /** Returns a version as it was when it was loaded last. */
  last(kit: string, version: number): Promise<LoadedKit | undefined>
  /** Stores a version. @param record of the kit when the version was loaded */
  keep(kit: LoadedKit, record: KitRecord): Promise<void>
  /** Returns the hash (`sha256-…`) of the snapshot that a kit was read from or stored in. */
  integrityOf(kit: LoadedKit): string | undefined
}

/**
 * @param space the key of the space, because spaces share the cache
 * @param shared listings of other runners
 * @param offline whether drafts count as up to date, because their records cannot be loaded
 */
export function openSnapshots(
  store: KitStore,
  space: string,
  offline: boolean,
  shared: SharedListings = noSharedListings,
): Snapshots {
  const integrities = new WeakMap<LoadedKit, string>()

  /** Ignores invalid entries, so that the kit is loaded again. */
  async function read(kit: string, version: number): Promise<Snapshot | undefined> {
    const key = snapshotKey({ space, kit, version })
    const ofVersion = (bytes: Uint8Array | undefined): Snapshot | undefined => {
      const found = bytes && readSnapshot(bytes)
      return found?.kit.uuid === kit && found.kit.version === version ? found : undefined
    }
    const kept = await store.peek(key)
    const snapshot = ofVersion(kept?.bytes)
    if (kept && snapshot) {
      shared.save(snapshot.kit, contentOf(kept.bytes))
      integrities.set(snapshot.kit, kept.integrity)
      return snapshot
    }
    const bytes = await shared.find(kit, version)
    const found = ofVersion(bytes)
    if (!bytes || !found) return undefined
    const { integrity } = await store.put(key, bytes)
    integrities.set(found.kit, integrity)
    return found
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
      // A record without dates and revision does not show changes of its draft, which is then always reloaded.
      const showsChanges = kit.version === 0 && (record.dateUpdated !== undefined || record.revision !== undefined)
      const snapshot: Snapshot = showsChanges ? { kit, record } : { kit }
      const key = snapshotKey({ space, kit: kit.uuid, version: kit.version })
      const content = await store.putParts(key, bytesOf(snapshotParts(snapshot)))
      shared.save(kit, content)
      integrities.set(kit, content.integrity)
    },
    integrityOf: (kit) => integrities.get(kit),
  }
}

async function* bytesOf(parts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part)
}

/** Stores nothing. For folders, which are fast to read. */
export const noSnapshots: Snapshots = {
  current: async () => undefined,
  last: async () => undefined,
  keep: async () => {},
  integrityOf: () => undefined,
}
