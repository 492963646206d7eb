import type { AssetItem, Item, KnownAsset, KnownKit, KnownSection } from '../asset.js'
import { ContentSpaceError } from '../errors.js'
import { suggestion } from '../text/nearest.js'
import { canonicalType } from '../space/asset-type.js'
import { canonicalUuid } from '../space/uuid.js'
import { findByName } from './lookup.js'
import { slugOf } from './identifiers.js'

/** What is wanted of a kit; all of it where nothing is said. Case does not count. */
export interface KitFilter {
  /** Slug, name or uuid. */
  section?: string
  /** Of the original: `SVG`. */
  type?: string
  keyword?: string
}

/**
 * A kit with what the filter leaves, and counts of that. Headings stay where an asset stands under them.
 * @throws ContentSpaceError `sectionNotFound`, `ambiguousName`, and `assetNotFound` for a type or keyword that no asset
 *   of the kit has; each names the nearest right ones
 */
export function filterKit(kit: KnownKit, filter: KitFilter): KnownKit {
  const { section, type, keyword } = filter
  if (section === undefined && type === undefined && keyword === undefined) return kit
  const tests = [
    ...(type === undefined ? [] : [test(kit, 'of type', canonicalType(type), (asset) => [asset.type])]),
    ...(keyword === undefined ? [] : [test(kit, 'with the keyword', keyword, (asset) => asset.keywords)]),
  ]
  const chosen = section === undefined ? kit.sections : [findSection(kit, section)]
  if (tests.length === 0) return counted(kit, chosen)
  const sections = chosen.map((one) => ({
    ...one,
    items: itemsWith(one.items, (asset) => tests.every((matches) => matches(asset))),
  }))
  return counted(
    kit,
    sections.filter(({ items }) => items.length > 0),
  )
}

function findSection(kit: KnownKit, wanted: string): KnownSection {
  const named = kit.sections.filter(({ name }) => same(name, wanted))
  if (named.length === 1 && named[0]) return named[0]
  const slugs = new Map(kit.sections.map(({ uuid, slug }) => [uuid, slug]))
  return findByName(
    canonicalUuid(wanted) ?? (slugOf(wanted) || wanted),
    kit.sections,
    (uuid) => [slugs.get(uuid) ?? ''],
    {
      what: 'section',
      where: `kit ${kit.name}`,
      code: 'sectionNotFound',
      facts: { kit: kit.uuid, version: kit.version },
    },
  )
}

/** A test of one value, which must be the value of some asset of the kit. */
function test(
  kit: KnownKit,
  what: string,
  wanted: string,
  valuesOf: (asset: KnownAsset) => string[],
): (asset: KnownAsset) => boolean {
  requireAssetWith(
    kit,
    what,
    wanted,
    assetItems(kit.sections).flatMap(({ asset }) => valuesOf(asset)),
  )
  return (asset) => valuesOf(asset).some((value) => same(value, wanted))
}

/**
 * Makes sure that some asset of a kit has a value, whatever its case.
 * @param what `with the keyword`
 * @param values of all assets of the kit
 * @throws ContentSpaceError `assetNotFound`, naming the nearest right values
 */
export function requireAssetWith(
  kit: Pick<KnownKit, 'uuid' | 'name' | 'version'>,
  what: string,
  wanted: string,
  values: readonly string[],
): void {
  if (values.some((value) => same(value, wanted))) return
  throw new ContentSpaceError(
    'assetNotFound',
    `Kit ${kit.name} (version ${kit.version}) has no asset ${what} ${wanted}.`,
    {
      kit: kit.uuid,
      version: kit.version,
      hint: suggestion(wanted, values),
    },
  )
}

function itemsWith(items: readonly Item<KnownAsset>[], wanted: (asset: KnownAsset) => boolean): Item<KnownAsset>[] {
  const left = items.filter((item) => 'content' in item || ('asset' in item && wanted(item.asset)))
  return left.filter((item, index) => {
    const next = left[index + 1]
    return 'asset' in item || (next !== undefined && 'asset' in next)
  })
}

/** An asset shown twice counts once. */
function counted(kit: KnownKit, sections: readonly KnownSection[]): KnownKit {
  const items = sections.reduce((sum, section) => sum + section.items.length, 0)
  return {
    ...kit,
    counts: { assets: assetsIn(sections), items, sections: sections.length },
    sections: sections.map((section) => ({
      ...section,
      counts: { assets: assetsIn([section]), items: section.items.length },
    })),
  }
}

function assetsIn(sections: readonly KnownSection[]): number {
  return new Set(assetItems(sections).map(({ asset }) => asset.uuid)).size
}

function assetItems(sections: readonly KnownSection[]): AssetItem<KnownAsset>[] {
  return sections.flatMap(({ items }) => items.flatMap((item) => ('asset' in item ? [item] : [])))
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
