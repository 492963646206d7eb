import type { LoadedItem } from '../../../kit/load.js'
import { headingsOf, type NamedKit } from '../../../kit/named-kit.js'
import { slugsIn } from '../../../kit/names.js'
import { shortIdsOf } from '../../../kit/short-ids.js'
import { assetsOf, itemText } from '../../../space/item-kinds.js'

/** A section or a heading on one side of a comparison. */
export interface SidePart {
  uuid: string
  name: string
  /** The current slug, followed by slugs from before renames. */
  slugs: readonly string[]
  shortIds?: readonly string[]
  /** Uuids of the assets in it. */
  assets: ReadonlySet<string>
}

export interface SideSection extends SidePart {
  /** In display order. */
  headings: readonly SidePart[]
  /** In display order, without headings and assets, which are compared separately. */
  items: readonly SideItem[]
}

/** A note, a guide, a gallery or another item on one side of a comparison. */
export interface SideItem {
  uuid: string
  type: string
  /** The name for display: its title or name, otherwise its text. */
  name: string
  text: string
  /** All other data to compare. */
  more: unknown
  /** Uuids of the assets in the item. */
  assets: readonly string[]
}

/** Returns the sections of a loaded kit in display order. */
export function structureOf({ kit, sections, headings }: NamedKit): SideSection[] {
  const [sectionSlugs, headingSlugs, shortIds] = [slugsIn(sections), slugsIn(headings), shortIdsOf(kit)]
  return kit.sections.map((section) => {
    const { uuid, name, items } = section
    return {
      uuid,
      name,
      slugs: sectionSlugs(uuid),
      shortIds: shortIds(uuid),
      assets: new Set(items.flatMap(assetsOf)),
      headings: headingsOf(section).map((heading) => {
        const below = items.slice(items.findIndex((item) => item.uuid === heading.uuid) + 1)
        const next = below.findIndex(({ type }) => type === 'heading')
        const assets = new Set((next === -1 ? below : below.slice(0, next)).flatMap(assetsOf))
        return { ...heading, slugs: headingSlugs(heading.uuid), shortIds: shortIds(heading.uuid), assets }
      }),
      items: items.filter(({ type }) => type !== 'heading' && type !== 'asset').map(sideItem),
    }
  })
}

function sideItem(item: LoadedItem): SideItem {
  const { uuid, type, title, name, color, language, data } = item
  const text = itemText(item)
  return { uuid, type, name: title ?? name ?? text, text, more: [color, language, data], assets: assetsOf(item) }
}

/** Replaces the uuids of assets. */
export function withAssets(structure: readonly SideSection[], uuidOf: (asset: string) => string): SideSection[] {
  const replaced = <T extends SidePart>(part: T): T => ({ ...part, assets: new Set([...part.assets].map(uuidOf)) })
  return structure.map((section) => ({
    ...replaced(section),
    headings: section.headings.map(replaced),
    items: section.items.map((item) => ({ ...item, assets: item.assets.map(uuidOf) })),
  }))
}
