import type { LoadedKit } from '../kit/load.js'
import type { LockedAsset } from './schema.js'

/** The `file_hash` of assets, by uuid. */
type Hashes = ReadonlyMap<string, string | undefined>

/**
 * Matches a version 5 uuid, which a folder without uuids derives from a path. Any other uuid identifies its asset
 * reliably.
 */
const derived = /^.{14}5/

/**
 * Finds files that were renamed in a folder without uuids: a missing asset and a new asset have the same `file_hash`,
 * and no other missing or new asset has it.
 * @returns uuids before the rename, by the new uuid
 */
export function findRenamed(before: Hashes, after: Hashes): Map<string, string> {
  const gone = uniqueByHash([...before].filter(([uuid]) => !after.has(uuid)))
  if (gone.size === 0) return new Map()
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

/** Moves the lines of renamed files to their new uuids. */
export function followRenamed(
  lines: Readonly<Record<string, LockedAsset>>,
  { assets }: Pick<LoadedKit, 'assets'>,
): Readonly<Record<string, LockedAsset>> {
  const before = Object.entries(lines).filter(([, { lastSeen }]) => lastSeen === undefined)
  // In almost every run, no asset is missing.
  if (before.every(([uuid]) => Object.hasOwn(assets, uuid))) return lines
  // An asset that was removed and came back keeps its own names.
  const after = Object.values(assets).filter(({ uuid }) => lines[uuid]?.lastSeen === undefined)
  const renamed = findRenamed(
    new Map(before.map(([uuid, { record }]) => [uuid, hashIn(record)])),
    new Map(after.map(({ uuid, fileHash }) => [uuid, fileHash])),
  )
  const now = new Map([...renamed].map(([uuid, earlier]) => [earlier, uuid]))
  return renamed.size === 0
    ? lines
    : Object.fromEntries(Object.entries(lines).map(([uuid, line]) => [now.get(uuid) ?? uuid, line]))
}

function hashIn(record: LockedAsset['record']): string | undefined {
  const hash = record?.['file_hash']
  return typeof hash === 'string' ? hash.toLowerCase() : undefined
}
