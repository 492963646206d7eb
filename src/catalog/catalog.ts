import { loadKit, type LoadedKit } from '../kit/load.js'
import { nameKit, type NamedKit } from '../kit/named-kit.js'
import type { LockSession } from '../lock/session.js'
import type { KitReference, VersionSelector } from '../request/request.js'
import type { KitRecord, Space } from '../space/space.js'
import { openKitIndex } from './kit-index.js'
import { openNameChecks, type NameWarning } from './name-checks.js'
import { namesOfProject, type NamesOfKit } from './project-names.js'
import { loadWithAsset, loadWithSection } from './search.js'
import type { Snapshots } from './snapshots.js'
import { loadOutline, loadVersion, memoizeVersions, type KitOutline, type VersionReference } from './versions.js'

export interface CatalogContext {
  space: Space
  lock: LockSession
  snapshots: Snapshots
  /** Option `kits`: kits by alias. */
  configured: ReadonlyMap<string, KitReference>
  /** The names of assets in option `kits`. */
  names: readonly NamesOfKit[]
  strict: boolean
  warn: (message: string, lines?: readonly string[]) => void
  /** Called for each version of a kit when it is loaded. */
  onKit: (kit: NamedKit) => void
}

/** The kits of a space. Each version is loaded once per run; a failed one is loaded again on the next request. */
export interface Catalog {
  kits(): Promise<KitRecord[]>
  /**
   * Loads a version of a kit, with names, and records it in the lock.
   * @throws ContentSpaceError `kitNotFound` and `versionNotFound` with the nearest valid values, and what the space
   *   throws
   */
  load(reference: KitReference): Promise<NamedKit>
  /**
   * Returns the uuid of a kit.
   * @param kit uuid or slug
   * @throws ContentSpaceError `kitNotFound` with the nearest kits, `ambiguousName`
   */
  find(kit: string): Promise<string>
  /** Returns the version of a kit that the space uses now. Ignores the lockfile. */
  useVersion(uuid: string): Promise<number>
  /** Loads a version of a kit without recording it in the lock. Prefers the last snapshot of a published version. */
  peek(uuid: string, version: number): Promise<NamedKit>
  /**
   * Loads a version as the space lists it now, without recording it in the lock. Keeps no snapshot of it: builds of a
   * locked version go on using the listing that they have.
   */
  listed(uuid: string, version: number): Promise<NamedKit>
  /** Returns a version from its last snapshot, which may be from an earlier run, if there is one. */
  lastLoaded(uuid: string, version: number): Promise<NamedKit | undefined>
  /** Loads sections and headings without items. Throws what `load` throws. */
  outline(reference: KitReference): Promise<KitOutline>
  /** Loads the kit of a section that is identified by its uuid alone. */
  loadWithSection(section: string, version: VersionSelector): Promise<NamedKit>
  /** Loads the kit of an asset that is identified by its uuid alone, among the kits of the project. */
  loadWithAsset(asset: string): Promise<NamedKit>
  /** Returns the warning about export names that a kit has caused. */
  nameWarning(this: void, uuid: string): NameWarning | undefined
  /** Reloads drafts that have changed, and the lockfile. @returns whether anything has changed */
  refresh(): Promise<boolean>
}

/**
 * Opens the catalog of a run.
 *
 * Longer than other functions, because its methods share the loaded kits. Loading itself is in `versions.ts`.
 */
export function openCatalog(context: CatalogContext): Catalog {
  const { space, lock, snapshots, configured } = context
  const index = openKitIndex(space, lock.kits)
  const namesOf = namesOfProject(context.names, index, lock.kits)
  const name = async (kit: LoadedKit) => nameKit(kit, lock.names(kit.uuid), await namesOf(kit))
  const named = memoizeVersions(async (reference) => {
    const kit = await name(await loadVersion(reference, { ...context, index }))
    context.onKit(kit)
    return kit
  })
  const nameChecks = openNameChecks({ ...context, get: (reference) => named.get(reference) })
  const outlines = memoizeVersions((reference) => loadOutline(reference, { ...context, index }))

  async function resolve({ kit, version: selector }: KitReference): Promise<VersionReference> {
    const uuid = await index.uuidOf(kit)
    const number = selector === 'use' ? undefined : selector
    return { uuid, version: lock.version(uuid, selector) ?? number ?? (await index.kit(uuid)).useVersion }
  }

  async function load(reference: KitReference): Promise<NamedKit> {
    const kit = await named.get(await resolve(reference))
    await nameChecks.check(kit)
    lock.record(kit, reference.version)
    return kit
  }

  const search = { space, lock, configured: [...configured.values()], loaded: named.references, load }

  async function lastLoaded(uuid: string, version: number): Promise<NamedKit | undefined> {
    const kit = await snapshots.last(uuid, version)
    return kit && name(kit)
  }

  /** Reloads the draft of a kit if its record has changed: the record contains its dates or its revision. */
  async function refreshKit(uuid: string): Promise<boolean> {
    const [before, record] = [await index.kit(uuid), await index.fetch(uuid)]
    if (JSON.stringify(record) === JSON.stringify(before)) return false
    const draft = { uuid, version: 0 }
    // Replace nothing until the draft is loaded completely.
    const kit = named.has(draft) ? await loadKit(record, 0, context) : undefined
    index.replace(record)
    outlines.forget(draft)
    if (kit) named.set(draft, await name(kit))
    return true
  }

  return {
    kits: () => index.kits(),
    load,
    find: (kit) => index.uuidOf(kit),
    useVersion: async (uuid) => (await index.kit(uuid)).useVersion,
    async peek(uuid, version) {
      const usesSnapshot = version !== 0 && !named.has({ uuid, version })
      return (usesSnapshot ? await lastLoaded(uuid, version) : undefined) ?? named.get({ uuid, version })
    },
    async listed(uuid, version) {
      if (space.local || lock.isUpdating(uuid)) return named.get({ uuid, version })
      return name(await loadKit(await index.kit(uuid), version, context))
    },
    lastLoaded,
    nameWarning: nameChecks.warningOf,
    outline: async (reference) => outlines.get(await resolve(reference)),
    loadWithSection: (section, version) => loadWithSection(section, version, search),
    loadWithAsset: (asset) => loadWithAsset(asset, search),
    async refresh() {
      index.forget()
      if (await lock.reload()) {
        named.clear()
        outlines.clear()
        return true
      }
      const changed = await Promise.all(index.loaded().map(refreshKit))
      return changed.includes(true)
    },
  }
}
