import { snapshotKey } from '../disk/cache-layout.js'
import { integrityOf, readContent, type Content } from '../disk/content.js'
import { receiveInMemory } from '../files/store-entries.js'
import type { LoadedKit } from '../kit/load.js'
import type { LockSession } from '../lock/session.js'
import type { Remote, SignedEntry } from '../remote/remote.js'
import { compareStrings } from '../text/compare.js'

/** Published versions of kits in the remote cache. */
export interface SharedListings {
  /** Returns a version as the lockfile describes it. */
  find(this: void, kit: string, version: number): Promise<Uint8Array | undefined>
  /**
   * Loads a version that `find` has not found, and that `load` also saves. Of several runners with the same locked
   * version, one loads it, and the others find what it has saved.
   */
  load(
    this: void,
    kit: string,
    version: number,
    load: () => Promise<LoadedKit>,
  ): Promise<{ bytes: Uint8Array } | { kit: LoadedKit }>
  /** Ignores a version that `find` or `load` has returned, so that the one that is loaded instead replaces it. */
  reject(this: void, kit: string, version: number): void
  /** Writes a version. */
  save(this: void, kit: LoadedKit, content: Content): void
}

export const noSharedListings: SharedListings = {
  find: async () => undefined,
  load: async (_kit, _version, load) => ({ kit: await load() }),
  reject: () => {},
  save: () => {},
}

/** @param space the key of the space */
export function openSharedListings(
  remote: Remote,
  space: string,
  lock: Pick<LockSession, 'lockedKit'>,
): SharedListings {
  /** Undefined for a version that the lockfile does not describe: what is out of date cannot be recognized. */
  function lockedEntry(kit: string, version: number): SignedEntry | undefined {
    const state = version === 0 ? undefined : lockedState(lock, kit, version)
    return state === undefined ? undefined : entryOf({ space, kit, version, state })
  }

  function loadedEntry({ uuid: kit, version, dateUpdated, assets }: LoadedKit): SignedEntry {
    const hashes = Object.values(assets).map(({ uuid, fileHash }) => [uuid, fileHash] as const)
    return entryOf({ space, kit, version, state: stateOf(dateUpdated, hashes) })
  }

  return {
    async find(kit, version) {
      const entry = lockedEntry(kit, version)
      const content = entry && (await remote.find(entry, receiveInMemory))
      return content && readContent(content)
    },
    async load(kit, version, load) {
      const entry = lockedEntry(kit, version)
      if (!entry) return { kit: await load() }
      const loaded = await remote.load(entry, receiveInMemory, async () => ({ kit: await load() }))
      if (!('kit' in loaded)) return { bytes: await readContent(loaded) }
      // The service may list another state, which was saved as another entry.
      if (loadedEntry(loaded.kit).key !== entry.key) remote.drop(entry)
      return loaded
    },
    reject(kit, version) {
      const entry = lockedEntry(kit, version)
      if (entry) remote.reject(entry)
    },
    save(kit, content) {
      if (kit.version !== 0) remote.save(loadedEntry(kit), content.integrity, async () => content)
    },
  }
}

/** A version has one entry for each state, so that an older entry is not found in place of the locked one. */
function entryOf({ state, ...key }: { space: string; kit: string; version: number; state: string }): SignedEntry {
  return { kind: 'kit', key: [snapshotKey(key), state].join('\n') }
}

/** Returns the state of a version that is locked. */
function lockedState({ lockedKit }: Pick<LockSession, 'lockedKit'>, kit: string, version: number): string | undefined {
  const locked = lockedKit(kit)
  const selector = Object.values(locked?.selectors ?? {}).find((one) => one.version === version)
  if (locked === undefined || selector === undefined) return undefined
  const assets = Object.entries(locked.assets).filter(([, { lastSeen }]) => lastSeen === undefined)
  return stateOf(
    selector.date,
    assets.map(([uuid, { file_hash: hash }]) => [uuid, hash] as const),
  )
}

/** The date of a version, or the hashes of its files if the service sends no date. */
function stateOf(date: string | undefined, hashes: readonly (readonly [string, string | undefined])[]): string {
  if (date !== undefined) return `date ${date}`
  const lines = hashes.map(([uuid, hash = '']) => `${uuid} ${hash}`).toSorted(compareStrings)
  return `files ${integrityOf(lines.join('\n'))}`
}
