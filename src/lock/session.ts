import { isDeepStrictEqual as same } from 'node:util'
import { ContentSpaceError } from '../errors.js'
import { parseVersion, type KitReference, type VersionSelector } from '../request/request.js'
import { suggestion } from '../text/nearest.js'
import { lockDrift } from './drift.js'
import { recordKits, lastVersion, selectorText, type LoadedReference } from './record.js'
import { emptyLock, formatLock, type Lock, type LockedAsset, type LockedKit, type LockedVersion } from './schema.js'
import { readLock, writeLock } from './lockfile.js'
import type { GivenKitNames, NamedKit } from '../kit/named-kit.js'
import type { GivenSlugs } from '../kit/names.js'

/** What earlier runs know, and where this one leaves what it learns: the lock, and kits kept in the cache. */
export interface LockSession {
  /** Slugs given to kits, by uuid. */
  kits(this: void): GivenSlugs
  /** What the lock has of a kit, before this run has changed it. */
  lockedKit(kit: string): LockedKit | undefined
  /** Names given to what a kit holds. */
  names(kit: string): GivenKitNames
  /** The version that a selector of a kit is pinned to. */
  version(kit: string, selector: VersionSelector): number | undefined
  /** Where a section or an asset was found before. */
  findOwner(this: void, uuid: string): KitReference | undefined
  /** Whether a kit is looked at anew: what was kept of it is out of date. */
  isUpdating(this: void, kit: string): boolean
  /** The kits to look at anew, whether or not anything imports them. */
  kitsToUpdate(this: void): KitReference[]
  /** Told of every kit that is loaded, each time it is asked for. */
  record(kit: NamedKit, selector: VersionSelector): void
  /** Told of the versions of kits that the source names itself. */
  markExplicit(this: void, kit: string, selector: VersionSelector): void
  /** The `sha256-…` that the lock has for an original or a cut. */
  locked(this: void, asset: string, cut: string | undefined): string | undefined
  /** @param hash the `file_hash` that was listed when it was downloaded: of another revision, its bytes say nothing */
  downloaded(
    this: void,
    file: { asset: string; cut?: string | undefined; hash?: string | undefined },
    integrity: string,
  ): void
  /** The lock as this run leaves it. */
  lock(): Lock
  /** How that differs from the lock as it is, but for files that were not downloaded before. */
  drift(this: void): readonly string[]
  /** What selectors mean now that they did not mean in the lock. */
  versionChanges(this: void): VersionChange[]
  /** @returns whether the file has changed */
  save(this: void): Promise<boolean>
  /** Reads the lock again. @returns whether another process has changed it */
  reload(): Promise<boolean>
}

export interface LockSessionContext {
  lockfile: string | false
  /** Of the service, where it is known. */
  spaceId: string | undefined
  frozen: boolean
  /** Whether hashes of downloads are written: a dev server sees only what a page happens to show. */
  hashes: boolean
  renew?: UpdateRequest | undefined
}

/** What is to be found anew: pins, snapshots and hashes, and names where `rename` is set. */
export interface UpdateRequest {
  /** Uuid or slug. Default: every kit of the lock. */
  kit?: string
  rename: boolean
}

/** What a selector of a kit means, and what it meant before. */
export interface VersionChange {
  /** The kit's slug. */
  kit: string
  selector: string
  from: LockedVersion | undefined
  to: LockedVersion
}

/** @throws ContentSpaceError `invalidLock`, also for the lock of another space */
export async function openLockSession(context: LockSessionContext): Promise<LockSession> {
  const { lockfile, spaceId, frozen, hashes, renew } = context
  let base = await readBase(lockfile, spaceId)
  const learned = new Map<string, Omit<LoadedReference, 'spelt'>>()
  const spelt = new Set<string>()
  /** By asset, then by cut. */
  const files = new Map<string, Map<string, { hash: string | undefined; integrity: string }>>()
  let known: { lock: Lock; drift: readonly string[] } | undefined
  /** The lock as this run wrote it last, since it was read. */
  let own: Lock | undefined

  const renewal = renew && kitsToRenew(base, renew)
  const isRenewed = (kit: string) => renewal?.has(kit) === true

  /** The lock without what is to be found anew. */
  function start(): Lock {
    const kits = Object.entries(base.kits).map(([uuid, kit]) => [
      uuid,
      isRenewed(uuid) ? forget(kit, renew?.rename === true) : kit,
    ])
    return { ...base, kits: Object.fromEntries(kits) }
  }

  function now(): { lock: Lock; drift: readonly string[] } {
    if (known === undefined) {
      const lock = recordKits(
        start(),
        [...learned].map(([key, found]) => ({ ...found, spelt: spelt.has(key) })),
      )
      known = { lock, drift: lockDrift(base, lock) }
    }
    return known
  }

  /** A draft can have another revision of a file by now than the one that was downloaded. */
  function isListed(asset: string, hash: string | undefined): boolean {
    return [...learned.values()].some(
      ({ named: { kit } }) => Object.hasOwn(kit.assets, asset) && kit.assets[asset]?.fileHash === hash,
    )
  }

  function withFiles(lock: Lock): Lock {
    if (!hashes) return lock
    const kits = Object.entries(lock.kits).map(([uuid, kit]) => {
      const assets = Object.entries(kit.assets).map(([asset, entry]) => {
        const read = [...(files.get(asset) ?? [])]
          .filter(([, { hash }]) => isListed(asset, hash))
          .map(([cut, { integrity }]) => [cut, integrity] as const)
        const all = { ...keptFiles(base.kits[uuid]?.assets[asset], entry), ...entry.files, ...Object.fromEntries(read) }
        return [asset, Object.keys(all).length === 0 ? entry : { ...entry, files: all }] as const
      })
      return [uuid, { ...kit, assets: Object.fromEntries(assets) }] as const
    })
    return { ...lock, kits: Object.fromEntries(kits) }
  }

  const memory: LockSession = {
    kits: () => base.kits,
    lockedKit: (kit) => base.kits[kit],
    names(kit) {
      const locked = start().kits[kit]
      return locked === undefined ? {} : { ...locked, last: lastVersion(locked) }
    },
    version: (kit, selector) =>
      isRenewed(kit) ? undefined : base.kits[kit]?.selectors[selectorText(selector)]?.version,
    findOwner(uuid) {
      const found = Object.entries(base.kits).find(
        ([, { sections, assets }]) => uuid in sections || (uuid in assets && assets[uuid]?.lastSeen === undefined),
      )
      if (found === undefined) return undefined
      const [kit, { selectors }] = found
      const [selector = 'use'] = Object.keys(selectors).toSorted((a, b) => Number(b === 'use') - Number(a === 'use'))
      return { kit, version: parseVersion(selector) ?? 'use' }
    },
    isUpdating: isRenewed,
    kitsToUpdate() {
      return [...(renewal ?? [])].flatMap((kit) =>
        Object.keys(base.kits[kit]?.selectors ?? {}).map((selector) => ({
          kit,
          version: parseVersion(selector) ?? 'use',
        })),
      )
    },
    record(kit, selector) {
      const key = keyOf(kit.kit.uuid, selector)
      if (learned.get(key)?.named === kit) return
      learned.set(key, { selector, named: kit })
      known = undefined
    },
    markExplicit(kit, selector) {
      spelt.add(keyOf(kit, selector))
      known = undefined
    },
    locked(asset, cut) {
      for (const { assets } of Object.values(now().lock.kits)) {
        const hash = assets[asset]?.files?.[cut ?? 'original']
        if (hash !== undefined) return hash
      }
      return undefined
    },
    downloaded({ asset, cut = 'original', hash }, integrity) {
      files.set(asset, (files.get(asset) ?? new Map()).set(cut, { hash, integrity }))
    },
    lock: () => withFiles(now().lock),
    drift: () => now().drift,
    versionChanges() {
      return Object.entries(now().lock.kits).flatMap(([uuid, { slug: kit, selectors }]) =>
        Object.entries(selectors).flatMap(([selector, to]) => {
          const from = base.kits[uuid]?.selectors[selector]
          return same(from, to) ? [] : [{ kit, selector, from, to }]
        }),
      )
    },
    async save() {
      if (lockfile === false || frozen || learned.size === 0) return false
      const lock = memory.lock()
      const changed = await writeLock(lockfile, lock, own ?? base)
      own = lock
      return changed
    },
    async reload() {
      const read = await readBase(lockfile, spaceId)
      // What this process wrote itself is no news, also when it has learned more since.
      const news = ![own ?? base, base, memory.lock()].map(formatLock).includes(formatLock(read))
      base = read
      own = undefined
      if (news) learned.clear()
      known = undefined
      return news
    },
  }
  return memory
}

function keyOf(kit: string, selector: VersionSelector): string {
  return `${kit}@${selector}`
}

/** @throws ContentSpaceError `kitNotFound` for a kit that the lock does not have */
function kitsToRenew({ kits }: Lock, { kit: wanted }: UpdateRequest): ReadonlySet<string> {
  if (wanted === undefined) return new Set(Object.keys(kits))
  const found = Object.entries(kits).find(([uuid, { slug, aliases = [] }]) => [uuid, slug, ...aliases].includes(wanted))
  if (found !== undefined) return new Set([found[0]])
  const slugs = Object.values(kits).map(({ slug }) => slug)
  throw new ContentSpaceError('kitNotFound', `The lock has no kit ${wanted}.`, {
    hint: suggestion(wanted, slugs, 'kits'),
  })
}

/** A kit without its hashes, and without its names where they are given anew. */
function forget(kit: LockedKit, rename: boolean): LockedKit {
  if (rename) return { slug: '', selectors: kit.selectors, sections: {}, headings: {}, assets: {} }
  const assets = Object.entries(kit.assets).map(([uuid, asset]) => [uuid, { ...asset, files: {} }] as const)
  return { ...kit, assets: Object.fromEntries(assets) }
}

/**
 * What is found anew is compared with nothing; of what was not downloaded again, the hashes of the same revision stay.
 */
function keptFiles(before: LockedAsset | undefined, { file_hash }: LockedAsset): LockedAsset['files'] {
  return file_hash !== undefined && before?.file_hash === file_hash ? before.files : undefined
}

async function readBase(lockfile: string | false, spaceId: string | undefined): Promise<Lock> {
  const lock = lockfile === false ? emptyLock : await readLock(lockfile)
  if (spaceId !== undefined && lock.space !== undefined && lock.space !== spaceId) {
    throw new ContentSpaceError(
      'invalidLock',
      `${lockfile} is the lock of space ${lock.space}, and this is space ${spaceId}.`,
      {
        hint: 'Give this space a lock of its own (option lockfile), or correct spaceId.',
      },
    )
  }
  return spaceId === undefined ? lock : { space: spaceId, ...lock }
}
