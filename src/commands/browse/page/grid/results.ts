import { countAssets, type Group, type KitModel } from '../../../shared/kit-page/model.js'
import type { Found } from '../../../shared/kit-page/search/search.js'

/** Returns the groups of the grid for search results: one list if they are ranked, otherwise in the kit's order. */
export function groupsFor(model: KitModel, text: string, { assets, isRanked }: Found): Group[] {
  if (text.trim() === '') return model.groups
  if (isRanked) return [resultsOf(model, assets)]
  const found = new Set(assets)
  const shown = new Map<string, Group['assets']>()
  const groups: Group[] = []
  for (const group of model.groups) {
    const own = group.assets.filter(({ asset }) => found.has(asset))
    shown.set(group.section, [...(shown.get(group.section) ?? []), ...own])
    // Without the text between them, assets below a heading are one list.
    if (group.isContinued) groups.at(-1)?.assets.push(...own)
    else groups.push({ ...group, texts: [], kind: 'assets', assets: own })
  }
  const countOf = (section: string): number => countAssets(shown.get(section) ?? [])
  return groups
    .filter(({ isFirst, section, assets: own }) => own.length > 0 || (isFirst && countOf(section) > 0))
    .map((group) => ({ ...group, count: countOf(group.section) }))
}

function resultsOf({ places }: KitModel, assets: Found['assets']): Group {
  return {
    at: -1,
    section: '',
    sectionName: 'Results',
    count: assets.length,
    isFirst: false,
    isContinued: false,
    isEmpty: false,
    texts: [],
    kind: 'assets',
    assets: assets.map((asset) => places.get(asset.uuid)?.[0] ?? { asset }),
  }
}
