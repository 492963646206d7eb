import type { KitOutline } from '../asset.js'
import { ContentSpaceError, ignoreCodes } from '../errors.js'
import { patternWarning } from '../kit/dark-pairs.js'
import { byIdentity } from '../kit/identity.js'
import type { NamedKit } from '../kit/named-kit.js'
import { assetShortIds, shortIdsOf } from '../kit/short-ids.js'
import type { NeededParts } from '../lock/table.js'
import type { KitReference, VersionSelector } from '../request/request.js'
import { meansShortId } from '../space/short-id.js'
import type { KitRecord, Space } from '../space/space.js'
import { canonicalUuid } from '../space/uuid.js'
import { compareStrings } from '../text/compare.js'
import { openAnswers, type Answer } from './answers.js'
import { compareKits, type ContentCheck, type KitChange } from './changes.js'
import { openKitIndex, type KitIndex } from './kit-index.js'
import { listOfLock, lockedList } from './kit-list.js'
import { contentErrors, type LoadedVersionsContext, openLoadedVersions } from './loaded-versions.js'
import { checkNames, nameWarning } from './name-checks.js'
import { outlineOf, versionKey, type VersionReference } from './versions.js'

export interface CatalogContext extends Omit<LoadedVersionsContext, 'index'> {
  /** Option `kits`: kits by alias. */
  configured: ReadonlyMap<string, KitReference>
  /** Whether the lockfile must not change, so that any published content that it lacks is an error. */
  frozen: boolean
  warn: (message: string, lines?: readonly string[]) => void
}

interface LoadedReference {
  reference: KitReference
  kit: NamedKit
}

export type Catalog = ReturnType<typeof openCatalog>

export function openCatalog(context: CatalogContext) {
  const { space, lock, configured, frozen, warn } = context
  const index = openKitIndex(space, lock.kits, configured)
  const versions = openLoadedVersions({ ...context, index })
  const { peek, listed, lastLoaded } = versions
  const naming = { ...context, get: versions.get }
  /** The last loaded kit of each reference. */
  const used = new Map<string, LoadedReference>()
  /** Kits that failed to reload after the lockfile changed. We keep using each one until a reload succeeds. */
  const kept = new Map<string, LoadedReference>()
  let count = 0
  const { answer, answerListed, lockedVersion, requireLocked } = openAnswers({
    space,
    lock,
    index,
    versions,
    frozen,
    load,
    warn,
  })

  const owners = openOwners({ ...context, index, references: versions.references, load })

  async function resolve({ kit, version: selector }: KitReference): Promise<VersionReference> {
    const uuid = await index.uuidOf(kit)
    const number = selector === 'use' ? undefined : selector
    return { uuid, version: lock.version(uuid, selector) ?? number ?? (await index.kit(uuid)).useVersion }
  }

  /**
   * Lists a version of a kit, with names. Locked content takes precedence over what the space lists.
   * @throws ContentSpaceError `kitNotFound` and `versionNotFound` with the nearest valid values; any error of the space
   */
  async function load(reference: KitReference): Promise<NamedKit> {
    const known = kept.get(referenceKey(reference))
    return known ? known.kit : loadNow(reference)
  }

  async function loadNow(reference: KitReference): Promise<NamedKit> {
    const kit = await versions.get(await resolve(reference))
    await checkNames(kit, naming)
    const warning = patternWarning(kit)
    if (warning) warn(warning)
    used.set(referenceKey(reference), { reference, kit })
    return kit
  }

  /** Reloads a kit that was in use before the lockfile changed. */
  async function reload(before: LoadedReference): Promise<ContentCheck> {
    const text = referenceKey(before.reference)
    try {
      const kit = await loadNow(before.reference)
      kept.delete(text)
      return { changed: true, kits: [compareKits(before.kit.kit, kit.kit)] }
    } catch (error) {
      if (error instanceof ContentSpaceError && contentErrors.includes(error.code)) kept.delete(text)
      else kept.set(text, before)
      throw error
    }
  }

  /** Returns the kits of the space from the lockfile, or otherwise from the space. Records that they are used. */
  async function lockedKits(): Promise<KitRecord[]> {
    const known = lock.list()
    if (known) return listOfLock(known)
    if (frozen) {
      throw new ContentSpaceError('frozen', 'The list of kits is not in the lockfile, which is frozen.', {
        hint: 'Run `npx content-space sync` and commit the lockfile.',
      })
    }
    const kits = await index.kits()
    lock.recordList(lockedList(kits))
    return kits
  }

  return {
    kits: index.kits,
    lockedKits,
    load,
    answer,
    answerListed,
    /** Returns whether a version was listed before. False for a kit that the project doesn't have. */
    async isListed(reference: KitReference): Promise<boolean> {
      const version = lockedVersion(reference)
      return version === undefined || versions.isListed(version)
    },
    find: index.uuidOf,
    /** Returns the version of a kit that the space uses now. Ignores the lockfile. */
    useVersion: async (uuid: string) => (await index.kit(uuid)).useVersion,
    peek,
    listed,
    lastLoaded,
    nameAgain: versions.nameAgain,
    nameWarning: (kit: NamedKit) => nameWarning(kit, naming),
    /** Returns how many times `refresh` has found changes. */
    changes: () => count,
    /** Loads sections and headings without items. Throws the same errors as `load`. */
    async outline(reference: KitReference, full = false): Promise<{ answer?: Answer<unknown>; outline: KitOutline }> {
      const version = await resolveLocked(reference)
      if (version.version === 0) return { outline: await versions.outline(version) }
      const use: NeededParts = { assets: [], whole: ['outline', 'kit'], full }
      const found = await answer(reference, () => ({ value: undefined, use }))
      return { answer: found, outline: outlineOf(found.named.kit) }
    },
    ...owners,
    /** Reloads changed drafts and the lockfile. If a kit can't be loaded, keeps its old state. */
    async refresh(): Promise<ContentCheck> {
      const isReplaced = await lock.reload()
      if (isReplaced) versions.clear()
      const list = index.reload().then((changed) => ({ changed, kits: [] }))
      const drafts = isReplaced ? [] : index.loaded().map(versions.refreshDraft)
      const check = await joinChecks([list, ...drafts, ...[...(isReplaced ? used : kept).values()].map(reload)])
      const changed = check.changed || isReplaced
      if (changed) count++
      return { ...check, changed }
    },
  }

  /** Resolves a version. @throws ContentSpaceError `frozen` if a frozen lockfile lacks it */
  async function resolveLocked(reference: KitReference): Promise<VersionReference> {
    const known = lockedVersion(reference)
    if (known === undefined) requireLocked(reference)
    return known ?? resolve(reference)
  }
}

interface OwnersContext extends Pick<CatalogContext, 'space' | 'lock' | 'configured' | 'frozen'> {
  index: Pick<KitIndex, 'lockedUuid'>
  /** Returns the versions that were loaded. */
  references: () => readonly VersionReference[]
  load: (reference: KitReference) => Promise<NamedKit>
}

/** Finds the kits of assets and sections whose ids don't name a kit. */
function openOwners({ space, lock, configured, frozen, index, references, load }: OwnersContext) {
  /**
   * Searches the kits of the project for an asset that is identified only by its uuid or short id, and returns its kit.
   * @throws ContentSpaceError `assetNotFound`
   */
  async function kitWithAsset(asset: string): Promise<KitReference> {
    const found = await findOwner(asset, ({ kit, assets }) => {
      const shortIds = (uuid: string) => assetShortIds(kit).get(uuid) ?? []
      return assets.has(asset) || byIdentity(kit).has(asset) || meansOne(asset, assets.keys(), shortIds)
    })
    if (found) return found
    if (frozen) {
      throw new ContentSpaceError('frozen', `Asset ${asset} is not in the lockfile, which is frozen.`, {
        asset,
        hint: 'Run `npx content-space sync` and commit the lockfile.',
      })
    }
    throw notOwned('asset', asset)
  }

  /**
   * Returns the kit of a section that is identified only by its uuid or short id. For a uuid, the service names the
   * kit.
   * @throws ContentSpaceError `sectionNotFound`
   */
  async function kitWithSection(section: string, version: VersionSelector): Promise<KitReference> {
    if (canonicalUuid(section) !== undefined) {
      const owner = lock.findOwner(section)
      if (owner || frozen) return { kit: owner?.kit ?? section, version }
      return { kit: await findKitOfSection(section, version, space), version }
    }
    const found = await findOwner(section, ({ kit, sections }) => meansOne(section, sections.keys(), shortIdsOf(kit)))
    if (found) return { kit: found.kit, version }
    throw notOwned('section', section)
  }

  /**
   * Searches the kits of the project. Starts with the kit that the lockfile has for the uuid or short id, followed by
   * configured, locked and loaded kits.
   */
  async function findOwner(id: string, isIn: (kit: NamedKit) => boolean): Promise<KitReference | undefined> {
    const owner = lock.findOwner(id)
    if (owner) return owner
    const locked = Object.keys(lock.kits()).map((kit) => ({ kit, version: 'use' as const }))
    const loaded = references()
      .toSorted((a, b) => compareStrings(versionKey(a), versionKey(b)))
      .map(({ uuid, version }) => ({ kit: uuid, version }))
    for (const reference of [...configured.values(), ...locked, ...loaded]) {
      if (frozen && lock.version(index.lockedUuid(reference.kit) ?? '', reference.version) !== 0) continue
      if (isIn(await load(reference))) return reference
    }
    return undefined
  }

  return { kitWithAsset, kitWithSection }
}

/**
 * Returns the error for an id without a kit. The id may contain a name, but a name is valid only together with a kit.
 */
function notOwned(kind: 'asset' | 'section', name: string): ContentSpaceError {
  const hint = `Add its kit to option kits, or write content-space:${kind}/<kit>/<${kind}>.`
  if (canonicalUuid(name) === undefined) {
    const message = `content-space:${kind}/${name} has no kit, and no ${kind} of this project has the short id ${name}.`
    return new ContentSpaceError('invalidId', message, { [kind]: name, hint })
  }
  const what = `${kind === 'asset' ? 'Asset' : 'Section'} ${name}`
  return new ContentSpaceError(`${kind}NotFound`, `${what} is not in any kit of this project.`, { [kind]: name, hint })
}

/** Returns whether a name is the short id of one of the entries. */
function meansOne(name: string, uuids: Iterable<string>, shortIds: (uuid: string) => readonly string[]): boolean {
  return [...uuids].some((uuid) => shortIds(uuid).some((id) => meansShortId(name, id)))
}

function referenceKey({ kit, version }: KitReference): string {
  return `${kit}@${version}`
}

/** Waits for all checks, so that one kit that can't be loaded doesn't hide the changes of others. */
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

/** @throws ContentSpaceError `sectionNotFound` */
async function findKitOfSection(section: string, version: VersionSelector, space: Space): Promise<string> {
  try {
    return (await space.section(section, version === 'use' ? 0 : version)).kitUuid
  } catch (error) {
    const notFound = ignoreCodes('sectionNotFound', 'versionNotFound')
    notFound(error)
    // The section may exist in the version in use but no longer in the draft.
    const list = version === 'use' ? await space.kits() : []
    for (const number of new Set(list.map(({ useVersion }) => useVersion))) {
      const found = await space.section(section, number).catch(notFound)
      const kit = list.find(({ uuid, useVersion }) => uuid === found?.kitUuid && useVersion === number)
      if (kit) return kit.uuid
    }
    throw error
  }
}
