import type { NamedKit } from '../kit/named-kit.js'
import { hasSeveralVersions } from './record.js'
import type { Lock, LockedKit } from './schema.js'

/** The `file_hash` of assets, by uuid. */
type Hashes = ReadonlyMap<string, string | undefined>

/** A folder without uuids derives them from paths, as version 5. Other uuids say that an asset is another one. */
const derived = /^.{14}5/

/**
 * Finds files that were renamed in a folder without uuids: an asset that is gone and a new one have the same
 * `file_hash`, and no other such asset has it.
 * @returns uuids before the rename, by the new uuid
 */
export function findRenamed(before: Hashes, after: Hashes): Map<string, string> {
  const gone = uniqueByHash([...before].filter(([uuid]) => !after.has(uuid)))
  const added = uniqueByHash([...after].filter(([uuid]) => !before.has(uuid)))
  return new Map(
    [...added].flatMap(([hash, uuid]) => {
      const earlier = gone.get(hash)
      return earlier === undefined ? [] : [[uuid, earlier] as const]
    }),
  )
}

function uniqueByHash(assets: readonly (readonly [string, string | undefined])[]): Map<string, string> {
  const uuids = new Map<string, string>()
  const several = new Set<string>()
  for (const [uuid, hash] of assets) {
    if (hash === undefined || !derived.test(uuid)) continue
    if (uuids.has(hash)) several.add(hash)
    uuids.set(hash, uuid)
  }
  for (const hash of several) uuids.delete(hash)
  return uuids
}

/** Gives the entries of renamed files to their new uuids. @param versions of the kit that the run has loaded */
export function followRenamedIn<T extends LockedKit>(locked: T, versions: readonly NamedKit['kit'][]): T {
  const renamed = versions.length === 0 ? new Map<string, string>() : renamedInKit(locked, versions)
  return renamed.size === 0 ? locked : { ...locked, assets: withNewKeys(locked.assets, renamed) }
}

/** Does so in all kits. @param loaded the kits of a run */
export function followRenamed(lock: Lock, loaded: readonly NamedKit[]): Lock {
  const kits = Object.entries(lock.kits).map(([uuid, locked]) => {
    const versions = loaded.flatMap(({ kit }) => (kit.uuid === uuid ? kit : []))
    return [uuid, followRenamedIn(locked, versions)] as const
  })
  return { ...lock, kits: Object.fromEntries(kits) }
}

/** The lockfile does not separate the assets of versions, so with several versions nothing is known to be gone. */
function renamedInKit(locked: LockedKit, versions: readonly NamedKit['kit'][]): Map<string, string> {
  if (hasSeveralVersions(locked)) return new Map()
  const before = Object.entries(locked.assets).filter(([, { lastSeen }]) => lastSeen === undefined)
  // In almost every run, nothing is gone, and the rest takes long for thousands of assets.
  if (before.every(([uuid]) => versions.some(({ assets }) => Object.hasOwn(assets, uuid)))) return new Map()
  const after = versions.flatMap(({ assets }) => Object.values(assets))
  // An asset that was removed and is back keeps its own names.
  const added = after.filter(({ uuid }) => locked.assets[uuid]?.lastSeen === undefined)
  return findRenamed(
    new Map(before.map(([uuid, { file_hash: hash }]) => [uuid, hash])),
    new Map(added.map(({ uuid, fileHash }) => [uuid, fileHash])),
  )
}

function withNewKeys<T>(table: Readonly<Record<string, T>>, renamed: ReadonlyMap<string, string>): Record<string, T> {
  const news = new Map([...renamed].map(([uuid, earlier]) => [earlier, uuid]))
  return Object.fromEntries(Object.entries(table).map(([uuid, value]) => [news.get(uuid) ?? uuid, value]))
}
