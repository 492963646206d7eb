import { namesOf } from '../kit/names.js'
import { compareStrings } from '../text/compare.js'
import { versionBesides } from './record.js'
import type { Lock, LockedAsset, LockedKit, LockedSlug } from './schema.js'

/** What the lockfile names: a kit, a section, a heading or an asset. */
type Entry = LockedSlug | LockedAsset

/** Returns an entry with the former names of several states of it, except for those that work. */
export function withFormer<T extends Entry>(entry: T, former: readonly (readonly string[] | undefined)[]): T {
  const current = new Set(namesOf(entry))
  const dropped = new Set(former.flatMap((names) => names ?? []).filter((name) => name !== '' && !current.has(name)))
  return dropped.size === 0 ? entry : { ...entry, former: [...dropped].toSorted(compareStrings) }
}

/**
 * Keeps the former names of a lock in the next one.
 * @param released the kits whose earlier names no longer work
 */
export function keepFormer(lock: Lock, before: Lock, released: ReadonlySet<string>): Lock {
  const kits = Object.entries(lock.kits).map(([uuid, kit]): [string, LockedKit] => {
    const was = before.kits[uuid]
    if (was === undefined) return [uuid, kit]
    const keep = <T extends Entry>(entry: T, earlier: Entry | undefined): T =>
      earlier === undefined
        ? entry
        : withFormer(entry, [earlier.former, released.has(uuid) ? namesOf(earlier) : undefined])
    const keepIn = <T extends Entry>(table: Record<string, T>, earlier: Record<string, T>): Record<string, T> =>
      Object.fromEntries(Object.entries(table).map(([key, entry]) => [key, keep(entry, earlier[key])]))
    const { sections, headings } = kit
    const assets = keepIn(kit.assets, was.assets)
    return [
      uuid,
      {
        ...keep(kit, was),
        sections: keepIn(sections, was.sections),
        headings: keepIn(headings, was.headings),
        assets: released.has(uuid) ? { ...removedAssets(kit, assets, was), ...assets } : assets,
      },
    ]
  })
  return { ...lock, kits: Object.fromEntries(kits) }
}

/** Returns the assets that a kit no longer has, for errors about their imports. Their names may have new owners. */
function removedAssets({ selectors }: LockedKit, assets: LockedKit['assets'], was: LockedKit): LockedKit['assets'] {
  const lastSeen = versionBesides(
    was,
    Object.values(selectors).map(({ version }) => version),
  )
  const taken = new Set(Object.values(assets).flatMap(namesOf))
  const removed = Object.entries(was.assets).filter(
    ([uuid, asset]) => !Object.hasOwn(assets, uuid) && !namesOf(asset).some((name) => taken.has(name)),
  )
  return Object.fromEntries(removed.map(([uuid, asset]) => [uuid, { lastSeen, ...asset }]))
}
