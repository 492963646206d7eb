import { createHash } from 'node:crypto'
import { ContentSpaceError } from '../../errors.js'
import type { FolderContent, StoredAsset, StoredItem, StoredKit, StoredSection, StoredVersion } from './model.js'
import { canonicalUuid } from '../uuid.js'

/** @throws ContentSpaceError `kitNotFound`, also for what is no uuid */
export function findKit({ kits }: FolderContent, uuid: string): StoredKit {
  const kit = kits.find((candidate) => candidate.uuid === canonicalUuid(uuid))
  if (kit) return kit
  throw new ContentSpaceError('kitNotFound', `There is no kit ${uuid}.`, { kit: uuid })
}

/** @throws ContentSpaceError `versionNotFound` */
export function findVersion(kit: StoredKit, version: number): StoredVersion {
  const found = kit.versions.find((candidate) => candidate.version === version)
  if (found) return found
  const known = kit.versions.map((candidate) => candidate.version).join(', ')
  const message = `The kit ${kit.uuid} has no version ${version}; it has ${known}.`
  throw new ContentSpaceError('versionNotFound', message, { kit: kit.uuid, version })
}

/** @throws ContentSpaceError `sectionNotFound`, or `versionNotFound` when its kit has no such version */
export function findSection({ kits }: FolderContent, text: string, version: number): StoredSection {
  const uuid = canonicalUuid(text)
  const has = (candidate: StoredVersion) => candidate.sections.find((section) => section.uuid === uuid)
  const kit = kits.find((candidate) => candidate.versions.some(has))
  const section = kit && has(findVersion(kit, version))
  if (section) return section
  const message = `There is no section ${text} in version ${version}.`
  throw new ContentSpaceError('sectionNotFound', message, { section: text, version })
}

/**
 * @param hash picks among versions with different files; without one that is known it is the draft's, or the newest
 * @throws ContentSpaceError `assetNotFound`, also for what is no uuid
 */
export function findAsset({ assets }: FolderContent, uuid: string, hash?: string): StoredAsset {
  const versions = assets.get(canonicalUuid(uuid) ?? '') ?? []
  const asset = versions.find(({ file }) => file?.hash === hash) ?? versions[0]
  if (asset) return asset
  throw new ContentSpaceError('assetNotFound', `There is no asset ${uuid}.`, { asset: uuid })
}

/** Fields that hold addresses: what a server adds to the record of a kit or an asset that has none of its own. */
export interface Addresses {
  kit(kit: StoredKit): Record<string, unknown>
  asset(asset: StoredAsset): Record<string, unknown>
}

/** A folder has no addresses, but for a cover that is one. */
export const noAddresses: Addresses = {
  kit: ({ cover }) => (typeof cover === 'string' ? { images: { cover } } : {}),
  asset: () => ({}),
}

export function kitsResult({ kits }: FolderContent, addresses: Addresses) {
  const list = kits.map((kit) => ({ ...kit.record, ...addresses.kit(kit) }))
  return { success: true, kit: list, kits: list }
}

export function kitResult(kit: StoredKit, include: 'versions' | 'use_versions' | '', addresses: Addresses) {
  const use = kit.versions.filter(({ version }) => version === 0 || version === kit.useVersion)
  const shown = { versions: kit.versions, use_versions: use, '': undefined }[include]
  const versions = shown && { versions: shown.map(({ record }) => record) }
  return { success: true, kit: { ...kit.record, ...addresses.kit(kit), ...versions } }
}

/** Changes with whatever the draft of a kit holds, for a folder has no dates that would. */
export function revisionOf(kit: StoredKit): string {
  const sections = findVersion(kit, 0).sections.map(({ record, items }) => [
    record,
    items.map((item) => [item.record, item.asset?.record]),
  ])
  return createHash('sha256').update(JSON.stringify(sections)).digest('hex')
}

export function outlineResult({ record, version, sections }: StoredVersion) {
  const outline = sections.map(({ uuid, name, items }, order) => ({
    name,
    uuid,
    version,
    display_order: order,
    headers: items.flatMap((item, place) =>
      item.heading === undefined ? [] : [{ uuid: item.uuid, name: item.heading, version, display_order: place }],
    ),
  }))
  return { success: true, kit_version: { ...record, sections: outline } }
}

/** @param items the page */
export function sectionResult({ record }: StoredSection, items: StoredItem[], addresses: Addresses) {
  const wire = items.map(({ record: item, asset }) =>
    asset ? { ...item, asset: { ...addresses.asset(asset), ...asset.record } } : item,
  )
  return { section: { ...record, items: wire } }
}
