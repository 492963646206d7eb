import { integrityOf } from '../disk/content.js'
import { readText } from '../disk/replace-file.js'
import { stateOf } from '../disk/state.js'
import type { GivenSlugs } from '../kit/names.js'
import { parseVersion, type KitReference, type VersionSelector } from '../request/request.js'
import type { DownloadedFile } from './downloads.js'
import { writeLock } from './lockfile.js'
import { entriesOf, findHash, lazyLock, readLockOfSpace, type LockOfSpace } from './lock-of-space.js'
import { lockedContent, selectorText } from './record.js'
import { formatLock } from './format.js'
import { createRun, type UpdateOptions } from './run.js'
import type { Lock, LockedKit } from './schema.js'

/** @internal */
export type LockSession = Awaited<ReturnType<typeof openLockSession>>

export interface LockSessionContext extends LockOfSpace {
  frozen: boolean
  /** Whether hashes of downloads are written. A dev server loads only the files that pages request. */
  hashes: boolean
  update?: UpdateOptions | undefined
  /** The lockfile and its hash (`sha256-…`), if an earlier run has found it valid. It is parsed when it is needed. */
  verified?: { text: string; digest: string } | undefined
  /** Called when the lockfile contains both sides of a merge, which were merged. */
  warn: (message: string, lines: readonly string[]) => void
}

/**
 * Opens the lockfile of a project for one run: what earlier runs have resolved, and what this run adds.
 * @throws ContentSpaceError `invalidLock`, also for the lockfile of another space
 * @internal
 */
export async function openLockSession(context: LockSessionContext) {
  const { lockfile, frozen, hashes, update, verified } = context
  const known = verified === undefined ? undefined : lazyLock(verified.text, context)
  /** Whether the file contains both sides of a merge, until this run writes it. */
  let isUnmerged = false
  /** Returns the lockfile as it was read. */
  let base = known?.lock ?? (await read())
  /** The lockfile as this run wrote it last, since it was read. */
  let written: { lock: Lock; state: string | undefined } | undefined
  /** Whether a run that has loaded nothing has downloads that the lockfile does not have. */
  let hasNewFiles = false
  const { updated, hasLoaded, isListed, results, addDownload, restart, ...recorded } = createRun(
    () => base(),
    update,
    hashes,
  )

  async function read(): Promise<() => Lock> {
    const { lock, merged } = await readLockOfSpace(context, frozen)
    isUnmerged = merged !== undefined
    if (merged) context.warn(`${lockfile} contains both sides of a merge. They were merged.`, merged)
    return () => lock
  }

  /** Returns the locked hash (`sha256-…`) of an original or a cut. @param hash its `file_hash` */
  function locked(asset: string, cut = 'original', hash?: string): string | undefined {
    const isParsed = base !== known?.lock || hasLoaded() || updated.size > 0
    const entries = known && !isParsed ? known.entries(asset) : entriesOf(results().lock, asset)
    return findHash(entries, cut, hash, (revision) => isListed(asset, revision))
  }

  /** Whether this run has neither loaded nor downloaded anything that could change the lockfile. */
  const isAsRead = () => !hasLoaded() && !hasNewFiles && !isUnmerged

  return {
    kits: (): GivenSlugs => base().kits,
    /** Returns a kit as the lockfile contained it before this run. */
    lockedKit: (kit: string) => base().kits[kit],
    /**
     * Returns what the lockfile had about a published version before this run, if it has the digest of its listing.
     * Undefined for a kit that this run updates.
     */
    lockedContent: (kit: string, version: number) =>
      updated.has(kit) ? undefined : lockedContent(base().kits[kit], version),
    version: (kit: string, selector: VersionSelector) =>
      updated.has(kit) ? undefined : base().kits[kit]?.selectors[selectorText(selector)]?.version,
    findOwner: (uuid: string) => findOwner(base(), uuid),
    /** Returns the slug of the kit in the lockfile that contains an asset. */
    kitOf: (asset: string) => Object.values(base().kits).find(({ assets }) => Object.hasOwn(assets, asset))?.slug,
    /** Whether this run updates a kit. Snapshots of such a kit are out of date. */
    isUpdating: (kit: string) => updated.has(kit),
    /** Returns the kits that this run updates, whether or not the source imports them. */
    kitsToUpdate: () => [...updated].flatMap((kit) => lockedReferences(kit, base().kits[kit])),
    ...recorded,
    recordDownload(this: void, file: DownloadedFile, integrity: string): void {
      addDownload(file, integrity)
      if (hashes && !hasLoaded() && locked(file.asset, file.cut, file.hash) !== integrity) hasNewFiles = true
    },
    locked,
    isAsRead,
    /**
     * Returns how the results of this run differ from the lockfile, except for hashes of new downloads. Without an
     * update, a run that has loaded nothing changes nothing.
     */
    drift: (): readonly string[] => [
      ...(isUnmerged ? ['the lockfile contains both sides of a merge'] : []),
      ...(hasLoaded() || updated.size > 0 ? results().drift : []),
    ],
    /** Returns the hash (`sha256-…`) of the lockfile, if it contains exactly the results of this run. */
    async digest(this: void): Promise<string | undefined> {
      if (verified && base === known?.lock && isAsRead()) return verified.digest
      const own = integrityOf(formatLock(recorded.current()))
      const text = lockfile === false ? undefined : await readText(lockfile)
      return text !== undefined && integrityOf(text) === own ? own : undefined
    },
    async save(this: void): Promise<boolean> {
      if (lockfile === false || frozen || (!hasLoaded() && !isUnmerged)) return false
      const lock = recorded.current()
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
      const own = [written?.lock ?? base(), base(), recorded.current()].map(formatLock)
      const changed = isUnmerged || !own.includes(formatLock(now()))
      base = now
      written = undefined
      restart(changed)
      return changed
    },
  }
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
