import { memoizeWeak } from '../async/memoize.js'
import { integrityOf } from '../disk/content.js'
import { readText } from '../disk/replace-file.js'
import { stateOfFile } from '../disk/state.js'
import { ContentSpaceError } from '../errors.js'
import { findGiven } from '../kit/lookup.js'
import type { GivenSlugs } from '../kit/names.js'
import type { KitReference, VersionSelector } from '../request/request.js'
import { meansShortId } from '../space/short-id.js'
import { jsonOf } from '../text/json.js'
import { suggestion } from '../text/nearest.js'
import type { DownloadedFile } from './compute.js'
import { formatLock } from './format.js'
import { writeLock } from './lockfile.js'
import { kitSlugs } from './given-names.js'
import { finalPart, isProvisionalLine } from './records.js'
import { createRecorder, type RecorderOptions, type UpdateOptions } from './recorder.js'
import { emptyLock, invalidLock, type Lock, type LockedAsset, type LockedKit, type LockedTable } from './schema.js'
import { parseOneSide, parseSides } from './sides.js'
import { hasContent, revisionOfLocked } from './table.js'
import { fromVersion1, outdatedLock } from './version-1.js'

/** @internal */
export type LockSession = Awaited<ReturnType<typeof openLockSession>>

export interface LockSessionContext extends RecorderOptions {
  lockfile: string | false
  /** The id of the space, if it is known. */
  spaceId: string | undefined
  frozen: boolean
  update?: UpdateOptions | undefined
  /** Called after combining both sides of a merge that the lockfile contained. */
  warn: (message: string, lines: readonly string[]) => void
}

/**
 * Opens the lockfile of a project for one run. The session contains the results of earlier runs and of this run.
 * @throws ContentSpaceError `invalidLock`, even for the lockfile of another space
 * @internal
 */
export async function openLockSession(context: LockSessionContext) {
  const { lockfile, frozen, hashes, update } = context
  let { lock: base, digest, isUnmerged, outdated } = await readBase(context)
  /** The last lock that this run has written since it read the lockfile. */
  let written: { lock: Lock; state: string | undefined } | undefined
  /** Uuids of the kits that the run resolves again. */
  const updated = update ? updatedKits(base, update) : new Set<string>()
  const { change, isChanged, restart, recordDownload, ...recorded } = createRecorder(before, update, updated, context)

  /** Returns the lockfile as it was read. @throws ContentSpaceError `invalidLock` if it has an older format */
  function before(): Lock {
    if (outdated) throw outdated
    return base
  }

  /**
   * Returns the locked hash (`sha256-…`) of an original or a cut. If the service was still processing the file when
   * its hash was locked, returns it only for a frozen lockfile.
   * @param revision the listed `file_hash`, or otherwise the date
   */
  function locked(asset: string, cut = 'original', revision?: string): string | undefined {
    const lines = linesOf(before()).get(asset) ?? []
    const own = lines.filter(
      (entry) =>
        !updated.has(entry.kit) && (frozen || !isProvisionalLine(entry.line)) && revisionOf(entry) === revision,
    )
    return own.flatMap(({ line }) => line.files?.[cut] ?? [])[0]
  }

  /** Reads the lockfile again. @returns whether another process has changed it */
  async function reload(): Promise<boolean> {
    const now = await readBase(context)
    // Text that this process wrote doesn't count as a change, even if the process has loaded more since.
    const own = [written?.lock ?? base, base, recorded.current()].map(formatLock)
    const changed = now.isUnmerged || !own.includes(formatLock(now.lock))
    ;({ lock: base, digest, isUnmerged, outdated } = now)
    written = undefined
    restart(changed)
    return changed
  }

  return {
    ...recorded,
    kits: (): GivenSlugs => kitSlugs(before()),
    /** Returns a kit as the lockfile contained it before this run. */
    lockedKit: (kit: string): LockedKit | undefined => before().kits[kit],
    /** Returns the lockfile's table of a published version, or undefined for a kit that this run updates. */
    table: (kit: string, version: number): LockedTable | undefined => {
      const table = updated.has(kit) ? undefined : before().kits[kit]?.versions[version]
      return table && hasContent(table) ? table : undefined
    },
    version(this: void, kit: string, selector: VersionSelector): number | undefined {
      const found = updated.has(kit) ? undefined : before().kits[kit]
      return selector === 'use' ? found?.use : found?.versions[selector] && selector
    },
    /** Returns the lockfile's list of kits in the space, or undefined if it doesn't list them. */
    list: () => (update && update.kit === undefined ? undefined : before().list),
    findOwner: (uuid: string) => findOwner(before(), uuid),
    /** Returns the slug of the locked kit that contains an asset. */
    kitOf: (asset: string): string | undefined => before().kits[linesOf(before()).get(asset)?.[0]?.kit ?? '']?.slug,
    /** Returns whether this run updates a kit. If so, the kit's cached listings are out of date. */
    isUpdating: (kit: string): boolean => updated.has(kit),
    /** Returns the kits that this run updates, whether or not the source imports them. */
    kitsToUpdate: () => [...updated].flatMap((kit) => lockedReferences(kit, before().kits[kit])),
    /** Allows this run to replace a lockfile of an older format. */
    takeOver(this: void): void {
      if (outdated === undefined || frozen) return
      outdated = undefined
      change()
    },
    recordDownload(this: void, file: DownloadedFile, integrity: string): void {
      const { asset, cut, hash, updated: date } = file
      // A watching bundler reads the same files in each build.
      const isRecorded = !recordDownload(file, integrity) && isChanged()
      if (hashes && !isRecorded && locked(asset, cut, hash ?? date) !== integrity) change()
    },
    locked,
    /** Returns whether this run has neither used nor downloaded anything that could change the lockfile. */
    isAsRead: () => !isChanged() && !isUnmerged,
    /** Returns the differences between the results of this run and the lockfile, except for hashes of new downloads. */
    drift: (): readonly string[] => [
      ...(isUnmerged ? ['the lockfile contains both sides of a merge'] : []),
      ...recorded.drift(),
    ],
    /** Returns the hash (`sha256-…`) of the lockfile when this run read it, if it existed. */
    digestAsRead: () => digest,
    /**
     * Returns the hash (`sha256-…`) of the lockfile, if it contains exactly this run's results and all of them are
     * final.
     */
    async digest(this: void): Promise<string | undefined> {
      const text = lockfile === false ? undefined : await readText(lockfile)
      const own = isChanged() ? recorded.current() : before()
      return text !== undefined && text === formatLock(own) && isFinal(own) ? integrityOf(text) : undefined
    },
    async save(this: void): Promise<boolean> {
      if (lockfile === false || frozen || (!isChanged() && !isUnmerged)) return false
      const lock = recorded.current()
      // Take the state before reading and writing the file. If we write it, the next run reads it once more.
      const state = stateOfFile(lockfile, Date.now())
      if (state !== undefined && written?.lock === lock && written.state === state) return false
      const changed = await writeLock(lockfile, lock, written?.lock ?? before())
      written = { lock, state }
      isUnmerged = false
      return changed
    },
    reload,
    /** Forgets what the source used, so that a second `sync` starts from the results of the first one. */
    async forgetSource(this: void): Promise<void> {
      recorded.forgetSource()
      if (written) await reload()
    },
  }
}

/** Returns whether the service had finished processing all content when it was locked. */
function isFinal({ kits }: Lock): boolean {
  return Object.values(kits).every(({ versions }) =>
    Object.values(versions).every((table) => finalPart(table) === table),
  )
}

/** The entries of assets in all versions, with the uuid of their kit, by asset. */
const linesOf = memoizeWeak(({ kits }: Lock) => {
  const lines = new Map<string, { kit: string; uuid: string; line: LockedAsset }[]>()
  for (const [kit, { versions }] of Object.entries(kits))
    for (const { assets } of Object.values(versions))
      for (const [uuid, line] of Object.entries(assets))
        if (line.record) lines.set(uuid, [...(lines.get(uuid) ?? []), { kit, uuid, line }])
  return lines
})

/** Reads each record once, because several files may be made from one asset. */
const revisionOf = memoizeWeak(({ uuid, line }: { uuid: string; line: LockedAsset }) => revisionOfLocked(uuid, line))

interface Base {
  lock: Lock
  /** The hash of the text. Undefined if the file doesn't exist. */
  digest: string | undefined
  /** Whether the file contains both sides of a merge. False once this run has written it. */
  isUnmerged: boolean
  /** Set if the file has an older format, which only `sync` and `update` replace. */
  outdated: ContentSpaceError | undefined
}

async function readBase({ lockfile, spaceId, sources, frozen, update, warn }: LockSessionContext): Promise<Base> {
  const text = lockfile === false ? undefined : await readText(lockfile)
  const file = String(lockfile)
  const digest = text === undefined ? undefined : integrityOf(text)
  if (text === undefined)
    return { lock: withSpace(emptyLock, spaceId, file), digest, isUnmerged: false, outdated: undefined }
  const former = fromVersion1(jsonOf(text))
  if (former) {
    const outdated = update ? undefined : outdatedLock(file)
    return { lock: withSpace(former, spaceId, file), digest, isUnmerged: false, outdated }
  }
  const { lock, merged } = frozen ? { lock: parseOneSide(text, file), merged: undefined } : parseSides(text, file)
  if (!update) checkSources(lock, sources, file)
  if (merged) warn(`${file} contained both sides of a merge, which were combined.`, merged)
  return { lock: withSpace(lock, spaceId, file), digest, isUnmerged: merged !== undefined, outdated: undefined }
}

function withSpace(lock: Lock, spaceId: string | undefined, file: string): Lock {
  if (spaceId === undefined) return lock
  if (lock.space !== undefined && lock.space !== spaceId) {
    const problem = `is the lockfile of space ${lock.space}, but this project uses space ${spaceId}`
    const hint = 'Set option lockfile to another file for this space, or correct option spaceId.'
    throw invalidLock(file, problem, hint)
  }
  return { space: spaceId, ...lock }
}

/** @throws ContentSpaceError `invalidLock` for a kit that was locked from another source */
function checkSources({ kits }: Lock, sources: LockSessionContext['sources'], file: string): void {
  for (const [kit, { id }] of sources ?? []) {
    const { space, slug } = kits[kit] ?? {}
    if (space === undefined || id === undefined || space === id) continue
    const problem = `has kit ${slug} from ${space}, but its source in option kits is ${id}`
    throw invalidLock(file, problem, `Correct the source, or run \`npx content-space update ${slug}\`.`)
  }
}

/**
 * Finds the locked kit that contains a section or an asset, with the selector that is most likely to be current.
 * @param id uuid or short id
 */
function findOwner({ kits }: Lock, id: string): KitReference | undefined {
  const isMeant = ([uuid, { shortId }]: [string, { shortId?: string | undefined }]): boolean =>
    uuid === id || (shortId !== undefined && meansShortId(id, shortId))
  for (const [kit, locked] of Object.entries(kits)) {
    const versions = Object.entries(locked.versions).flatMap(([version, { sections, items, assets }]) => {
      const has = Object.entries(assets).some(
        (entry) => entry[1].lastSeen === undefined && (entry[1].source === id || isMeant(entry)),
      )
      const others = [...Object.entries(sections), ...Object.entries(items)]
      return has || others.some(isMeant) ? [Number(version)] : []
    })
    if (versions.length > 0)
      return {
        kit,
        version: locked.use !== undefined && versions.includes(locked.use) ? 'use' : (versions.at(-1) ?? 'use'),
      }
  }
  return undefined
}

function lockedReferences(kit: string, locked: LockedKit | undefined): KitReference[] {
  const { use, versions = {} } = locked ?? {}
  const others = Object.keys(versions)
    .map(Number)
    .filter((version) => version !== use)
  return [...(use === undefined ? [] : ['use' as const]), ...others].map((version) => ({ kit, version }))
}

/**
 * Returns the uuids of the kits to update.
 * @throws ContentSpaceError `kitNotFound` for a kit that isn't in the lockfile
 */
function updatedKits({ kits }: Lock, { kit: name }: UpdateOptions): ReadonlySet<string> {
  if (name === undefined) return new Set(Object.keys(kits))
  const found = findGiven(name, kitSlugs({ kits }))
  if (found !== undefined) return new Set([found])
  const slugs = Object.values(kits).map(({ slug }) => slug)
  throw new ContentSpaceError('kitNotFound', `Kit ${name} is not in the lockfile.`, {
    hint: slugs.length === 0 ? 'Import it and run `npx content-space sync`.' : suggestion(name, slugs, 'kits'),
  })
}
