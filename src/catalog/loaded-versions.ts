import type { KitNames } from '../config/options.js'
import { ignoreCodes, ignoreOwnErrors, type ErrorCode } from '../errors.js'
import { agreeOnNames, type ChosenNames } from '../kit/chosen-names.js'
import { slugOf } from '../kit/identifiers.js'
import { loadKit, type LoadedKit, setOrigin } from '../kit/load.js'
import { isNameOf } from '../kit/lookup.js'
import { nameKit, type NamedKit } from '../kit/named-kit.js'
import { isFinal } from '../kit/processing.js'
import type { GivenSlugs } from '../kit/names.js'
import { kitShortId } from '../kit/short-ids.js'
import { finalPart } from '../lock/records.js'
import type { LockedTable } from '../lock/schema.js'
import type { LockSession } from '../lock/session.js'
import { kitOfTable, withTable } from '../lock/table.js'
import type { Digests } from '../space/space.js'
import { canonicalUuid } from '../space/uuid.js'
import { compareKits, hasSameStructure, isChange, type ContentCheck } from './changes.js'
import { areSameKits, type KitIndex } from './kit-index.js'
import type { rememberResponses } from './responses.js'
import {
  isPastRevision,
  listVersion,
  loadOutline,
  memoizeVersions,
  type VersionContext,
  type VersionReference,
} from './versions.js'

export interface LoadedVersionsContext extends VersionContext {
  lock: LockSession
  names: readonly KitNames[]
  /** Called each time a version of a kit is read. */
  onKit: (kit: NamedKit) => void
}

/** Errors about the content itself. After any other error, the previously loaded content stays in use. */
export const contentErrors: readonly ErrorCode[] = [
  'kitNotFound',
  'versionNotFound',
  'sectionNotFound',
  'assetNotFound',
  'invalidSpace',
]

/**
 * Opens the versions of kits, with names. Loads each version once, but retries a failed version on the next request.
 */
export function openLoadedVersions(context: LoadedVersionsContext) {
  const { space, lock, snapshots, index, onKit } = context
  const namesOf = namesOfProject(context.names, index, lock.kits)
  const named = memoizeVersions(async (reference) => {
    const listing = await listVersion(reference, context)
    const known = tableOf(reference, finalPart)
    const kit = await name(known ? withTable(listing, known.kit, known.table) : listing)
    onKit(kit)
    return kit
  })
  const locked = memoizeVersions(async (reference): Promise<{ named: NamedKit; table: LockedTable } | undefined> => {
    const known = tableOf(reference)
    if (known === undefined) return undefined
    setOrigin(known.kit, space)
    const own = nameKit(known.kit, lock.names({ kit: known.kit, isAlone: true }), await namesOf(known.kit, false))
    const kit: NamedKit = { ...own, isPartial: true }
    onKit(kit)
    return { named: kit, table: known.table }
  })
  const outlines = memoizeVersions((reference) => loadOutline(reference, context))
  let remembered: Promise<ReturnType<typeof rememberResponses>> | undefined

  function tableOf(
    { uuid, version }: VersionReference,
    part = (table: LockedTable) => table,
  ): { kit: LoadedKit; table: LockedTable } | undefined {
    const [whole, kit] = [lock.table(uuid, version), lock.lockedKit(uuid)]
    const table = whole && part(whole)
    return table && kit && { table, kit: kitOfTable(uuid, kit, version, table) }
  }

  /**
   * Assigns names to the content of a kit. Keeps names that this run has assigned, even if the lockfile doesn't contain
   * them yet.
   */
  async function name(kit: LoadedKit): Promise<NamedKit> {
    setOrigin(kit, space)
    const chosen = await namesOf(kit)
    return nameKit(kit, lock.names({ kit }), chosen)
  }

  /** Returns a version as this run or an earlier one last listed it. */
  async function lastLoaded(uuid: string, version: number): Promise<NamedKit | undefined> {
    const kit = await snapshots.last(uuid, version)
    return kit && name(kit)
  }

  /**
   * Loads a version as the space lists it now. Doesn't keep a snapshot of it.
   * @returns undefined for a revision that is no longer its source's current one
   */
  async function listed(uuid: string, version: number): Promise<NamedKit | undefined> {
    if (lock.isUpdating(uuid)) return named.get({ uuid, version })
    const kit = await loadKit(await index.kit(uuid), version, context).catch((error: unknown) =>
      isPastRevision(error, uuid, space) ? undefined : Promise.reject(error),
    )
    return kit && name(kit)
  }

  /** Loads a version of a kit. Prefers the snapshot of a published version. */
  async function peek(uuid: string, version: number): Promise<NamedKit> {
    const isRead = version === 0 || (lock.isUpdating(uuid) && named.has({ uuid, version }))
    const last = isRead ? undefined : await lastLoaded(uuid, version)
    return last && isFinal(last.kit) ? last : named.get({ uuid, version })
  }

  async function reloadDraft(uuid: string): Promise<ContentCheck> {
    const [before, record] = [await index.kit(uuid), await index.fetch(uuid)]
    const isSame = areSameKits([before], [record])
    if (isSame) index.replace(record)
    const draft = { uuid, version: 0 }
    // Builds don't need this module.
    remembered ??= import('./responses.js').then((module) => module.rememberResponses(space))
    const responses = await remembered
    const loaded = named.has(draft) ? await named.get(draft) : undefined
    // Dates aren't enough, because only a revision always changes with the draft.
    if (isSame && (!loaded || record.revision !== undefined || (await responses.areUnchanged(loaded.kit))))
      return { changed: false, kits: [] }
    const digests: Digests = new Map()
    // Don't replace anything until the draft is completely loaded.
    const kit = loaded && (await loadKit(record, 0, { ...context, call: { digests } }))
    index.replace(record)
    outlines.forget(draft)
    if (!loaded || !kit) return { changed: true, kits: [] }
    const change = compareKits(loaded.kit, kit)
    const hasChanged = isChange(change) || !hasSameStructure(loaded.kit, kit)
    const hasNext = hasChanged || !isSame
    responses.keep(hasNext ? kit : loaded.kit, digests)
    if (!hasNext) return { changed: false, kits: [] }
    const next = await name(kit)
    onKit(next)
    named.set(draft, next)
    return { changed: true, kits: [change] }
  }

  return {
    get: named.get,
    locked: locked.get,
    references: () => [...named.references(), ...locked.references()],
    outline: outlines.get,
    peek,
    listed,
    lastLoaded,
    /** Returns whether this run or an earlier one listed a version. */
    isListed: async (reference: VersionReference): Promise<boolean> =>
      named.has(reference) || (await snapshots.last(reference.uuid, reference.version)) !== undefined,
    /**
     * Reloads the draft of a kit, unless its record has an unchanged revision. Drops a draft that no longer exists or
     * is no longer valid, so that using it is an error until it is available again.
     */
    async refreshDraft(this: void, uuid: string): Promise<ContentCheck> {
      const draft = { uuid, version: 0 }
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
    /** Assigns names to the content of the loaded kits again. */
    async nameAgain(this: void): Promise<void> {
      for (const reference of named.references()) {
        const before = await named.get(reference).catch(ignoreOwnErrors)
        if (before) named.set(reference, await name(before.kit))
      }
    },
    clear(): void {
      named.clear()
      locked.clear()
      outlines.clear()
    },
  }
}

/** Creates a function that finds the names that the project assigns to the assets of a kit. */
function namesOfProject(
  all: readonly KitNames[],
  index: Pick<KitIndex, 'uuidOf'>,
  locked: () => GivenSlugs,
): (kit: LoadedKit, mayAsk?: boolean) => Promise<ChosenNames | undefined> {
  return async (kit, mayAsk = true) => {
    const own: ChosenNames[] = []
    for (const names of all) if (await isKit(names.kit, kit, mayAsk)) own.push(names)
    return agreeOnNames(own)
  }

  /** Requests the list of kits only if a slug may belong to this kit, and never for a locked version. */
  async function isKit(name: string, kit: LoadedKit, mayAsk: boolean): Promise<boolean> {
    const { uuid } = kit
    const { slug = '', ...given } = locked()[uuid] ?? {}
    if (isNameOf(name, { uuid, shortId: kitShortId(kit), ...given, slug })) return true
    if (canonicalUuid(name) !== undefined) return false
    return mayAsk && name.startsWith(slugOf(kit.name)) && (await index.uuidOf(name)) === uuid
  }
}
