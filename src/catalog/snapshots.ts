import { isDeepStrictEqual } from 'node:util'
import { snapshotKey } from '../disk/cache-layout.js'
import type { Content } from '../disk/content.js'
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
  /** Runs work that makes the bytes of a key. Other processes wait before theirs for the same key. */
  alone<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** Versions of kits that were loaded completely, in the cache. */
export interface Snapshots {
  /**
   * Returns a version that is up to date.
   * @param record returns the record of the kit. Called for drafts only, which are up to date while the record is the
   *   same.
   */
  current(kit: string, version: number, record: () => Promise<KitRecord>): Promise<LoadedKit | undefined>
  /**
   * Loads and keeps a version that `current` has not found. Of several processes and runners that do so at once, one
   * loads it. The others wait for its snapshot.
   */
  once(
    kit: string,
    version: number,
    record: () => Promise<KitRecord>,
    load: () => Promise<LoadedKit>,
  ): Promise<LoadedKit>
  /** Returns a version as it was when it was loaded last. */
  last(kit: string, version: number): Promise<LoadedKit | undefined>
  /** Stores a version. @param record of the kit when the version was loaded */
  keep(kit: LoadedKit, record: KitRecord): Promise<void>
  /** Returns the hash (`sha256-…`) of the snapshot that a kit was read from or stored in. */
  integrityOf(kit: LoadedKit): string | undefined
}

export interface SnapshotsContext {
  /** The key of the space, because spaces share the cache. */
  space: string
  /** Whether every snapshot counts as up to date, because nothing can be loaded. */
  offline: boolean
  /** Whether a version has the files of the lockfile. Its date stays the same when a file in it is replaced. */
  isAsLocked: (kit: LoadedKit) => boolean
  /** Listings of other runners. Default: none. */
  shared?: SharedListings
}

interface KeptSnapshot {
  snapshot: Snapshot
  isUsable: boolean
}

export function openSnapshots(
  store: KitStore,
  { space, offline, isAsLocked, shared = noSharedListings }: SnapshotsContext,
): Snapshots {
  const integrities = new WeakMap<LoadedKit, string>()

  /** Returns what the cache of this machine has. Ignores invalid entries, so that the kit is loaded again. */
  async function readKept(kit: string, version: number): Promise<KeptSnapshot | undefined> {
    const kept = await store.peek(snapshotKey({ space, kit, version }))
    const snapshot = readVersion(kit, version, kept?.bytes)
    if (!kept || !snapshot) return undefined
    integrities.set(snapshot.kit, kept.integrity)
    const isLocked = isAsLocked(snapshot.kit)
    if (isLocked) shared.save(snapshot.kit, { ...kept, size: kept.bytes.length })
    return { snapshot, isUsable: isLocked || offline }
  }

  async function read(kit: string, version: number, find = shared.find): Promise<Snapshot | undefined> {
    const kept = await readKept(kit, version)
    return kept?.isUsable ? kept.snapshot : adopt(kit, version, await find(kit, version))
  }

  /** Keeps a version that another runner has loaded. */
  async function adopt(kit: string, version: number, bytes: Uint8Array | undefined): Promise<Snapshot | undefined> {
    const found = readVersion(kit, version, bytes)
    if (!bytes || !found) return undefined
    if (!isAsLocked(found.kit)) {
      shared.reject(kit, version)
      return undefined
    }
    const { integrity } = await store.put(snapshotKey({ space, kit, version }), bytes)
    integrities.set(found.kit, integrity)
    return found
  }

  async function ifCurrent(snapshot: Snapshot | undefined, record: () => Promise<KitRecord>) {
    if (snapshot === undefined || snapshot.kit.version !== 0 || offline) return snapshot?.kit
    const now: unknown = JSON.parse(JSON.stringify(await record()))
    return snapshot.record !== undefined && isDeepStrictEqual(snapshot.record, now) ? snapshot.kit : undefined
  }

  return {
    current: async (kit, version, record) => ifCurrent(await read(kit, version), record),
    async once(kit, version, record, load) {
      // No process can use the snapshot of another one, so none waits.
      if (offline || (version === 0 && !showsChanges(await record()))) return load()
      return store.alone(snapshotKey({ space, kit, version }), async () => {
        // The remote cache was asked before.
        const made = await read(kit, version, noSharedListings.find)
        const current = await ifCurrent(made, record)
        if (current) return current
        const loaded = await shared.load(kit, version, load)
        if ('kit' in loaded) return loaded.kit
        return (await adopt(kit, version, loaded.bytes))?.kit ?? load()
      })
    },
    async last(kit, version) {
      const kept = await readKept(kit, version)
      return (kept?.snapshot ?? (await adopt(kit, version, await shared.find(kit, version))))?.kit
    },
    async keep(kit, record) {
      const snapshot: Snapshot = kit.version === 0 && showsChanges(record) ? { kit, record } : { kit }
      const key = snapshotKey({ space, kit: kit.uuid, version: kit.version })
      const content = await store.putParts(key, bytesOf(snapshotParts(snapshot)))
      shared.save(kit, content)
      integrities.set(kit, content.integrity)
    },
    integrityOf: (kit) => integrities.get(kit),
  }
}

/** Returns a snapshot if it is valid and of this version. */
function readVersion(kit: string, version: number, bytes: Uint8Array | undefined): Snapshot | undefined {
  const found = bytes && readSnapshot(bytes)
  return found?.kit.uuid === kit && found.kit.version === version ? found : undefined
}

async function* bytesOf(parts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part)
}

/** Whether a record shows changes of its draft. Without dates and revision, the draft is always reloaded. */
function showsChanges({ dateUpdated, revision }: KitRecord): boolean {
  return dateUpdated !== undefined || revision !== undefined
}

/** Stores nothing. For folders, which are fast to read. */
export const noSnapshots: Snapshots = {
  current: async () => undefined,
  once: (_kit, _version, _record, load) => load(),
  last: async () => undefined,
  keep: async () => {},
  integrityOf: () => undefined,
}
