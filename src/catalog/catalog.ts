import type { KitOutline } from '../asset.js'
import { canonicalUuid } from '../space/uuid.js'
import type { GivenSlugs } from '../kit/names.js'
import { slugOf } from '../kit/identifiers.js'
import { agreeOnNames, type ChosenNames } from '../kit/chosen-names.js'
import { ContentSpaceError, ignoreCodes, type ErrorCode } from '../errors.js'
import { contentDigest } from '../kit/content-digest.js'
import { loadKit, type LoadedKit } from '../kit/load.js'
import { nameKit, type NamedKit } from '../kit/named-kit.js'
import type { LockSession } from '../lock/session.js'
import type { KitReference, VersionSelector } from '../request/request.js'
import { compareKits, isChange, type ContentCheck, type KitChange } from './changes.js'
import { openKitIndex, type KitIndex } from './kit-index.js'
import { checkNames, nameWarning } from './name-checks.js'
import { loadWithAsset, loadWithSection } from './search.js'
import {
  loadOutline,
  loadVersion,
  memoizeVersions,
  outlineOf,
  relist,
  type VersionContext,
  type VersionReference,
} from './versions.js'

export interface CatalogContext extends Omit<VersionContext, 'index'> {
  lock: LockSession
  /** Option `kits`: kits by alias. */
  configured: ReadonlyMap<string, KitReference>
  /** The names of assets in option `kits`. */
  names: readonly NamesOfKit[]
  warn: (message: string, lines?: readonly string[]) => void
  /** Called for each version of a kit when it is loaded. */
  onKit: (kit: NamedKit) => void
}

/** Errors about the content itself. After all others, what was loaded before stays in use. */
const contentErrors: readonly ErrorCode[] = [
  'kitNotFound',
  'versionNotFound',
  'sectionNotFound',
  'assetNotFound',
  'invalidSpace',
]

interface LoadedReference {
  reference: KitReference
  kit: NamedKit
}

export type Catalog = ReturnType<typeof openCatalog>

/**
 * Opens the kits of a space. Each version is loaded once per run; a failed one is loaded again on the next request.
 *
 * Longer than other functions, because its methods share the loaded kits. Loading itself is in `versions.ts`.
 */
export function openCatalog(context: CatalogContext) {
  const { space, lock, snapshots, configured } = context
  const index = openKitIndex(space, lock.kits, configured)
  let count = 0
  const namesOf = namesOfProject(context.names, index, lock.kits)
  /** Drafts that were loaded, and that the space does not have at the moment. */
  const gone = new Set<string>()
  const name = async (kit: LoadedKit) => {
    const isBack = kit.version === 0 && gone.delete(kit.uuid)
    return nameKit(kit, isBack ? lock.namesOfRun(kit.uuid, kit) : lock.names(kit.uuid, kit), await namesOf(kit))
  }
  const named = memoizeVersions(async (reference) => {
    const kit = await name(await loadVersion(reference, { ...context, index }))
    context.onKit(kit)
    return kit
  })
  const naming = { ...context, get: (reference: VersionReference) => named.get(reference) }
  /** What was loaded last for each reference. */
  const used = new Map<string, LoadedReference>()
  /** What could not be loaded again since the lockfile changed. It stays in use until it can. */
  const kept = new Map<string, LoadedReference>()
  const outlines = memoizeVersions((reference) => loadOutline(reference, { ...context, index }))

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
  async function load(reference: KitReference): Promise<NamedKit> {
    return kept.get(referenceKey(reference))?.kit ?? loadLocked(reference)
  }

  async function loadLocked(reference: KitReference): Promise<NamedKit> {
    const kit = await named.get(await resolve(reference))
    await checkNames(kit, naming)
    lock.record(kit, reference.version)
    used.set(referenceKey(reference), { reference, kit })
    return kit
  }

  const search = { space, lock, configured: [...configured.values()], loaded: named.references, load }

  /**
   * Returns a version as the lockfile has it, from the cache, if it is there. For a version whose content is not in the
   * lockfile, returns its last snapshot, which may be from an earlier run.
   */
  async function lastLoaded(uuid: string, version: number): Promise<NamedKit | undefined> {
    const locked = lock.lockedContent(uuid, version)
    const kit = await (locked
      ? snapshots.find({ kit: uuid, version, digest: locked.digest })
      : snapshots.last(uuid, version))
    return kit && name(kit)
  }

  /**
   * Loads a version as the space lists it now, without recording it in the lock. Keeps no snapshot of it: builds of a
   * locked version go on using the listing that they have.
   */
  async function listed(uuid: string, version: number): Promise<NamedKit> {
    if (lock.isUpdating(uuid)) return named.get({ uuid, version })
    return name(await loadKit(await index.kit(uuid), version, context))
  }

  /** Reloads the draft of a kit, unless its record has a revision and it is the same. */
  async function refreshKit(uuid: string): Promise<ContentCheck> {
    const [before, record] = [await index.kit(uuid), await index.fetch(uuid)]
    const isSame = JSON.stringify(record) === JSON.stringify(before)
    const draft = { uuid, version: 0 }
    const loaded = named.has(draft) ? await named.get(draft) : undefined
    // Dates do not decide: only a revision always changes with the draft.
    if (isSame && (loaded === undefined || record.revision !== undefined)) return { changed: false, kits: [] }
    // Replace nothing until the draft is loaded completely.
    const kit = loaded && (await loadKit(record, 0, context))
    index.replace(record)
    outlines.forget(draft)
    if (loaded === undefined || kit === undefined) return { changed: true, kits: [] }
    const change = compareKits(loaded.kit, kit)
    const hasChanged = isChange(change) || contentDigest(loaded.kit) !== contentDigest(kit)
    if (isSame && !hasChanged) return { changed: false, kits: [] }
    // Names that this run has given stay, even if they are not in the lockfile yet.
    const next = nameKit(kit, lock.namesOfRun(uuid, kit), await namesOf(kit))
    context.onKit(next)
    named.set(draft, next)
    return { changed: true, kits: [change] }
  }

  /** Forgets a draft that is no longer there or no longer valid. Its next use is an error, until it is back. */
  const forgetMissing = (uuid: string) => (error: unknown) => {
    ignoreCodes(...contentErrors)(error)
    const draft = { uuid, version: 0 }
    if (named.has(draft)) gone.add(uuid)
    named.forget(draft)
    outlines.forget(draft)
    index.forget(uuid)
    return { changed: true, kits: [] }
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
    kits: () => index.kits(),
    load,
    /** Loads the version that `load` loads, without recording it in the lock. */
    view: async (reference: KitReference) => named.get(await resolve(reference)),
    /**
     * Returns the uuid of a kit.
     * @param kit uuid or slug
     * @throws ContentSpaceError `kitNotFound` with the nearest kits, `ambiguousName`
     */
    find: (kit: string) => index.uuidOf(kit),
    /** Returns the version of a kit that the space uses now. Ignores the lockfile. */
    useVersion: async (uuid: string) => (await index.kit(uuid)).useVersion,
    /** Loads a version of a kit without recording it in the lock. Prefers the snapshot of a published version. */
    async peek(uuid: string, version: number): Promise<NamedKit> {
      if (version === 0 || named.has({ uuid, version })) return named.get({ uuid, version })
      const isLocked = lock.lockedContent(uuid, version) !== undefined
      return (await lastLoaded(uuid, version)) ?? (isLocked ? listed(uuid, version) : named.get({ uuid, version }))
    },
    listed,
    lastLoaded,
    /** Lists again what this run has loaded of published versions. @returns what differs, with the slugs of kits */
    relisted: () => relist(named.references(), { ...context, index }),
    nameWarning: (kit: NamedKit) => nameWarning(kit, naming),
    /** How often `refresh` has found changes. */
    changes: () => count,
    /** Loads sections and headings without items. Throws what `load` throws. */
    async outline(reference: KitReference): Promise<KitOutline> {
      const version = await resolve(reference)
      return version.version === 0 ? outlines.get(version) : outlineOf((await load(reference)).kit)
    },
    /** Loads the kit of a section that is identified by its uuid alone. */
    loadWithSection: (section: string, version: VersionSelector) => loadWithSection(section, version, search),
    /** Loads the kit of an asset that is identified by its uuid alone, among the kits of the project. */
    loadWithAsset: (asset: string) => loadWithAsset(asset, search),
    /** Reloads drafts that have changed, and the lockfile. What cannot be loaded stays as it is. */
    async refresh(): Promise<ContentCheck> {
      const list = index.reload().then((changed) => ({ changed, kits: [] }))
      const isReplaced = await lock.reload()
      if (isReplaced) {
        named.clear()
        outlines.clear()
      }
      const drafts = isReplaced ? [] : index.loaded().map((uuid) => refreshKit(uuid).catch(forgetMissing(uuid)))
      const check = await joinChecks([list, ...drafts, ...[...(isReplaced ? used : kept).values()].map(reload)])
      const changed = check.changed || isReplaced
      if (changed) count++
      return { ...check, changed }
    },
  }
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

/** Names of assets that option `kits` gives, with the kit as it is named there: a canonical uuid or a slug. */
type NamesOfKit = ChosenNames & { kit: string }

/** Returns a function that finds the names that the project gives to the assets of a kit. */
function namesOfProject(
  all: readonly NamesOfKit[],
  index: Pick<KitIndex, 'uuidOf'>,
  locked: () => GivenSlugs,
): (kit: LoadedKit) => Promise<ChosenNames | undefined> {
  return async (kit) => {
    const own: ChosenNames[] = []
    for (const names of all) if (await isKit(names.kit, kit)) own.push(names)
    return agreeOnNames(own)
  }

  /** Asks for the list of kits only if a slug may be the one of this kit. */
  async function isKit(name: string, { uuid, name: title }: LoadedKit): Promise<boolean> {
    if (canonicalUuid(name) !== undefined) return name === uuid
    const { slug = '', aliases = [] } = locked()[uuid] ?? {}
    if (slug === name || aliases.includes(name)) return true
    return name.startsWith(slugOf(title)) && (await index.uuidOf(name)) === uuid
  }
}
