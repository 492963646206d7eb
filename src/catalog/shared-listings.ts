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
  /** Writes a version. */
  save(this: void, kit: LoadedKit, content: Content): void
}

export const noSharedListings: SharedListings = { find: async () => undefined, save: () => {} }

/** @param space the key of the space */
export function openSharedListings(
  remote: Remote,
  space: string,
  lock: Pick<LockSession, 'lockedKit'>,
): SharedListings {
  return {
    async find(kit, version) {
      const state = lockedState(lock, kit, version)
      if (version === 0 || state === undefined) return undefined
      const content = await remote.find(entryOf({ space, kit, version, state }), receiveInMemory)
      return content && readContent(content)
    },
    save({ uuid: kit, version, dateUpdated, assets }, content) {
      if (version === 0) return
      const hashes = Object.values(assets).map(({ uuid, fileHash }) => [uuid, fileHash] as const)
      const state = stateOf(dateUpdated, hashes)
      remote.save(entryOf({ space, kit, version, state }), content.integrity, async () => content)
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
