import type { KitOutline } from '../asset.js'
import { memoize } from '../async/memoize.js'
import { ContentSpaceError, ignoreCodes, ignoreOwnErrors } from '../errors.js'
import { patternWarning } from '../kit/dark-pairs.js'
import type { NamedKit } from '../kit/named-kit.js'
import type { LockSession } from '../lock/session.js'
import type { KitReference, VersionSelector } from '../request/request.js'
import type { Space } from '../space/space.js'
import { compareStrings } from '../text/compare.js'
import { compareKits, type ContentCheck, type KitChange } from './changes.js'
import { openKitIndex, type KitIndex } from './kit-index.js'
import { contentErrors, type LoadedVersionsContext, openLoadedVersions } from './loaded-versions.js'
import { checkNames, nameWarning } from './name-checks.js'
import { outlineOf, versionKey, type VersionReference } from './versions.js'

export interface CatalogContext extends Omit<LoadedVersionsContext, 'index'> {
  /** Option `kits`: kits by alias. */
  configured: ReadonlyMap<string, KitReference>
  /** Returns the kits that the project imports. Default: none. */
  imported?: () => Promise<readonly KitReference[]>
  warn: (message: string, lines?: readonly string[]) => void
}

interface LoadedReference {
  reference: KitReference
  kit: NamedKit
}

export type Catalog = ReturnType<typeof openCatalog>

export function openCatalog(context: CatalogContext) {
  const { space, lock, configured } = context
  const index = openKitIndex(space, lock.kits, configured)
  const versions = openLoadedVersions({ ...context, index })
  const { peek, listed, lastLoaded, relisted } = versions
  const naming = { ...context, get: versions.get }
  const search = { space, lock, configured: [...configured.values()], loaded: versions.references, load }
  /** What was loaded last for each reference. */
  const used = new Map<string, LoadedReference>()
  /** What could not be loaded again since the lockfile changed. It stays in use until it can. */
  const kept = new Map<string, LoadedReference>()
  /** What is loaded at the moment, or was last, by kit. */
  const last = new Map<string, Promise<NamedKit>>()
  /** What is loaded at the moment, by reference: imports of one version share its error, too. */
  const loading = new Map<string, Promise<NamedKit>>()
  const imports = memoize(() => findImports(context, index))
  /** Whether a version that was loaded has got other names. */
  let isRenamed = false
  let count = 0

  async function resolve({ kit, version: selector }: KitReference): Promise<VersionReference> {
    const uuid = await index.uuidOf(kit)
    const number = selector === 'use' ? undefined : selector
    return { uuid, version: lock.version(uuid, selector) ?? number ?? (await index.kit(uuid)).useVersion }
  }

  /**
   * Loads a version of a kit, with names, and records it in the lock.
   * @throws ContentSpaceError `kitNotFound` and `versionNotFound` with the nearest valid values, and what the space
   *   throws
   */
  function load(reference: KitReference): Promise<NamedKit> {
    return loadWith(reference, () => imports.get(''))
  }

  /** @param others returns what is named with a version that has no names yet */
  async function loadWith(reference: KitReference, others: () => ReturnType<typeof findImports>): Promise<NamedKit> {
    const key = referenceKey(reference)
    const known = kept.get(key)
    if (known) return known.kit
    const version = await resolve(reference)
    if (isLocked(version) && !lock.isUpdating(version.uuid)) return loadLocked(reference)
    const same = loading.get(key)
    if (same) return same
    const before = last.get(version.uuid)
    const next = loadNext(reference, version.uuid, others, before).finally(() => loading.delete(key))
    loading.set(key, next)
    last.set(version.uuid, next)
    return next
  }

  /** Whether the lockfile has the names of a version. */
  function isLocked({ uuid, version }: VersionReference): boolean {
    return Object.values(lock.lockedKit(uuid)?.selectors ?? {}).some((one) => one.version === version)
  }

  /** Locked versions come first, and the draft is the newest. */
  const rankOf = (one: VersionReference): number => (isLocked(one) ? 0 : 1e15) + (one.version || 1e15)

  /**
   * Loads a version that has no names yet. They depend on those of others, so all that the project imports are named
   * before one is used, first locked and old ones, and any other after it.
   */
  async function loadNext(
    reference: KitReference,
    uuid: string,
    others: () => ReturnType<typeof findImports>,
    before: Promise<unknown> | undefined,
  ): Promise<NamedKit> {
    await before?.catch(() => {})
    if (used.has(referenceKey(reference))) return loadLocked(reference)
    const imported = (await others()).flatMap((one) => (one.uuid === uuid ? one.reference : []))
    const updated = lock.kitsToUpdate().filter(({ kit }) => kit === uuid)
    const all = new Map<number, { reference: KitReference; version: VersionReference }>()
    for (const one of [...imported, ...updated, reference]) {
      const version = await (one === reference ? resolve(one) : resolve(one).catch(ignoreOwnErrors))
      if (version) all.set(version.version, { reference: one, version })
    }
    const ordered = [...all.values()].toSorted((a, b) => rankOf(a.version) - rankOf(b.version))
    const listings = new Map(ordered.map((one) => [one, versions.prefetch(one.version)]))
    for (const one of ordered) {
      // A listing that failed is not requested again, and the errors of other imports are not those of this one.
      const named = Promise.resolve(listings.get(one)).then(() => loadLocked(one.reference))
      await (one.reference === reference ? named : named.catch(ignoreOwnErrors))
    }
    await nameVersions(uuid)
    return loadLocked(reference)
  }

  /** @param uuid of the kit. Default: all */
  async function nameVersions(uuid?: string): Promise<void> {
    if (!(await versions.nameAgain(uuid))) return
    isRenamed = true
    // What is no longer in the space is an error for those who import it.
    for (const { reference, kit } of used.values())
      if ((uuid ?? kit.kit.uuid) === kit.kit.uuid) await loadLocked(reference).catch(ignoreOwnErrors)
  }

  async function loadLocked(reference: KitReference): Promise<NamedKit> {
    const kit = await versions.get(await resolve(reference))
    await checkNames(kit, naming)
    const warning = patternWarning(kit)
    if (warning) context.warn(warning)
    lock.record(kit, reference.version)
    used.set(referenceKey(reference), { reference, kit })
    return kit
  }

  /** Loads again what was in use before the lockfile changed. */
  async function reload(before: LoadedReference): Promise<ContentCheck> {
    const text = referenceKey(before.reference)
    try {
      const kit = await loadLocked(before.reference)
      kept.delete(text)
      return { changed: true, kits: [compareKits(before.kit.kit, kit.kit)] }
    } catch (error) {
      if (error instanceof ContentSpaceError && contentErrors.includes(error.code)) kept.delete(text)
      else kept.set(text, before)
      throw error
    }
  }

  return {
    kits: index.kits,
    load,
    /** Does the same for a command that names a kit, and does not read the source for what it imports. */
    loadNamed: (reference: KitReference) => loadWith(reference, async () => []),
    /** Loads the version that `load` loads, without recording it in the lock. */
    view: async (reference: KitReference) => versions.get(await resolve(reference)),
    find: index.uuidOf,
    /** Returns the version of a kit that the space uses now. Ignores the lockfile. */
    useVersion: async (uuid: string) => (await index.kit(uuid)).useVersion,
    peek,
    listed,
    lastLoaded,
    relisted,
    nameWarning: (kit: NamedKit) => nameWarning(kit, naming),
    /** How often `refresh` has found changes. */
    changes: () => count,
    /** Loads sections and headings without items. Throws what `load` throws. */
    async outline(reference: KitReference): Promise<KitOutline> {
      const version = await resolve(reference)
      return version.version === 0 ? versions.outline(version) : outlineOf((await load(reference)).kit)
    },
    /** Names the versions in use as the lock does. @returns whether any name is another one since the last call */
    async nameAgain(this: void): Promise<boolean> {
      await nameVersions()
      const was = isRenamed
      isRenamed = false
      return was
    },
    /** The source may have changed since it was read. */
    forgetImports: (): void => imports.forget(''),
    loadWithSection: (section: string, version: VersionSelector) => loadWithSection(section, version, search),
    loadWithAsset: (asset: string) => loadWithAsset(asset, search),
    /** Reloads drafts that have changed, and the lockfile. What cannot be loaded stays as it is. */
    async refresh(): Promise<ContentCheck> {
      const list = index.reload().then((changed) => ({ changed, kits: [] }))
      const isReplaced = await lock.reload()
      if (isReplaced) versions.clear()
      const drafts = isReplaced ? [] : index.loaded().map(versions.refreshDraft)
      const check = await joinChecks([list, ...drafts, ...[...(isReplaced ? used : kept).values()].map(reload)])
      const changed = check.changed || isReplaced
      if (changed) count++
      return { ...check, changed }
    },
  }
}

/** Returns what the project imports, with the uuids of kits. Resolving all imports reports the errors. */
async function findImports({ imported }: CatalogContext, index: Pick<KitIndex, 'uuidOf'>) {
  const found = (await imported?.().catch(ignoreOwnErrors)) ?? []
  const distinct = new Map(found.map((one) => [referenceKey(one), one]))
  const uuids = [...distinct.values()].map(async (reference) => ({
    reference,
    uuid: await index.uuidOf(reference.kit).catch(ignoreOwnErrors),
  }))
  return Promise.all(uuids)
}

function referenceKey({ kit, version }: KitReference): string {
  return `${kit}@${version}`
}

/** Waits for all checks, so that a kit that cannot be loaded does not hide the changes of others. */
async function joinChecks(checks: readonly Promise<ContentCheck>[]): Promise<ContentCheck> {
  const kits = new Map<string, KitChange>()
  const joined: ContentCheck = { changed: false, kits: [] }
  for (const result of await Promise.allSettled(checks)) {
    if (result.status === 'rejected') {
      joined.error ??= result.reason
      continue
    }
    joined.changed ||= result.value.changed
    for (const kit of result.value.kits) kits.set(`${kit.name}@${kit.version}`, kit)
  }
  return { ...joined, kits: [...kits.values()] }
}

interface SearchContext {
  space: Space
  lock: Pick<LockSession, 'kits' | 'findOwner'>
  configured: readonly KitReference[]
  loaded: () => VersionReference[]
  load: (reference: KitReference) => Promise<NamedKit>
}

/** Loads the kit of a section that is identified by its uuid alone. */
async function loadWithSection(section: string, version: VersionSelector, context: SearchContext): Promise<NamedKit> {
  const { space, lock, load } = context
  const owner = lock.findOwner(section)
  const locked = owner && (await load({ kit: owner.kit, version }))
  if (locked?.sections.has(section)) return locked
  return load({ kit: await findKitOfSection(section, version, space), version })
}

/** @throws ContentSpaceError `sectionNotFound` */
async function findKitOfSection(section: string, version: VersionSelector, space: Space): Promise<string> {
  try {
    return (await space.section(section, version === 'use' ? 0 : version)).kitUuid
  } catch (error) {
    const notFound = ignoreCodes('sectionNotFound', 'versionNotFound')
    notFound(error)
    // The section may be in the version in use, and no longer in the draft.
    const list = version === 'use' ? await space.kits() : []
    for (const number of new Set(list.map(({ useVersion }) => useVersion))) {
      const found = await space.section(section, number).catch(notFound)
      const kit = list.find(({ uuid, useVersion }) => uuid === found?.kitUuid && useVersion === number)
      if (kit) return kit.uuid
    }
    throw error
  }
}

/**
 * Loads the kit of an asset that is identified by its uuid alone, among the kits of the project: the one in which the
 * lockfile lists it, then configured, locked and loaded kits.
 */
async function loadWithAsset(asset: string, { lock, configured, loaded, load }: SearchContext): Promise<NamedKit> {
  const owner = lock.findOwner(asset)
  const locked = Object.keys(lock.kits()).map((kit) => ({ kit, version: 'use' as const }))
  const others = loaded()
    .toSorted((a, b) => compareStrings(versionKey(a), versionKey(b)))
    .map(({ uuid, version }) => ({ kit: uuid, version }))
  for (const reference of [...(owner ? [owner] : []), ...configured, ...locked, ...others]) {
    const kit = await load(reference)
    if (kit.assets.has(asset)) return kit
  }
  throw new ContentSpaceError('assetNotFound', `Asset ${asset} is not in any kit of this project.`, {
    asset,
    hint: 'Add its kit to option kits, or write content-space:asset/<kit>/<asset>.',
  })
}
