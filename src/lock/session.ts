import { suggestion } from '../text/nearest.js'
import { ContentSpaceError } from '../errors.js'
import { integrityOf } from '../disk/content.js'
import { readText } from '../disk/replace-file.js'
import { stateOf } from '../disk/state.js'
import type { GivenKitNames, NamedKit } from '../kit/named-kit.js'
import type { GivenSlugs } from '../kit/names.js'
import { parseVersion, type KitReference, type VersionSelector } from '../request/request.js'
import { createDownloads, type DownloadedFile } from './downloads.js'
import { lockDrift } from './drift.js'
import { writeLock } from './lockfile.js'
import { filesOf, lazyLock, readLockOfSpace } from './lock-of-space.js'
import { keepFormer } from './former.js'
import { replacedFiles } from './replaced.js'
import { followRenamed, followRenamedNames } from './renamed.js'
import { lastVersion, recordKits, selectorText, type LoadedReference } from './record.js'
import { formatLock } from './format.js'
import { type Lock, type LockedKit, type LockedVersion } from './schema.js'

/** @internal */
export type LockSession = Awaited<ReturnType<typeof openLockSession>>

export interface LockSessionContext {
  lockfile: string | false
  /** The id of the space, if it is known. */
  spaceId: string | undefined
  frozen: boolean
  /** Whether hashes of downloads are written. A dev server loads only the files that pages request. */
  hashes: boolean
  update?: UpdateOptions | undefined
  /** The lockfile and its hash (`sha256-…`), if an earlier run has found it valid. It is parsed when it is needed. */
  verified?: { text: string; digest: string } | undefined
  /** Called when the lockfile contains both sides of a merge, which were merged. */
  warn: (message: string, lines: readonly string[]) => void
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
 * Opens the lockfile of a project for one run: what earlier runs have resolved, and what this run adds.
 *
 * Longer than other functions, because its methods share the state of the run. What they compute is in the other files
 * of this folder.
 * @throws ContentSpaceError `invalidLock`, also for the lockfile of another space
 * @internal
 */
export async function openLockSession(context: LockSessionContext) {
  const { lockfile, frozen, hashes, update, verified } = context
  /** Returns the lockfile as it was read. */
  const known = verified === undefined ? undefined : lazyLock(verified.text, context)
  /** Whether the file contains both sides of a merge, until this run writes it. */
  let isUnmerged = false
  let base = known?.lock ?? constant(await read())
  /** The lockfile as this run wrote it last, since it was read. */
  let written: { lock: Lock; state: string | undefined } | undefined
  /** Results of this run, until something changes them. */
  let results: { lock: Lock; drift: readonly string[] } | undefined
  /** The results with the hashes of this many downloads. */
  let hashed: { from: typeof results; count: number; lock: Lock } | undefined
  /** The results up to the last time that a loaded kit was replaced by a newer state of it. */
  let carried: Lock | undefined
  const loaded = new Map<string, Omit<LoadedReference, 'explicit'>>()
  const explicit = new Set<string>()
  const downloads = createDownloads()
  /** Whether a run that has loaded nothing has downloads that the lockfile does not have. */
  let hasNewFiles = false
  const updated = update ? updatedKits(base(), update) : new Set<string>()

  async function read(): Promise<Lock> {
    const { lock, merged } = await readLockOfSpace(context, frozen)
    isUnmerged = merged !== undefined
    if (merged) context.warn(`${lockfile} contains both sides of a merge. They were merged.`, merged)
    return lock
  }

  /** The lockfile without what this run resolves again. */
  const start = (): Lock => withoutUpdated(base(), updated, update?.rename === true)

  function compute(): { lock: Lock; drift: readonly string[] } {
    const references = [...loaded].map(([key, reference]) => ({ ...reference, explicit: explicit.has(key) }))
    const kits = references.map(({ named }) => named)
    const before = followRenamed(base(), kits)
    const recorded = recordKits(followRenamed(carried ?? start(), kits), references)
    const lock = keepFormer(recorded, before, update?.rename ? updated : new Set())
    return { lock, drift: lockDrift(before, lock) }
  }
  const current = () => (results ??= compute())

  function withHashes(): Lock {
    const from = current()
    if (!hashes) return from.lock
    const count = downloads.count()
    if (hashed?.from !== from || hashed.count !== count) {
      const kits = [...loaded.values()].map(({ named }) => named)
      hashed = { from, count, lock: downloads.addTo(from.lock, base(), kits) }
    }
    return hashed.lock
  }

  /** Returns the locked hash (`sha256-…`) of an original or a cut. */
  function locked(asset: string, cut = 'original'): string | undefined {
    const isParsed = base !== known?.lock || loaded.size > 0 || updated.size > 0
    return (known && !isParsed ? known.files(asset) : filesOf(current().lock, asset))[cut]
  }

  /** Whether this run has neither loaded nor downloaded anything that could change the lockfile. */
  const isAsRead = () => loaded.size === 0 && !hasNewFiles && !isUnmerged

  return {
    /** Returns the slugs of the locked kits, by uuid. */
    kits: (): GivenSlugs => base().kits,
    /** Returns a kit as the lockfile contained it before this run. */
    lockedKit: (kit: string) => base().kits[kit],
    /**
     * Returns what the lockfile had about a published version before this run, if it has the digest of its listing.
     * Undefined for a kit that this run updates.
     */
    lockedContent: (kit: string, version: number) =>
      updated.has(kit) ? undefined : lockedContent(base().kits[kit], version),
    /**
     * Returns the locked names of a kit and its contents.
     * @param one to find files that were renamed in a folder without uuids
     */
    names: (kit: string, one?: NamedKit['kit']) => namesIn(start(), kit, one),
    /** Returns the names of a kit that this run has given or found, for a kit that is loaded again. */
    namesOfRun: (kit: string, one?: NamedKit['kit']) => namesIn(current().lock, kit, one),
    version: (kit: string, selector: VersionSelector) =>
      updated.has(kit) ? undefined : base().kits[kit]?.selectors[selectorText(selector)]?.version,
    /** Returns the locked kit that contains a section or an asset. */
    findOwner: (uuid: string) => findOwner(base(), uuid),
    /** Whether this run updates a kit. Snapshots of such a kit are out of date. */
    isUpdating: (kit: string) => updated.has(kit),
    /** Returns the kits that this run updates, whether or not the source imports them. */
    kitsToUpdate: () => [...updated].flatMap((kit) => lockedReferences(kit, base().kits[kit])),
    /** Records a loaded kit. Called for each request, because each selector is locked. */
    record(this: void, named: NamedKit, selector: VersionSelector): void {
      const key = referenceKey(named.kit.uuid, selector)
      const before = loaded.get(key)?.named
      if (before === named) return
      if (before !== undefined) carried = current().lock
      loaded.set(key, { selector, named })
      results = undefined
    },
    /** Records that the source contains this selector. */
    markExplicit(this: void, kit: string, selector: VersionSelector): void {
      const key = referenceKey(kit, selector)
      // Only a version number is recorded because the source contains it.
      if (typeof selector === 'number' && !explicit.has(key)) results = undefined
      explicit.add(key)
    },
    /** Records the hash (`sha256-…`) of a download. */
    recordDownload(this: void, file: DownloadedFile, integrity: string): void {
      downloads.add(file, integrity)
      if (hashes && loaded.size === 0 && locked(file.asset, file.cut) !== integrity) hasNewFiles = true
    },
    locked,
    isAsRead,
    /** Returns the lock with the results of this run. */
    current: withHashes,
    /**
     * Returns how the results of this run differ from the lockfile, except for hashes of new downloads. Without an
     * update, a run that has loaded nothing changes nothing.
     */
    drift: (): readonly string[] => [
      ...(isUnmerged ? ['the lockfile contains both sides of a merge'] : []),
      ...(loaded.size === 0 && updated.size === 0 ? [] : current().drift),
    ],
    /** Returns the selectors that resolve to another version than in the lockfile. */
    versionChanges: () => versionChanges(base(), current().lock),
    /** Returns the files that this run has seen with other bytes than a locked version had, by uuid of the kit. */
    replaced: () => replacedFiles(base(), withHashes()),
    /** Returns the slug of the kit in the lockfile that contains an asset. */
    kitOf: (asset: string) => Object.values(base().kits).find(({ assets }) => Object.hasOwn(assets, asset))?.slug,
    /** Returns the hash (`sha256-…`) of the lockfile, if it contains exactly the results of this run. */
    async digest(this: void): Promise<string | undefined> {
      if (verified && base === known?.lock && isAsRead()) return verified.digest
      const own = integrityOf(formatLock(withHashes()))
      const text = lockfile === false ? undefined : await readText(lockfile)
      return text !== undefined && integrityOf(text) === own ? own : undefined
    },
    async save(this: void): Promise<boolean> {
      if (lockfile === false || frozen || (loaded.size === 0 && !isUnmerged)) return false
      const lock = withHashes()
      // Taken before the file is read and written: it is read again once after it was written.
      const state = stateOf(lockfile, Date.now())
      if (state !== undefined && written?.lock === lock && written.state === state) return false
      const changed = await writeLock(lockfile, lock, written?.lock ?? base())
      written = { lock, state }
      isUnmerged = false
      return changed
    },
    /** Reads the lockfile again. @returns whether another process has changed it */
    async reload(this: void): Promise<boolean> {
      const now = await read()
      // The text that this process wrote does not count as a change, even if it has loaded more since.
      const own = [written?.lock ?? base(), base(), withHashes()].map(formatLock)
      const changed = isUnmerged || !own.includes(formatLock(now))
      base = constant(now)
      written = undefined
      if (changed) {
        loaded.clear()
        carried = undefined
      }
      results = undefined
      return changed
    },
  }
}

/**
 * Returns the digest of a version, and its last date, which the digest does not cover. Several selectors may have one
 * version. In a lockfile that was edited by hand they may differ: the first counts.
 */
function lockedContent(kit: LockedKit | undefined, version: number) {
  const locked = Object.values(kit?.selectors ?? {}).filter((one) => version !== 0 && one.version === version)
  const { content: digest, date } = locked.find(({ content }) => content !== undefined) ?? {}
  return digest === undefined ? undefined : { digest, date }
}

function constant(lock: Lock): () => Lock {
  return () => lock
}

function namesIn({ kits }: Lock, kit: string, loaded: NamedKit['kit'] | undefined): GivenKitNames {
  const locked = kits[kit]
  if (locked === undefined) return {}
  const names = { ...locked, last: lastVersion(locked, loaded?.version || undefined) }
  return loaded ? followRenamedNames(names, locked, loaded) : names
}

function referenceKey(kit: string, selector: VersionSelector): string {
  return `${kit}@${selector}`
}

/** Finds the locked kit that contains a section or an asset, by the selector that is most likely up to date. */
function findOwner({ kits }: Lock, uuid: string): KitReference | undefined {
  const found = Object.entries(kits).find(
    ([, { sections, assets }]) => uuid in sections || (uuid in assets && assets[uuid]?.lastSeen === undefined),
  )
  if (found === undefined) return undefined
  const [kit, locked] = found
  const references = lockedReferences(kit, locked)
  return references.find(({ version }) => version === 'use') ?? references[0] ?? { kit, version: 'use' }
}

function lockedReferences(kit: string, locked: LockedKit | undefined): KitReference[] {
  return Object.keys(locked?.selectors ?? {}).map((selector) => ({ kit, version: parseVersion(selector) ?? 'use' }))
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

/** What `content-space update` resolves again: versions, snapshots and hashes. */
export interface UpdateOptions {
  /** Uuid or slug. Default: every kit of the lockfile. */
  kit?: string
  /** Whether names are generated again as well. */
  rename: boolean
  /** With `rename`: whether the source gets the new names. Otherwise, the lines to change are only reported. */
  write?: boolean
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
    hint: suggestion(name, slugs, 'kits'),
  })
}

/** Returns the lock without what an update of these kits resolves again. */
function withoutUpdated(lock: Lock, uuids: ReadonlySet<string>, rename: boolean): Lock {
  const kits = Object.entries(lock.kits).map(([uuid, kit]) => {
    if (!uuids.has(uuid)) return [uuid, kit]
    return [uuid, rename ? withoutNames(kit) : withoutHashes(kit)]
  })
  return { ...lock, kits: Object.fromEntries(kits) }
}

function withoutNames({ selectors }: LockedKit): LockedKit {
  return { slug: '', selectors, sections: {}, headings: {}, assets: {} }
}

function withoutHashes(kit: LockedKit): LockedKit {
  const assets = Object.entries(kit.assets).map(([uuid, asset]) => [uuid, { ...asset, files: {} }] as const)
  return { ...kit, assets: Object.fromEntries(assets) }
}
