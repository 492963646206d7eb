import type { AssetData, GuideData, ItemData, KitData, TextData } from './data.js'
import { assetsOf, isText } from './items.js'
import { createIndex, type SearchIndex } from './search/search.js'

/** A kit, with data that is derived from it once. */
export interface KitModel {
  kit: KitData
  index: SearchIndex
  /** Sections and the groups below their headings, in display order. */
  groups: Group[]
  /** The occurrences of each asset in the kit, by uuid. */
  places: ReadonlyMap<string, ShownAsset[]>
  /** Assets by slug. Undefined for a slug that several assets share. */
  bySlug: ReadonlyMap<string, AssetData | undefined>
  /** Types of originals with their counts, most frequent first. */
  types: [type: string, count: number][]
}

/**
 * Consecutive assets in a section: before its first heading or below a heading. A text, a gallery or guides start a new
 * group.
 */
export interface Group {
  /** The index among the groups of the kit. */
  at: number
  section: string
  sectionName: string
  /** The number of assets in the whole section. Only the first group of a section displays the section's name. */
  count: number
  isFirst: boolean
  heading?: string
  headingName?: string
  /** Whether the group continues below the heading of the previous group. */
  isContinued: boolean
  /** For the first group of a section: whether the section has neither assets nor text. */
  isEmpty: boolean
  /** The text above the assets. */
  texts: TextData[]
  /** `guides`: each asset has the text of its guide. */
  kind: 'assets' | 'guides' | 'gallery'
  assets: ShownAsset[]
}

/** One occurrence of an asset in the kit. */
export interface ShownAsset {
  asset: AssetData
  caption?: string
  guide?: GuideData
}

/** Counts assets. An asset that occurs twice counts once. */
export function countAssets(shown: readonly ShownAsset[]): number {
  return new Set(shown.map(({ asset }) => asset)).size
}

/** Counts assets by type, in the order of a kit's types. */
export function countTypes({ types }: Pick<KitModel, 'types'>, assets: readonly AssetData[]): KitModel['types'] {
  const counts = new Map(types.map(([type]) => [type, 0]))
  for (const asset of assets) counts.set(typeOfAsset(asset), (counts.get(typeOfAsset(asset)) ?? 0) + 1)
  return [...counts]
}

export function createModel(kit: KitData): KitModel {
  const bySlug = new Map<string, AssetData | undefined>()
  const types = new Map<string, number>()
  for (const asset of Object.values(kit.assets)) {
    bySlug.set(asset.slug, bySlug.has(asset.slug) ? undefined : asset)
    const type = typeOfAsset(asset)
    types.set(type, (types.get(type) ?? 0) + 1)
  }
  const groups = groupsOf(kit)
  const places = new Map<string, ShownAsset[]>()
  for (const shown of groups.flatMap(({ assets }) => assets))
    places.set(shown.asset.uuid, [...(places.get(shown.asset.uuid) ?? []), shown])
  return {
    kit,
    index: createIndex(kit),
    groups,
    places,
    bySlug,
    types: [...types].toSorted((a, b) => b[1] - a[1]),
  }
}

function groupsOf(kit: KitData): Group[] {
  const groups: Group[] = []
  for (const { name, slug, items } of kit.sections) {
    const shown = items.flatMap(assetsOf).filter((uuid) => kit.assets[uuid])
    const isEmpty = shown.length === 0 && !items.some(isText)
    const begin = (more: Partial<Group>): Group => {
      const head = { section: slug, sectionName: name, count: new Set(shown).size, isFirst: false, isEmpty: false }
      const group: Group = {
        ...head,
        isContinued: false,
        texts: [],
        kind: 'assets',
        assets: [],
        at: groups.length,
        ...more,
      }
      groups.push(group)
      return group
    }
    let group = begin({ isFirst: true, isEmpty })
    const continued = (): Group => {
      const { heading, headingName } = group
      return begin({ isContinued: true, ...(heading !== undefined && { heading, headingName: headingName ?? '' }) })
    }
    for (const item of items) {
      if ('heading' in item) group = begin({ heading: item.slug, headingName: item.heading })
      const kind = kindOfItem(item)
      const isOther = group.kind !== kind || isText(item)
      if (kind !== undefined && isOther && (group.assets.length > 0 || group.kind === 'gallery')) group = continued()
      if (kind !== undefined) group.kind = kind
      if (isText(item)) group.texts.push(item)
      for (const uuid of assetsOf(item)) {
        const asset = kit.assets[uuid]
        if (asset) group.assets.push({ ...('asset' in item && item), asset })
      }
    }
  }
  return groups
}

/** Returns the kind of group for an item, or undefined for an item that isn't displayed. */
function kindOfItem(item: ItemData): Group['kind'] | undefined {
  if ('gallery' in item) return 'gallery'
  if ('asset' in item) return item.guide ? 'guides' : 'assets'
  return isText(item) ? 'assets' : undefined
}

/** Returns the type of an asset as a filter: `svg`; `color` and `font`, whatever the service calls them. */
function typeOfAsset(asset: AssetData): string {
  return asset.kind === 'color' || asset.kind === 'font' ? asset.kind : asset.type.toLowerCase()
}

/** Returns the asset's name in ids and URLs: its slug, or its uuid if another asset has the same slug. */
export function referenceIn(model: KitModel, asset: AssetData): string {
  return model.bySlug.get(asset.slug)?.uuid === asset.uuid ? asset.slug : asset.uuid
}

/** @param reference a slug, or a uuid in any case */
export function assetOf(model: KitModel, reference: string): AssetData | undefined {
  return model.bySlug.get(reference) ?? model.kit.assets[reference] ?? model.kit.assets[reference.toUpperCase()]
}

/** Returns the first group that contains an asset: `Icons › Weather`. */
export function groupOfAsset(model: KitModel, uuid: string): Group | undefined {
  return model.groups.find((group) => group.assets.some(({ asset }) => asset.uuid === uuid))
}
