import type { AssetData } from '../data.js'
import type { Group, KitModel } from '../model.js'
import type { Found } from '../search/search.js'

/** The groups of the grid for what a search found: in one list if the best ones are first, else in the kit's order. */
export function groupsFor(model: KitModel, text: string, { assets, isRanked }: Found): Group[] {
  if (text.trim() === '') return model.groups
  if (isRanked) return [{ section: '', sectionName: 'Results', count: assets.length, isFirst: false, assets }]
  const found = new Set(assets)
  const counts = new Map<string, number>()
  const groups = model.groups.map((group) => {
    const own = group.assets.filter((asset: AssetData) => found.has(asset))
    counts.set(group.section, (counts.get(group.section) ?? 0) + own.length)
    return { ...group, assets: own }
  })
  return groups
    .filter(({ isFirst, section, assets: own }) => own.length > 0 || (isFirst && counts.get(section)))
    .map((group) => ({ ...group, count: counts.get(group.section) ?? 0 }))
}
