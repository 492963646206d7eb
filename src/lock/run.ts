import { ContentSpaceError } from '../errors.js'
import type { GivenKitNames, NamedKit } from '../kit/named-kit.js'
import type { VersionSelector } from '../request/request.js'
import { suggestion } from '../text/nearest.js'
import { createDownloads } from './downloads.js'
import { lockDrift } from './drift.js'
import { keepFormer } from './former.js'
import { lastVersion, recordKits, type LoadedReference } from './record.js'
import { followRenamed, followRenamedIn } from './renamed.js'
import { replacedFiles } from './replaced.js'
import type { Lock, LockedKit, LockedVersion } from './schema.js'

/** What `content-space update` resolves again: versions, snapshots and hashes. */
export interface UpdateOptions {
  /** Uuid or slug. Default: every kit of the lockfile. */
  kit?: string
  /** Whether names are generated again as well. */
  rename: boolean
  /** With `rename`: whether the source gets the new names. Otherwise, the lines to change are only reported. */
  write?: boolean
}

/** A selector of a kit that resolves to another version than before. */
export interface VersionChange {
  /** The kit's slug. */
  kit: string
  selector: string
  from: LockedVersion | undefined
  to: LockedVersion
}

/**
 * Records what a run loads and downloads, and computes the lock that it leads to.
 * @param base returns the lockfile as it was read
 * @param hashes whether the results contain the hashes of downloads
 * @internal
 */
export function createRun(base: () => Lock, update: UpdateOptions | undefined, hashes: boolean) {
  /** Uuids of the kits that the run resolves again. */
  const updated = update ? updatedKits(base(), update) : new Set<string>()
  const loaded = new Map<string, Omit<LoadedReference, 'explicit'>>()
  const explicit = new Set<string>()
  const downloads = createDownloads()
  /** Until something changes them. `hashed`: with the hashes of this many downloads. */
  let computed: { lock: Lock; drift: readonly string[]; hashed?: { lock: Lock; count: number } } | undefined
  /** The results up to the last time that a loaded kit was replaced by a newer state of it. */
  let carried: Lock | undefined

  /** The lockfile without what this run resolves again. */
  const start = (): Lock => withoutUpdated(base(), updated, update?.rename)
  const kits = () => [...loaded.values()].map(({ named }) => named)

  /** Returns the lock without hashes of downloads, and how it differs from the lockfile. */
  function results(): NonNullable<typeof computed> {
    if (computed) return computed
    const named = kits()
    const references = [...loaded].map(([key, reference]) => ({ ...reference, explicit: explicit.has(key) }))
    const before = followRenamed(base(), named)
    const recorded = recordKits(followRenamed(carried ?? start(), named), references)
    const lock = keepFormer(recorded, before, update?.rename ? updated : new Set())
    computed = { lock, drift: lockDrift(before, lock) }
    return computed
  }

  function current(): Lock {
    const made = results()
    if (!hashes) return made.lock
    const count = downloads.count()
    if (made.hashed?.count !== count) made.hashed = { lock: downloads.addTo(made.lock, base(), kits()), count }
    return made.hashed.lock
  }

  return {
    updated,
    hasLoaded: () => loaded.size > 0,
    results,
    addDownload: downloads.add,
    /** Called when `base` has changed. @param isReplaced whether what was loaded is out of date */
    restart(this: void, isReplaced: boolean): void {
      if (isReplaced) {
        loaded.clear()
        carried = undefined
      }
      computed = undefined
    },
    current,
    /**
     * Returns the locked names of a kit and its contents.
     * @param one to find files that were renamed in a folder without uuids
     */
    names: (kit: string, one: NamedKit['kit']): GivenKitNames => ({
      ...namesIn(start(), kit, one),
      ...(update?.rename && updated.has(kit) && { dropped: namesIn(base(), kit, one) }),
    }),
    /** Returns the names of a kit that this run has given or found, for a kit that is loaded again. */
    namesOfRun: (kit: string, one: NamedKit['kit']) => namesIn(results().lock, kit, one),
    /** Records a loaded kit. Called for each request, because each selector is locked. */
    record(this: void, named: NamedKit, selector: VersionSelector): void {
      const key = `${named.kit.uuid}@${selector}`
      const before = loaded.get(key)?.named
      if (before === named) return
      if (before !== undefined) carried = results().lock
      loaded.set(key, { selector, named })
      computed = undefined
    },
    /** Records that the source contains this selector. */
    markExplicit(this: void, kit: string, selector: VersionSelector): void {
      const key = `${kit}@${selector}`
      // Only a version number is recorded because the source contains it.
      if (typeof selector === 'number' && !explicit.has(key)) computed = undefined
      explicit.add(key)
    },
    versionChanges: () => versionChanges(base(), results().lock),
    replaced: () => replacedFiles(base(), current()),
  }
}

function namesIn({ kits }: Lock, kit: string, loaded: NamedKit['kit']): GivenKitNames {
  const locked = kits[kit]
  if (locked === undefined) return {}
  const names = { ...locked, last: lastVersion(locked, loaded.version || undefined) }
  return followRenamedIn(names, [loaded])
}

/**
 * Returns the uuids of the kits to update.
 * @throws ContentSpaceError `kitNotFound` for a kit that is not in the lockfile
 */
function updatedKits({ kits }: Lock, { kit: name }: UpdateOptions): ReadonlySet<string> {
  if (name === undefined) return new Set(Object.keys(kits))
  const found = Object.entries(kits).find(([uuid, { slug, aliases = [] }]) => [uuid, slug, ...aliases].includes(name))
  if (found !== undefined) return new Set([found[0]])
  const slugs = Object.values(kits).map(({ slug }) => slug)
  throw new ContentSpaceError('kitNotFound', `Kit ${name} is not in the lockfile.`, {
    hint: slugs.length === 0 ? 'Import it and run `content-space sync`.' : suggestion(name, slugs, 'kits'),
  })
}

/** Returns the lock without what an update of these kits resolves again. */
function withoutUpdated(lock: Lock, uuids: ReadonlySet<string>, rename = false): Lock {
  const without = rename ? withoutNames : withoutHashes
  const kits = Object.entries(lock.kits).map(([uuid, kit]) => [uuid, uuids.has(uuid) ? without(kit) : kit])
  return { ...lock, kits: Object.fromEntries(kits) }
}

function withoutNames({ selectors }: LockedKit): LockedKit {
  return { slug: '', selectors, sections: {}, headings: {}, assets: {} }
}

function withoutHashes(kit: LockedKit): LockedKit {
  const assets = Object.entries(kit.assets).map(([uuid, asset]) => [uuid, { ...asset, files: {} }] as const)
  return { ...kit, assets: Object.fromEntries(assets) }
}

function versionChanges(before: Lock, after: Lock): VersionChange[] {
  return Object.entries(after.kits).flatMap(([uuid, { slug: kit, selectors }]) =>
    Object.entries(selectors).flatMap(([selector, to]) => {
      const from = before.kits[uuid]?.selectors[selector]
      return from?.version === to.version && from.versionIdentifier === to.versionIdentifier && from.date === to.date
        ? []
        : [{ kit, selector, from, to }]
    }),
  )
}
