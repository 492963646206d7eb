import { join, posix } from 'node:path'
import * as v from 'valibot'
import { ContentSpaceError } from '../../errors.js'
import { suggestion } from '../../text/nearest.js'
import { snakeKeys } from '../../text/camel-keys.js'
import { itemKinds } from '../item-kinds.js'
import { objectOf } from '../../text/json.js'
import { assetsIn, type StoredAsset, type StoredItem, type StoredSection } from './model.js'
import { constantDate, readJson, sectionJson, type ItemJson } from './sidecar.js'
import { derivedUuid, folderName } from './naming.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { pathIn, type KitContext, type Tree } from './tree.js'

/** The version that a section belongs to. */
export interface SectionContext extends KitContext {
  /** All assets of the version by path, because a section may refer to an asset in another section's folder. */
  assets: ReadonlyMap<string, StoredAsset>
  /** The section's name for files next to the section folders. */
  kitName: string
}

/** An item that doesn't have a uuid and a display order yet. */
interface Draft {
  type: string
  /** Identifies the item within the section. Its uuid is derived from this key. */
  key: string
  data: unknown
  heading?: string | undefined
  asset?: StoredAsset | undefined
  /** The assets of a gallery. */
  assets?: StoredAsset[] | undefined
  uuid?: string | undefined
  fields?: Readonly<Record<string, unknown>>
}

/**
 * Reads a section. @throws ContentSpaceError `invalidSpace` if `section.json` is invalid or refers to a missing file
 */
export function readSection(context: SectionContext, tree: Tree, order: number): StoredSection {
  const path = join(tree.folder, 'section.json')
  const json = readJson(path, pathIn(context.root, path), sectionJson) ?? v.parse(sectionJson, {})
  const { uuid: ownUuid, name: ownName, items: listed = [], counts, ...fields } = json
  const uuid = ownUuid ?? derivedUuid(context.kitUuid, tree.path)
  const name = ownName ?? (tree.path === '' ? context.kitName : folderName(tree.name))
  const items = finishItems(context, tree, arrange(context, tree, listed), uuid)
  const assets = new Set(assetsIn(items).map((asset) => asset.uuid))
  const record = {
    status: 'active',
    creator_id: 0,
    ...fields,
    uuid,
    kit_uuid: context.kitUuid,
    name,
    version: context.version,
    counts: { assets: assets.size, items: items.length, ...counts },
    display_order: order,
  }
  return { uuid, name, record, items }
}

/**
 * Orders the items of a section as `section.json` lists them. The unlisted files of a heading's folder follow the
 * heading; all other unlisted files come last.
 */
function arrange(context: SectionContext, tree: Tree, listed: ItemJson[]): Draft[] {
  const find = (file: string) => findAsset(context, tree, file)
  const named = new Set(listed.flatMap(({ file = [], files = [] }) => [file, files].flat().map(find)))
  const unlisted = (folder: Tree) => folder.assets.filter((asset) => !named.has(asset)).map(assetDraft)
  const whole = (folder: Tree): Draft[] => [headingDraft(folder.path, folderName(folder.name)), ...below(folder)]
  const below = (folder: Tree): Draft[] => [...unlisted(folder), ...folder.folders.flatMap(whole)]

  const used = new Set<Tree>()
  const drafts = listed.flatMap((entry): Draft[] => {
    const draft = itemDraft(entry, tree, find)
    if (draft.heading === undefined) return [draft]
    const name = draft.heading.normalize('NFC')
    const folder = tree.folders.find((child) => child.name.normalize('NFC') === name || folderName(child.name) === name)
    const heading = folder ? { ...draft, key: folder.path } : draft
    if (!folder || used.has(folder)) return [heading]
    used.add(folder)
    return [heading, ...below(folder)]
  })
  return [...drafts, ...unlisted(tree), ...tree.folders.filter((folder) => !used.has(folder)).flatMap(whole)]
}

/** Reads an entry of `section.json`. Keeps unknown fields in the record of the item. */
function itemDraft(entry: ItemJson, tree: Tree, find: (file: string) => StoredAsset): Draft {
  const { heading, file, files, uuid, display, data, display_size: size = 'default', ...fields } = entry
  const { type = heading === undefined ? 'asset' : 'heading', ...rest } = fields
  const asset = file === undefined ? undefined : find(file)
  const assets = files?.map(find) ?? (type === 'gallery' ? [] : undefined)
  const more = { asset, assets, uuid, fields: { ...rest, ...(display && { display_properties: snakeKeys(display) }) } }
  if (heading !== undefined) {
    const draft = headingDraft(posix.join(tree.path, heading), heading, size)
    return { ...draft, ...more, data: { ...objectOf(data), ...draft.data } }
  }
  if (type === 'asset' && asset) {
    const draft = assetDraft(asset)
    return { ...draft, ...more, data: { ...objectOf(data), display_size: size } }
  }
  const kind = itemKinds.get(type)
  if (kind === undefined) return { type, key: type, data, ...more }
  const texts = Object.entries(kind.texts).flatMap(([property, [key = '']]) =>
    rest[property] === undefined ? [] : [[key, rest[property]] as const],
  )
  for (const property of Object.keys(kind.texts)) Reflect.deleteProperty(more.fields, property)
  const counted = assets && { assets: assets.length }
  return { type, key: type, ...more, data: { ...objectOf(data), ...Object.fromEntries(texts), ...counted } }
}

function headingDraft(key: string, heading: string, size: string | null = 'default') {
  return { type: 'heading', key, heading, data: { content: heading, display_size: size } } satisfies Draft
}

function assetDraft(asset: StoredAsset): Draft {
  return { type: 'asset', key: `item:${asset.path}`, asset, data: { display_size: 'default' } }
}

function findAsset(context: SectionContext, tree: Tree, file: string): StoredAsset {
  const path = posix.join(tree.path, file.normalize('NFC'))
  const asset = context.assets.get(path)
  if (asset) return asset
  const where = pathIn(context.root, join(tree.folder, 'section.json'))
  const others = [...context.assets.keys()].map((known) => posix.relative(tree.path, known))
  throw new ContentSpaceError('invalidSpace', `${where} names the file "${file}", which does not exist.`, {
    hint: suggestion(file, others, 'files in this kit'),
  })
}

/** Adds the uuid and the display order of each item. A number distinguishes items that a section repeats. */
function finishItems(context: SectionContext, tree: Tree, drafts: Draft[], sectionUuid: string): StoredItem[] {
  const seen = new Map<string, number>()
  return drafts.map(({ type, key, data, heading, asset, assets, uuid: ownUuid, fields }, order) => {
    const times = seen.get(key) ?? 0
    seen.set(key, times + 1)
    // An item's uuid depends on the section if the item has an asset. A heading's uuid depends on its folder.
    const base = type === 'heading' ? key : `${tree.path}:${key}`
    const uuid = ownUuid ?? derivedUuid(context.kitUuid, times === 0 ? base : `${base}:${times}`)
    // The uuids of a gallery's items depend on the gallery.
    const inGallery = { ...tree, path: uuid }
    const members = assets && finishItems(context, inGallery, assets.map(assetDraft), sectionUuid)
    const record = {
      date_added: constantDate,
      date_updated: constantDate,
      ...fields,
      uuid,
      kit_uuid: context.kitUuid,
      section_uuid: sectionUuid,
      space_id: context.spaceId,
      asset_uuid: asset?.uuid ?? null,
      data,
      display_order: order,
      status: 'active',
      type,
      version: context.version,
    }
    return { uuid, record, ...omitUndefined({ heading, asset, members }) }
  })
}
