import { ContentSpaceError } from '../errors.js'
import { contentDigest } from '../kit/content-digest.js'
import { headingsOf, type GivenKitNames, type NamedKit } from '../kit/named-kit.js'
import type { VersionSelector } from '../request/request.js'
import { compareStrings } from '../text/compare.js'
import { suggestion } from '../text/nearest.js'
import { createDownloads } from './downloads.js'
import { keepFormer } from './former.js'
import { hasSeveralVersions, lockedContent, type LoadedReference, recordKits, versionBesides } from './record.js'
import { followRenamed, followRenamedIn } from './renamed.js'
import { replacedFiles } from './replaced.js'
import type { Lock, LockedAsset, LockedKit, LockedSlug, LockedVersion } from './schema.js'

/** What `content-space update` resolves again: versions, snapshots and hashes. */
export interface UpdateOptions {
  /** Uuid or slug. Default: every kit of the lockfile. */
  kit?: string
  /** Whether names are generated again as well. */
  rename: boolean
  /** With `rename`: whether the source gets the new names. Otherwise, the lines to change are only reported. */
  write?: boolean
  /** With `write`: whether the source may have changes that are not committed in Git. */
  force?: boolean
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
  /** The kits that `carried` was computed from. Several versions are replaced at a time, and each has the same. */
  let carriedKits: readonly NamedKit[] = []

  /** The lockfile without what this run resolves again. */
  const start = (): Lock => withoutUpdated(base(), updated, update?.rename)
  const kits = () => [...loaded.values()].map(({ named }) => named)

  /** Returns the lock without hashes of downloads, and how it differs from the lockfile. */
  function results(): NonNullable<typeof computed> {
    if (computed) return computed
    const named = kits()
    const references = [...loaded].map(([key, reference]) => ({ ...reference, explicit: explicit.has(key) }))
    const before = followRenamed(base(), named)
    const released = update?.rename ? updated : new Set<string>()
    const lock = keepFormer(recordKits(followRenamed(carried ?? start(), named), references), before, released)
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
    /** Whether a loaded version lists a file with this `file_hash`, and is as it is locked, or not locked. */
    isListed: (asset: string, hash: string) =>
      kits().some(({ kit }) => {
        if (kit.assets[asset]?.fileHash !== hash) return false
        const locked = lockedContent(base().kits[kit.uuid], kit.version)
        return locked === undefined || locked.digest === contentDigest(kit)
      }),
    results,
    addDownload: downloads.add,
    /** Called when `base` has changed. @param isReplaced whether what was loaded is out of date */
    restart(this: void, isReplaced: boolean): void {
      if (isReplaced) {
        loaded.clear()
        carried = undefined
        carriedKits = []
      }
      computed = undefined
    },
    current,
    /**
     * Returns the names of a kit and its contents that are locked, or that this run has given.
     * @param one to find files that were renamed in a folder without uuids
     */
    names(this: void, kit: string, one: NamedKit['kit']): GivenKitNames {
      const given = namesIn(kits().some((known) => known.kit.uuid === kit) ? results().lock : start(), kit, one)
      if (!update?.rename || !updated.has(kit)) return given
      const dropped = namesIn(base(), kit, one)
      return { ...given, ...(hasSeveralVersions(base().kits[kit]) && withNamesOfOthers(given, dropped, one)), dropped }
    },
    /** Records a loaded kit. Called for each request, because each selector is locked. */
    record(this: void, named: NamedKit, selector: VersionSelector): void {
      const key = `${named.kit.uuid}@${selector}`
      const before = loaded.get(key)?.named
      if (before === named) return
      if (before !== undefined && !carriedKits.includes(before)) {
        carried = results().lock
        carriedKits = kits()
      }
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

/** Adds the names of what only other versions contain: they are not free. */
function withNamesOfOthers(given: GivenKitNames, dropped: GivenKitNames, one: NamedKit['kit']): GivenKitNames {
  const own = new Set([
    ...Object.keys(one.assets),
    ...one.sections.flatMap((part) => [part, ...headingsOf(part)]).map(({ uuid }) => uuid),
  ])
  const others = <T extends object>(table: Readonly<Record<string, T>> = {}): Record<string, T> =>
    Object.fromEntries(Object.entries(table).filter(([uuid, entry]) => !own.has(uuid) && !('lastSeen' in entry)))
  return {
    assets: { ...others(dropped.assets), ...given.assets },
    sections: { ...others(dropped.sections), ...given.sections },
    headings: { ...others(dropped.headings), ...given.headings },
  }
}

function namesIn({ kits }: Lock, kit: string, loaded: NamedKit['kit']): GivenKitNames {
  const locked = kits[kit]
  if (locked === undefined) return {}
  const names = { ...locked, last: versionBesides(locked, [loaded.version]) }
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
  const assets = Object.entries(kit.assets).map(([uuid, locked]) => {
    const { revisions: _, ...asset } = locked
    return [uuid, { ...asset, files: {} }] as const
  })
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

/**
 * Lists how a run would change a lockfile, one line for each difference, sorted. Hashes of new downloads do not
 * count. For a draft, which changes often, only names are compared.
 */
export function lockDrift(before: Lock, after: Lock): string[] {
  const differences = Object.entries(after.kits).flatMap(([uuid, kit]) => {
    const locked = before.kits[uuid]
    if (locked === undefined) return [`kit ${kit.slug} (${uuid}) is not in the lockfile`]
    return kitDrift(locked, kit).map((difference) => `kit ${locked.slug}: ${difference}`)
  })
  return differences.toSorted(compareStrings)
}

function kitDrift(before: LockedKit, after: LockedKit): string[] {
  const hasDraft = Object.values(after.selectors).some(({ version }) => version === 0)
  return [
    ...slugDrift('the kit', before, after),
    ...Object.entries(after.selectors).flatMap(([selector, version]) => versionDrift(before, selector, version)),
    ...tableDrift('section', before.sections, after.sections, (was, is) => slugDrift(`section ${was.slug}`, was, is)),
    ...tableDrift('heading', before.headings, after.headings, (was, is) => slugDrift(`heading ${was.slug}`, was, is)),
    ...tableDrift('asset', before.assets, after.assets, (was, is) => assetDrift(was, is, hasDraft)),
  ]
}

function versionDrift({ selectors }: LockedKit, selector: string, { version, content }: LockedVersion): string[] {
  // A version number always means that version: if it is locked by another selector, nothing can change.
  if (selector === String(version) && Object.values(selectors).some((locked) => locked.version === version)) return []
  const locked = selectors[selector]
  if (locked === undefined) return [`version ${selector} is not in the lockfile`]
  if (locked.version !== version) return [`version ${selector} is ${version}, but ${locked.version} in the lockfile`]
  const isSame = locked.content === undefined || content === undefined || locked.content === content
  return isSame ? [] : [`version ${version} is listed with other content than in the lockfile`]
}

function tableDrift<T extends { slug: string }>(
  what: string,
  before: Record<string, T>,
  after: Record<string, T>,
  compare: (was: T, is: T) => string[],
): string[] {
  return Object.entries(after).flatMap(([uuid, is]) => {
    const was = before[uuid]
    return was === undefined ? [`${what} ${is.slug} (${uuid}) is not in the lockfile`] : compare(was, is)
  })
}

function slugDrift(what: string, was: LockedSlug, is: LockedSlug): string[] {
  return was.slug === is.slug ? [] : [`${what} is now called ${is.slug}`]
}

function assetDrift(was: LockedAsset, is: LockedAsset, hasDraft: boolean): string[] {
  const differences: string[] = []
  if (was.name !== is.name || was.slug !== is.slug) {
    differences.push(`asset ${was.name} (${was.slug}) is now called ${is.name} (${is.slug})`)
  }
  if (was.lastSeen === undefined && is.lastSeen !== undefined) differences.push(`asset ${was.name} was removed`)
  if (was.lastSeen !== undefined && is.lastSeen === undefined) differences.push(`asset ${was.name} was added again`)
  if (!hasDraft && was.file_hash !== is.file_hash) {
    differences.push(
      `asset ${was.name} has file_hash ${is.file_hash ?? 'none'}, but ${was.file_hash ?? 'none'} in the lockfile`,
    )
  }
  return differences
}
