import { isDeepStrictEqual } from 'node:util'
import type { LoadedItem, LoadedKit } from '../kit/load.js'
import { findRenamed } from '../lock/renamed.js'
import type { AssetRecord } from '../space/space.js'

/** How the content of a kit differs from the previously loaded content. Each asset is counted once. */
export interface KitChange {
  name: string
  version: number
  changed: number
  added: number
  removed: number
  renamed: number
}

/** The result of a check for new content. */
export interface ContentCheck {
  /** Whether anything has changed, including changes outside of assets. */
  changed: boolean
  kits: KitChange[]
  /** Why some content couldn't be checked. Its old state stays in use. */
  error?: unknown
}

/** Counts the assets that differ between two states of a kit. */
export function compareKits(before: LoadedKit, after: LoadedKit): KitChange {
  const change = { name: after.name, version: after.version, changed: 0, added: 0, removed: 0, renamed: 0 }
  // In a folder, the uuid of an asset may be derived from its path, so a renamed file has another uuid.
  const moved = findRenamed(hashesOf(before), hashesOf(after))
  for (const [uuid, asset] of Object.entries(after.assets)) {
    const earlier = before.assets[moved.get(uuid) ?? uuid]
    if (earlier === undefined) change.added++
    else if (earlier.uuid !== uuid || earlier.name !== asset.name) change.renamed++
    else if (!isDeepStrictEqual(visible(earlier), visible(asset))) change.changed++
  }
  const gone = Object.keys(before.assets).filter((uuid) => !Object.hasOwn(after.assets, uuid))
  change.removed = gone.length - moved.size
  return change
}

export function isChange({ changed, added, removed, renamed }: KitChange): boolean {
  return changed + added + removed + renamed > 0
}

/** Returns whether two states of a version have the same texts and the same structure, ignoring assets. */
export function hasSameStructure(before: LoadedKit, after: LoadedKit): boolean {
  return isDeepStrictEqual(structureOf(before), structureOf(after))
}

function structureOf(kit: LoadedKit): object {
  const sections = kit.sections.map((section) => ({ ...section, raw: undefined, items: section.items.map(withoutRaw) }))
  return { ...kit, assets: undefined, raw: undefined, dateUpdated: undefined, sections }
}

function withoutRaw(item: LoadedItem): object {
  return { ...item, raw: undefined }
}

function hashesOf({ assets }: LoadedKit): Map<string, string | undefined> {
  return new Map(Object.values(assets).map(({ uuid, fileHash }) => [uuid, fileHash]))
}

/**
 * Returns the parts of an asset that are visible to users. Leaves out addresses, because they may differ in each
 * response of a service.
 */
function visible(asset: AssetRecord): object {
  return { ...asset, raw: undefined, permalink: undefined, thumbnails: undefined, previews: undefined }
}
