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

type Identified = Pick<StoredKit | StoredSection | StoredItem, 'uuid' | 'record'>

/** Returns a function that checks whether a uuid or a short id identifies a record. */
function meant(text: string): (candidate: Identified) => boolean {
  const uuid = canonicalUuid(text)
  return (candidate) => (uuid === undefined ? shortIdOf(candidate) === text : candidate.uuid === uuid)
}

/** Returns the short id of a record: its own, or six letters and digits derived from its uuid. */
export function shortIdOf({ uuid, record: { short_id: own } }: Identified): string {
  return typeof own === 'string'
    ? own
    : createHash('sha1').update(uuid).digest('base64').replaceAll(/\W/g, '').slice(0, 6)
}

/** Finds a kit by uuid or short id. @throws ContentSpaceError `kitNotFound`, even for an invalid id */
export function findKit({ kits }: FolderContent, id: string): StoredKit {
  const kit = kits.find(meant(id))
  if (kit) return kit
  throw new ContentSpaceError('kitNotFound', `The space has no kit ${id}.`, { kit: id })
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

/**
 * Finds a section by uuid or short id.
 * @throws ContentSpaceError `sectionNotFound`, or `versionNotFound` if its kit doesn't have the version
 */
export function findSection({ kits }: FolderContent, text: string, version: number): StoredSection {
  const isMeant = meant(text)
  const has = (candidate: StoredVersion) => candidate.sections.find(isMeant)
  const kit = kits.find((candidate) => candidate.versions.some(has))
  const section = kit && has(findVersion(kit, version))
  if (section) return section
  const message = `The space has no section ${text} in version ${version}.`
  throw new ContentSpaceError('sectionNotFound', message, { section: text, version })
}

/**
 * Finds an item by uuid or short id.
 * @throws ContentSpaceError `objectNotFound`, or `versionNotFound` if its kit doesn't have the version
 */
export function findItem({ kits }: FolderContent, text: string, version: number): StoredItem {
  const isMeant = meant(text)
  const has = ({ sections }: StoredVersion) => sections.flatMap(({ items }) => items).find(isMeant)
  const kit = kits.find((candidate) => candidate.versions.some(has))
  const item = kit && has(findVersion(kit, version))
  if (item) return item
  throw new ContentSpaceError('objectNotFound', `The space has no item ${text} in version ${version}.`, { version })
}

/**
 * @param hash selects among versions with different files. If it is absent or unknown, returns the draft, or otherwise
 *   the newest version.
 * @throws ContentSpaceError `assetNotFound`, even for an invalid uuid
 */
export function findAsset({ assets }: FolderContent, uuid: string, hash?: string): StoredAsset {
  const versions = assets.get(canonicalUuid(uuid) ?? '') ?? []
  const asset = versions.find(({ file }) => file?.hash === hash) ?? versions[0]
  if (asset) return asset
  throw new ContentSpaceError('assetNotFound', `The space has no asset ${uuid}.`, { asset: uuid })
}

/** Creates the fields that a server adds to records: URLs, such as thumbnails, and short ids. */
export interface ServedFields {
  kit: (kit: StoredKit) => Record<string, unknown>
  asset: (asset: StoredAsset) => Record<string, unknown>
  /** The short id of a kit, a section or an item. */
  ids: (of: Identified) => Record<string, unknown>
}

/** A folder adds only what its JSON contains: the URL of a cover, and short ids. */
export const folderFields: ServedFields = {
  kit: ({ cover }) => (typeof cover === 'string' ? { images: { cover } } : {}),
  asset: () => ({}),
  ids: ({ record: { short_id: own } }) => (own === undefined ? {} : { short_id: own }),
}

/** Builds the `result` for the list of kits. The interface specifies `kit`, but some clients read `kits`. */
export function kitsResult({ kits }: FolderContent, served: ServedFields) {
  const list = kits.map((kit) => kitRecord(kit, served))
  return { success: true, kit: list, kits: list }
}

export function kitResult(kit: StoredKit, include: 'versions' | 'use_versions' | '', served: ServedFields) {
  const use = kit.versions.filter(({ version }) => version === 0 || version === kit.useVersion)
  const shown = { versions: kit.versions, use_versions: use, '': undefined }[include]
  const versions = shown && { versions: shown.map(({ record }) => record) }
  return { success: true, kit: { ...kitRecord(kit, served), ...versions } }
}

/** Returns a hash of a kit's draft. Clients detect changes by this hash, because the dates of a folder don't change. */
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

export function outlineResult({ record, version, sections }: StoredVersion, { ids }: ServedFields) {
  const entry = (of: StoredSection | StoredItem, name: string | undefined, order: number) => {
    return { name, uuid: of.uuid, ...ids(of), version, display_order: order }
  }
  const outline = sections.map((section, order) => ({
    ...entry(section, section.name, order),
    headers: section.items.flatMap((item, place) =>
      item.heading === undefined ? [] : [entry(item, item.heading, place)],
    ),
  }))
  return { success: true, kit_version: { ...record, sections: outline } }
}

/** Builds the `result` for a page of a section. @param items of the page */
export function sectionResult(section: StoredSection, items: StoredItem[], served: ServedFields) {
  const shown = items.map((item) => itemRecord(item, served))
  return { section: { ...served.ids(section), ...section.record, items: shown } }
}

export function fieldsResult({ fields }: FolderContent) {
  return { success: true, fields }
}

/** Builds the `result` for an item. @param items of the page, if a gallery's items were requested */
export function itemResult(item: StoredItem, items: StoredItem[] | undefined, served: ServedFields) {
  const members = items && { items: items.map((member) => itemRecord(member, served)) }
  return { success: true, item: { ...itemRecord(item, served), ...members } }
}

function kitRecord(kit: StoredKit, served: ServedFields) {
  return { ...served.ids(kit), ...kit.record, ...served.kit(kit) }
}

function itemRecord(item: StoredItem, served: ServedFields) {
  const { record, asset } = item
  return { ...served.ids(item), ...record, ...(asset && { asset: { ...served.asset(asset), ...asset.record } }) }
}
