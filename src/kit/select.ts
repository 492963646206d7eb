import type { AssetItem, Item, KnownAsset, KnownKit, KnownSection } from '../asset.js'
import { ContentSpaceError } from '../errors.js'
import { suggestion } from '../text/nearest.js'
import { canonicalType } from '../space/asset-type.js'
import { canonicalUuid } from '../space/uuid.js'
import { findByName } from './lookup.js'
import { slugOf } from './identifiers.js'

/** Which assets of a kit to show. Default: all. Values are compared ignoring case. */
export interface KitFilter {
  /** Slug, name or uuid. */
  section?: string
  /** The type of the original: `SVG`. */
  type?: string
  keyword?: string
}

/**
 * Filters a kit, and counts the result. Headings are kept if an asset is left below them.
 * @throws ContentSpaceError `sectionNotFound`, `ambiguousName`, and `assetNotFound` for a type or keyword of no asset
 *   in the kit; all with the nearest valid values
 */
export function filterKit(kit: KnownKit, filter: KitFilter): KnownKit {
  const { section, type, keyword } = filter
  if (section === undefined && type === undefined && keyword === undefined) return kit
  const tests = [
    ...(type === undefined ? [] : [valueTest(kit, types, canonicalType(type))]),
    ...(keyword === undefined ? [] : [valueTest(kit, keywords, keyword)]),
  ]
  const selected = section === undefined ? kit.sections : [findSection(kit, section)]
  if (tests.length === 0) return counted(kit, selected)
  const sections = selected.map((one) => ({
    ...one,
    items: filterItems(one.items, (asset) => tests.every((matches) => matches(asset))),
  }))
  return counted(
    kit,
    sections.filter(({ items }) => items.length > 0),
  )
}

function findSection(kit: KnownKit, name: string): KnownSection {
  const namesakes = kit.sections.filter((section) => equalIgnoringCase(section.name, name))
  if (namesakes.length === 1 && namesakes[0]) return namesakes[0]
  const slugs = new Map(kit.sections.map(({ uuid, slug }) => [uuid, slug]))
  const canonical = canonicalUuid(name) ?? (slugOf(name) || name)
  return findByName(canonical, kit.sections, (uuid) => [slugs.get(uuid) ?? ''], {
    what: 'section',
    where: `kit ${kit.name}`,
    code: 'sectionNotFound',
    facts: { kit: kit.uuid, version: kit.version },
  })
}

/** A property of assets that can be filtered by. */
interface FilterProperty {
  /** For messages: `with the keyword` */
  what: string
  valuesOf: (asset: KnownAsset) => string[]
}

const types: FilterProperty = { what: 'of type', valuesOf: (asset) => [asset.type] }
const keywords: FilterProperty = { what: 'with the keyword', valuesOf: (asset) => asset.keywords }

/** Returns a test for a value. At least one asset of the kit must have the value. */
function valueTest(kit: KnownKit, { what, valuesOf }: FilterProperty, value: string): (asset: KnownAsset) => boolean {
  const all = assetItems(kit.sections).flatMap(({ asset }) => valuesOf(asset))
  requireAssetWith(kit, what, value, all)
  return (asset) => valuesOf(asset).some((other) => equalIgnoringCase(other, value))
}

/**
 * Checks that some asset of a kit has a value, ignoring case.
 * @param what for messages: `with the keyword`
 * @param values the values of all assets of the kit
 * @throws ContentSpaceError `assetNotFound` with the nearest values
 */
export function requireAssetWith(
  kit: Pick<KnownKit, 'uuid' | 'name' | 'version'>,
  what: string,
  value: string,
  values: readonly string[],
): void {
  if (values.some((other) => equalIgnoringCase(other, value))) return
  const message = `Kit ${kit.name} (version ${kit.version}) has no asset ${what} ${value}.`
  throw new ContentSpaceError('assetNotFound', message, {
    kit: kit.uuid,
    version: kit.version,
    hint: suggestion(value, values, 'values'),
  })
}

function filterItems(items: readonly Item<KnownAsset>[], matches: (asset: KnownAsset) => boolean): Item<KnownAsset>[] {
  const left = items.filter((item) => 'content' in item || ('asset' in item && matches(item.asset)))
  return left.filter((item, index) => {
    const next = left[index + 1]
    return 'asset' in item || (next !== undefined && 'asset' in next)
  })
}

/** Updates the counts of a kit. An asset that is used twice counts once. */
function counted(kit: KnownKit, sections: readonly KnownSection[]): KnownKit {
  const items = sections.reduce((sum, section) => sum + section.items.length, 0)
  return {
    ...kit,
    counts: { assets: countAssets(sections), items, sections: sections.length },
    sections: sections.map((section) => ({
      ...section,
      counts: { assets: countAssets([section]), items: section.items.length },
    })),
  }
}

function countAssets(sections: readonly KnownSection[]): number {
  return new Set(assetItems(sections).map(({ asset }) => asset.uuid)).size
}

function assetItems(sections: readonly KnownSection[]): AssetItem<KnownAsset>[] {
  return sections.flatMap(({ items }) => items.flatMap((item) => ('asset' in item ? [item] : [])))
}

function equalIgnoringCase(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
