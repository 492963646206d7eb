import { ContentSpaceError } from '../errors.js'
import type { NamedKit } from '../kit/named-kit.js'
import type { LockSession } from '../lock/session.js'
import type { KitReference, VersionSelector } from '../request/request.js'
import type { Space } from '../space/space.js'
import { compareStrings } from '../text/compare.js'
import { versionKey, type VersionReference } from './versions.js'

export interface SearchContext {
  space: Space
  lock: Pick<LockSession, 'kits' | 'findOwner'>
  configured: readonly KitReference[]
  loaded: () => VersionReference[]
  load: (reference: KitReference) => Promise<NamedKit>
}

/** Loads the kit of a section that is identified by its uuid alone. */
export async function loadWithSection(
  section: string,
  version: VersionSelector,
  context: SearchContext,
): Promise<NamedKit> {
  const { space, lock, load } = context
  const owner = lock.findOwner(section)
  const locked = owner && (await load({ kit: owner.kit, version }))
  if (locked?.sections.has(section)) return locked
  try {
    const { kitUuid } = await space.section(section, version === 'use' ? 0 : version)
    return await load({ kit: kitUuid, version })
  } catch (error) {
    if (!(error instanceof ContentSpaceError) || error.code !== 'sectionNotFound') throw error
    // The section may be in the version in use, and no longer in the draft.
    const kit = await findKit(section, ({ sections }) => sections.has(section), context, version)
    if (kit) return kit
    throw error
  }
}

/** Loads the kit of an asset that is identified by its uuid alone, among the kits of the project. */
export async function loadWithAsset(asset: string, context: SearchContext): Promise<NamedKit> {
  const kit = await findKit(asset, ({ assets }) => assets.has(asset), context)
  if (kit) return kit
  throw new ContentSpaceError('assetNotFound', `Asset ${asset} is not in any kit of this project.`, {
    asset,
    hint: 'Add its kit to option kits, or write content-space:asset/<kit>/<asset>.',
  })
}

/**
 * Finds the first kit of the project that contains a section or an asset. Searches the kit in which the lockfile lists
 * it, then configured, locked and loaded kits.
 * @param version default: the version of each kit in the project
 */
async function findKit(
  uuid: string,
  contains: (kit: NamedKit) => boolean,
  { lock, configured, loaded, load }: SearchContext,
  version?: VersionSelector,
): Promise<NamedKit | undefined> {
  const owner = lock.findOwner(uuid)
  const locked = Object.keys(lock.kits()).map((kit) => ({ kit, version: 'use' as const }))
  const others = loaded()
    .toSorted((a, b) => compareStrings(versionKey(a), versionKey(b)))
    .map((reference) => ({ kit: reference.uuid, version: reference.version }))
  for (const reference of [...(owner ? [owner] : []), ...configured, ...locked, ...others]) {
    const kit = await load({ kit: reference.kit, version: version ?? reference.version })
    if (contains(kit)) return kit
  }
  return undefined
}
