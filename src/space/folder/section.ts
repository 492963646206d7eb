import { join, posix } from 'node:path'
import * as v from 'valibot'
import { ContentSpaceError } from '../../errors.js'
import { suggestion } from '../../text/nearest.js'
import type { StoredAsset, StoredItem, StoredSection } from './model.js'
import { constantDate, readJson, sectionJson, type ItemJson } from './sidecar.js'
import { derivedUuid, folderName } from './naming.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { pathIn, type KitContext, type Tree } from './tree.js'

/** The version that a section belongs to. */
export interface SectionContext extends KitContext {
  version: number
  /** All assets of the version by path: a section may show an asset of another one. */
  assets: ReadonlyMap<string, StoredAsset>
  /** The name of the section for files next to the section folders. */
  kitName: string
}

/** An item before it has a uuid and a display order. */
interface Draft {
  type: string
  /** Identifies the item within the section, to derive its uuid. */
  key: string
  data: unknown
  heading?: string
  asset?: StoredAsset
  uuid?: string | undefined
}

/** Reads a section. @throws ContentSpaceError `invalidSpace` when `section.json` is invalid, or names a missing file */
export async function readSection(context: SectionContext, tree: Tree, order: number): Promise<StoredSection> {
  const path = join(tree.folder, 'section.json')
  const json = (await readJson(path, pathIn(context.root, path), sectionJson)) ?? v.parse(sectionJson, {})
  const { uuid: ownUuid, name: ownName, items: listed = [], counts, ...fields } = json
  const uuid = ownUuid ?? derivedUuid(context.kitUuid, tree.path)
  const name = ownName ?? (tree.path === '' ? context.kitName : folderName(tree.name))
  const items = finishItems(context, tree, arrange(context, tree, listed), uuid)
  const assets = new Set(items.flatMap((item) => item.asset?.uuid ?? []))
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
 * Arranges the items of a section as `section.json` lists them. A heading is followed by the unlisted files of its
 * folder; all other unlisted files come last.
 */
function arrange(context: SectionContext, tree: Tree, listed: ItemJson[]): Draft[] {
  const find = (file: string) => findAsset(context, tree, file)
  const named = new Set(listed.flatMap((entry) => (isFile(entry) ? find(entry.file) : [])))
  const unlisted = (folder: Tree) =>
    folder.assets.filter((asset) => !named.has(asset)).map((asset) => assetDraft(asset))
  const whole = (folder: Tree): Draft[] => [headingDraft(tree, folderName(folder.name), folder), ...below(folder)]
  const below = (folder: Tree): Draft[] => [...unlisted(folder), ...folder.folders.flatMap(whole)]

  const used = new Set<Tree>()
  const drafts = listed.flatMap((entry): Draft[] => {
    if (isFile(entry)) return [assetDraft(find(entry.file), entry.uuid, entry.display_size)]
    if (!isHeading(entry)) return [{ type: entry.type, key: entry.type, data: entry.data, uuid: entry.uuid }]
    const name = entry.heading.normalize('NFC')
    const folder = tree.folders.find((child) => child.name.normalize('NFC') === name || folderName(child.name) === name)
    const heading = headingDraft(tree, entry.heading, folder, entry.uuid, entry.display_size)
    if (!folder || used.has(folder)) return [heading]
    used.add(folder)
    return [heading, ...below(folder)]
  })
  return [...drafts, ...unlisted(tree), ...tree.folders.filter((folder) => !used.has(folder)).flatMap(whole)]
}

function isFile(entry: ItemJson): entry is Extract<ItemJson, { file: string }> {
  return 'file' in entry
}

function isHeading(entry: ItemJson): entry is Extract<ItemJson, { heading: string }> {
  return 'heading' in entry
}

function headingDraft(tree: Tree, heading: string, folder?: Tree, uuid?: string, size: string | null = 'default') {
  const key = folder?.path ?? posix.join(tree.path, heading)
  return { type: 'heading', key, heading, uuid, data: { content: heading, display_size: size } }
}

function assetDraft(asset: StoredAsset, uuid?: string, size: string | null = 'default'): Draft {
  return { type: 'asset', key: `item:${asset.path}`, asset, uuid, data: { display_size: size } }
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

/** Adds the uuid and the display order of each item. A number distinguishes items that a section shows repeatedly. */
function finishItems(context: SectionContext, tree: Tree, drafts: Draft[], sectionUuid: string): StoredItem[] {
  const seen = new Map<string, number>()
  return drafts.map(({ type, key, data, heading, asset, uuid: ownUuid }, order) => {
    const times = seen.get(key) ?? 0
    seen.set(key, times + 1)
    // The uuid of an item with an asset depends on the section. The uuid of a heading depends on its folder.
    const base = type === 'heading' ? key : `${tree.path}:${key}`
    const uuid = ownUuid ?? derivedUuid(context.kitUuid, times === 0 ? base : `${base}:${times}`)
    const record = {
      uuid,
      kit_uuid: context.kitUuid,
      section_uuid: sectionUuid,
      space_id: context.spaceId,
      asset_uuid: asset?.uuid ?? null,
      data,
      date_added: constantDate,
      date_updated: constantDate,
      display_order: order,
      status: 'active',
      type,
      version: context.version,
    }
    return { uuid, record, ...omitUndefined({ heading, asset }) }
  })
}
