import { createHash } from 'node:crypto'
import { memoizeWeak } from '../../async/memoize.js'
import { ContentSpaceError } from '../../errors.js'
import {
  assetsIn,
  type FolderContent,
  type StoredAsset,
  type StoredItem,
  type StoredKit,
  type StoredSection,
  type StoredVersion,
} from './model.js'
import { canonicalUuid } from '../uuid.js'

/** @throws ContentSpaceError `kitNotFound`, also for an invalid uuid */
export function findKit({ kits }: FolderContent, uuid: string): StoredKit {
  const kit = kits.find((candidate) => candidate.uuid === canonicalUuid(uuid))
  if (kit) return kit
  throw new ContentSpaceError('kitNotFound', `The space has no kit ${uuid}.`, { kit: uuid })
}

/** @throws ContentSpaceError `versionNotFound` */
export function findVersion(kit: StoredKit, version: number): StoredVersion {
  const found = kit.versions.find((candidate) => candidate.version === version)
  if (found) return found
  const available = kit.versions.map((candidate) => candidate.version).join(', ')
  throw new ContentSpaceError('versionNotFound', `Kit ${kit.name} has no version ${version}.`, {
    kit: kit.uuid,
    version,
    hint: `Available versions: ${available}.`,
  })
}

/** @throws ContentSpaceError `sectionNotFound`, or `versionNotFound` when its kit has no such version */
export function findSection({ kits }: FolderContent, text: string, version: number): StoredSection {
  const uuid = canonicalUuid(text)
  const has = (candidate: StoredVersion) => candidate.sections.find((section) => section.uuid === uuid)
  const kit = kits.find((candidate) => candidate.versions.some(has))
  const section = kit && has(findVersion(kit, version))
  if (section) return section
  const message = `The space has no section ${text} in version ${version}.`
  throw new ContentSpaceError('sectionNotFound', message, { section: text, version })
}

/** @throws ContentSpaceError `objectNotFound`, or `versionNotFound` when its kit has no such version */
export function findItem({ kits }: FolderContent, text: string, version: number): StoredItem {
  const uuid = canonicalUuid(text)
  const has = ({ sections }: StoredVersion) =>
    sections.flatMap(({ items }) => items).find((candidate) => candidate.uuid === uuid)
  const kit = kits.find((candidate) => candidate.versions.some(has))
  const item = kit && has(findVersion(kit, version))
  if (item) return item
  throw new ContentSpaceError('objectNotFound', `The space has no item ${text} in version ${version}.`, { version })
}

/**
 * @param hash selects among versions with different files. If it is absent or unknown, the draft is used, or the
 *   newest.
 * @throws ContentSpaceError `assetNotFound`, also for an invalid uuid
 */
export function findAsset({ assets }: FolderContent, uuid: string, hash?: string): StoredAsset {
  const versions = assets.get(canonicalUuid(uuid) ?? '') ?? []
  const asset = versions.find(({ file }) => file?.hash === hash) ?? versions[0]
  if (asset) return asset
  throw new ContentSpaceError('assetNotFound', `The space has no asset ${uuid}.`, { asset: uuid })
}

/** Creates the fields of records that contain URLs, such as thumbnails. A server adds them. */
export interface UrlFields {
  kit(kit: StoredKit): Record<string, unknown>
  asset(asset: StoredAsset): Record<string, unknown>
}

/** A folder has no URLs, except for a cover that `kit.json` gives as a URL. */
export const noUrlFields: UrlFields = {
  kit: ({ cover }) => (typeof cover === 'string' ? { images: { cover } } : {}),
  asset: () => ({}),
}

/** Builds the `result` of the list of kits. The interface specifies `kit`, but some clients read `kits`. */
export function kitsResult({ kits }: FolderContent, urls: UrlFields) {
  const list = kits.map((kit) => ({ ...kit.record, ...urls.kit(kit) }))
  return { success: true, kit: list, kits: list }
}

export function kitResult(kit: StoredKit, include: 'versions' | 'use_versions' | '', urls: UrlFields) {
  const use = kit.versions.filter(({ version }) => version === 0 || version === kit.useVersion)
  const shown = { versions: kit.versions, use_versions: use, '': undefined }[include]
  const versions = shown && { versions: shown.map(({ record }) => record) }
  return { success: true, kit: { ...kit.record, ...urls.kit(kit), ...versions } }
}

/** Hashes the draft of a kit. Clients detect changes by this hash, because a folder has no dates that change. */
export const revisionOf = memoizeWeak((kit: StoredKit): string => {
  const sections = findVersion(kit, 0).sections.map(({ record, items }) => [
    record,
    items.map(({ record: item, asset, members }) => [
      item,
      asset?.record,
      ...(members ? [assetsIn(members).map((member) => member.record)] : []),
    ]),
  ])
  return createHash('sha256').update(JSON.stringify(sections)).digest('hex')
})

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

/** Builds the `result` of a page of a section. @param items of the page */
export function sectionResult({ record }: StoredSection, items: StoredItem[], urls: UrlFields) {
  return { section: { ...record, items: items.map((item) => itemRecord(item, urls)) } }
}

export function fieldsResult({ fields }: FolderContent) {
  return { success: true, fields }
}

/** Builds the `result` of an item. @param items of the page, if those of a gallery were requested */
export function itemResult(item: StoredItem, items: StoredItem[] | undefined, urls: UrlFields) {
  const members = items && { items: items.map((member) => itemRecord(member, urls)) }
  return { success: true, item: { ...itemRecord(item, urls), ...members } }
}

function itemRecord({ record, asset }: StoredItem, urls: UrlFields) {
  return asset ? { ...record, asset: { ...urls.asset(asset), ...asset.record } } : record
}
