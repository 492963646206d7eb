import type { AssetData, KitData } from './data.js'
import { createIndex, type SearchIndex } from './search/search.js'

/** A kit, and what is derived from it once. */
export interface KitModel {
  kit: KitData
  index: SearchIndex
  /** Sections and what is below their headings, in display order. */
  groups: Group[]
  /** By slug, the only asset that has it. */
  bySlug: ReadonlyMap<string, AssetData | undefined>
  /** Types of originals with their counts, the most frequent ones first. */
  types: [type: string, count: number][]
}

/** The assets of a section before its first heading, or those below a heading. */
export interface Group {
  section: string
  sectionName: string
  /** Assets of the whole section. Only the first group of a section shows its name. */
  count: number
  isFirst: boolean
  heading?: string
  headingName?: string
  assets: AssetData[]
}

/** Counts assets by type, in the order of the types of a kit. */
export function countTypes({ types }: Pick<KitModel, 'types'>, assets: readonly AssetData[]): KitModel['types'] {
  const counts = new Map(types.map(([type]) => [type, 0]))
  for (const asset of assets) counts.set(typeOf(asset), (counts.get(typeOf(asset)) ?? 0) + 1)
  return [...counts]
}

export function createModel(kit: KitData): KitModel {
  const bySlug = new Map<string, AssetData | undefined>()
  const types = new Map<string, number>()
  for (const asset of Object.values(kit.assets)) {
    bySlug.set(asset.slug, bySlug.has(asset.slug) ? undefined : asset)
    const type = typeOf(asset)
    types.set(type, (types.get(type) ?? 0) + 1)
  }
  return {
    kit,
    index: createIndex(kit),
    groups: kit.sections.flatMap((section) => groupsOf(kit, section)),
    bySlug,
    types: [...types].toSorted((a, b) => b[1] - a[1]),
  }
}

function groupsOf(kit: KitData, { name, slug, items }: KitData['sections'][number]): Group[] {
  const count = items.filter((item) => 'asset' in item && kit.assets[item.asset]).length
  const groups: Group[] = [{ section: slug, sectionName: name, count, isFirst: true, assets: [] }]
  for (const item of items) {
    if ('heading' in item)
      groups.push({
        section: slug,
        sectionName: name,
        count,
        isFirst: false,
        heading: item.slug,
        headingName: item.heading,
        assets: [],
      })
    const asset = 'asset' in item ? kit.assets[item.asset] : undefined
    if (asset) groups.at(-1)?.assets.push(asset)
  }
  return groups
}

/** The type of an asset as a filter: `svg`; `color` and `font`, whatever the service calls them. */
function typeOf(asset: AssetData): string {
  return asset.kind === 'color' || asset.kind === 'font' ? asset.kind : asset.type.toLowerCase()
}

/** What names an asset in ids and addresses: its slug, or its uuid where another asset has the same slug. */
export function referenceIn(model: KitModel, asset: AssetData): string {
  return model.bySlug.get(asset.slug)?.uuid === asset.uuid ? asset.slug : asset.uuid
}

/** @param reference a slug, or a uuid in any case */
export function assetOf(model: KitModel, reference: string): AssetData | undefined {
  return model.bySlug.get(reference) ?? model.kit.assets[reference] ?? model.kit.assets[reference.toUpperCase()]
}

/** Where an asset is shown first: `Icons › Weather`. */
export function placeOf(model: KitModel, uuid: string): Group | undefined {
  return model.groups.find((group) => group.assets.some((asset) => asset.uuid === uuid))
}
