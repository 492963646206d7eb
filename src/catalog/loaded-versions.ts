import { isDeepStrictEqual } from 'node:util'
import type { KitNames } from '../config/options.js'
import { ignoreCodes, ignoreOwnErrors, type ErrorCode } from '../errors.js'
import { agreeOnNames, type ChosenNames } from '../kit/chosen-names.js'
import { contentDigest } from '../kit/content-digest.js'
import { slugOf } from '../kit/identifiers.js'
import { loadKit, type LoadedKit } from '../kit/load.js'
import { nameKit, type NamedKit } from '../kit/named-kit.js'
import type { GivenSlugs } from '../kit/names.js'
import type { LockSession } from '../lock/session.js'
import { canonicalUuid } from '../space/uuid.js'
import { compareKits, isChange, type ContentCheck } from './changes.js'
import type { KitIndex } from './kit-index.js'
import {
  loadOutline,
  loadVersion,
  memoizeVersions,
  relist,
  type VersionContext,
  type VersionReference,
} from './versions.js'

export interface LoadedVersionsContext extends VersionContext {
  lock: LockSession
  names: readonly KitNames[]
  /** Called for each version of a kit when it is loaded. */
  onKit: (kit: NamedKit) => void
}

/** Errors about the content itself. After all others, what was loaded before stays in use. */
export const contentErrors: readonly ErrorCode[] = [
  'kitNotFound',
  'versionNotFound',
  'sectionNotFound',
  'assetNotFound',
  'invalidSpace',
]

/** Opens the versions of kits, with names. Each is loaded once; a failed one is loaded again on the next request. */
export function openLoadedVersions(context: LoadedVersionsContext) {
  const { lock, snapshots, index, onKit } = context
  const namesOf = namesOfProject(context.names, index, lock.kits)
  const listings = memoizeVersions((reference) => loadVersion(reference, context))
  const named = memoizeVersions(async (reference) => {
    const listing = await listings.get(reference)
    listings.forget(reference)
    const kit = await name(listing)
    onKit(kit)
    return kit
  })
  const outlines = memoizeVersions((reference) => loadOutline(reference, context))

  /** Names that this run has given to the kit stay, even if they are not in the lockfile yet. */
  async function name(kit: LoadedKit): Promise<NamedKit> {
    const chosen = await namesOf(kit)
    return nameKit(kit, lock.names(kit.uuid, kit), chosen)
  }

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

  /** Loads a version of a kit without recording it in the lock. Prefers the snapshot of a published version. */
  async function peek(uuid: string, version: number): Promise<NamedKit> {
    if (version === 0 || named.has({ uuid, version })) return named.get({ uuid, version })
    const isLocked = lock.lockedContent(uuid, version) !== undefined
    return (await lastLoaded(uuid, version)) ?? (isLocked ? listed(uuid, version) : named.get({ uuid, version }))
  }

  async function reloadDraft(uuid: string): Promise<ContentCheck> {
    const [before, record] = [await index.kit(uuid), await index.fetch(uuid)]
    const isSame = JSON.stringify(record) === JSON.stringify(before)
    const draft = { uuid, version: 0 }
    const loaded = named.has(draft) ? await named.get(draft) : undefined
    // Dates do not decide: only a revision always changes with the draft.
    if (isSame && (!loaded || record.revision !== undefined)) return { changed: false, kits: [] }
    // Replace nothing until the draft is loaded completely.
    const kit = loaded && (await loadKit(record, 0, context))
    index.replace(record)
    outlines.forget(draft)
    if (!loaded || !kit) return { changed: true, kits: [] }
    const change = compareKits(loaded.kit, kit)
    const hasChanged = isChange(change) || contentDigest(loaded.kit) !== contentDigest(kit)
    if (isSame && !hasChanged) return { changed: false, kits: [] }
    const next = await name(kit)
    onKit(next)
    named.set(draft, next)
    return { changed: true, kits: [change] }
  }

  return {
    get: named.get,
    /** Starts to load a version, which is named when it is used. */
    prefetch(this: void, reference: VersionReference): Promise<unknown> | undefined {
      const listing = named.has(reference) ? undefined : listings.get(reference)
      listing?.catch(() => {})
      return listing
    },
    references: named.references,
    outline: outlines.get,
    peek,
    listed,
    lastLoaded,
    /** Lists again what this run has loaded of published versions. @returns what differs, with the slugs of kits */
    relisted: () => relist(named.references(), context),
    /**
     * Reloads the draft of a kit, unless its record has a revision and it is the same. Forgets a draft that is no
     * longer there or no longer valid: its next use is an error, until it is back.
     */
    async refreshDraft(this: void, uuid: string): Promise<ContentCheck> {
      const draft = { uuid, version: 0 }
      listings.forget(draft)
      try {
        return await reloadDraft(uuid)
      } catch (error) {
        ignoreCodes(...contentErrors)(error)
        named.forget(draft)
        outlines.forget(draft)
        index.forget(uuid)
        return { changed: true, kits: [] }
      }
    },
    /**
     * Names what this run has loaded as its lock does: several versions of a kit are named one by one, and share their
     * names. @param uuid of the kit. Default: all @returns whether any name is another one
     */
    async nameAgain(this: void, uuid?: string): Promise<boolean> {
      const all = named.references().filter((one) => (uuid ?? one.uuid) === one.uuid)
      const shared = all.filter((one) => all.some((other) => other.uuid === one.uuid && other.version !== one.version))
      let hasChanged = false
      for (const reference of shared) {
        const before = await named.get(reference).catch(ignoreOwnErrors)
        if (!before) continue
        const now = await name(before.kit)
        const parts = [now.assets, now.sections, now.headings]
        if (isDeepStrictEqual(parts, [before.assets, before.sections, before.headings])) continue
        named.set(reference, now)
        hasChanged = true
      }
      return hasChanged
    },
    clear(): void {
      listings.clear()
      named.clear()
      outlines.clear()
    },
  }
}

/** Returns a function that finds the names that the project gives to the assets of a kit. */
function namesOfProject(
  all: readonly KitNames[],
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
