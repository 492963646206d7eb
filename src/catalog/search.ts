import { ContentSpaceError, ignoreCodes } from '../errors.js'
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
export async function loadWithAsset(
  asset: string,
  { lock, configured, loaded, load }: SearchContext,
): Promise<NamedKit> {
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
