import type { Item, KnownAsset, KnownKit, KnownSection } from '../asset.js'
import { ContentSpaceError } from '../errors.js'
import { canonicalType } from '../space/asset-type.js'
import { assetsOf, keepAssets } from '../space/item-kinds.js'
import { canonicalName, nameInAddress } from '../space/short-id.js'
import { canonicalUuid } from '../space/uuid.js'
import { suggestion } from '../text/nearest.js'
import { versionText } from '../text/quantities.js'
import { typeNames } from './font-asset.js'
import { slugOf } from './identifiers.js'
import type { LoadedItem, LoadedKit } from './load.js'
import { findByName, scopeIn } from './lookup.js'
import { findAsset, findSection, headingsOf, type NamedKit } from './named-kit.js'
import { slugsIn } from './names.js'
import { shortIdsOf } from './short-ids.js'

/** The part of a kit to `pull`: assets that match at least one value of each given field. */
export interface Selection {
  /** Uuids or slugs of sections. */
  sections?: readonly string[] | undefined
  /** Uuids or slugs of headings. They select the assets below these headings. */
  headings?: readonly string[] | undefined
  /** Uuids or slugs of assets. */
  assets?: readonly string[] | undefined
  /** Keywords. Case is ignored. */
  keywords?: readonly string[] | undefined
  /** Uuids or slugs of assets to leave out. */
  exclude?: readonly string[] | undefined
}

/** The part of a kit that `ls` lists. Case is ignored. */
export interface KitFilter {
  /** Slug, name, uuid or short id. */
  section?: string
  /** Type of the original: `SVG`. */
  type?: string
  keyword?: string
}

/**
 * Returns the kit with only the selected assets. Export names and slugs are the same as in the whole kit.
 * @param used uuids of the assets to select from; undefined for all
 * @throws ContentSpaceError `sectionNotFound`, `headingNotFound`, `assetNotFound`, `ambiguousName`
 */
export function selectAssets(named: NamedKit, selection: Selection, used?: ReadonlySet<string>): NamedKit {
  const { kit } = named
  const selected = selectSections(named, selection.sections)
  const headings = selection.headings && selectHeadings(named, selected, selection.headings)
  const assets = selection.assets?.map((name) => findAsset(named, canonicalName(name)).uuid)
  const keywords = selection.keywords && selectKeywords(named, selection.keywords)
  const excluded = selection.exclude?.map((name) => findAsset(named, canonicalName(name)).uuid)

  const isSelected = (uuid: string) =>
    (used?.has(uuid) ?? true) &&
    (assets?.includes(uuid) ?? true) &&
    !excluded?.includes(uuid) &&
    (keywords === undefined ||
      (kit.assets[uuid]?.keywords ?? []).some((keyword) => keywords.includes(keyword.toLowerCase())))
  const sections = selected.map((section) => ({ ...section, items: selectItems(section.items, headings, isSelected) }))
  const isNarrowed = [headings, assets, keywords, excluded, used].some((filter) => filter !== undefined)
  return {
    ...named,
    kit: { ...kit, sections: isNarrowed ? sections.filter(({ items }) => items.length > 0) : sections },
  }
}

/**
 * Returns the kit with the assets that a filter matches, and their counts. Keeps a heading if it keeps an asset below
 * it.
 * @throws ContentSpaceError `sectionNotFound`, `ambiguousName`, and `assetNotFound` for a type or keyword that no asset
 *   of the kit has; each names the nearest valid values
 * @param listed the same kit with its short ids
 */
export function filterKit(kit: KnownKit, { section, type, keyword }: KitFilter, listed?: LoadedKit): KnownKit {
  if (section === undefined && type === undefined && keyword === undefined) return kit
  const matchers = [
    ...(type === undefined ? [] : [matcher(kit, 'of type', canonicalType(type), typeNames)]),
    ...(keyword === undefined ? [] : [matcher(kit, 'with the keyword', keyword, (asset) => asset.keywords)]),
  ]
  const selected = section === undefined ? kit.sections : [sectionIn(kit, section, listed)]
  if (matchers.length === 0) return withCounts(kit, selected)
  const sections = selected.map((one) => ({
    ...one,
    items: filterItems(one.items, (asset) => matchers.every((matches) => matches(asset))),
  }))
  const filled = sections.filter(({ items }) => items.length > 0)
  return withCounts(kit, filled)
}

function selectSections(named: NamedKit, requested: readonly string[] | undefined) {
  const { sections } = named.kit
  if (requested === undefined) return sections
  const selected = new Set(requested.map((name) => findSection(named, canonicalName(name))))
  return sections.filter((section) => selected.has(section))
}

/** Returns uuids of headings. If headings of several sections share a slug, selects all of them. */
function selectHeadings(
  { kit, headings }: NamedKit,
  sections: NamedKit['kit']['sections'],
  requested: readonly string[],
): string[] {
  const all = sections.flatMap(headingsOf)
  const slugs = slugsIn(headings)
  return requested.flatMap((name) => {
    const namesakes = all.filter(({ uuid }) => slugs(uuid)[0] === canonicalName(name))
    if (namesakes.length > 0) return namesakes.map(({ uuid }) => uuid)
    const scope = { ...scopeIn(kit, 'heading'), shortIdsOf: shortIdsOf(kit) }
    return [findByName(canonicalName(name), all, slugs, scope).uuid]
  })
}

/** Returns the keywords in lower case. */
function selectKeywords({ kit }: NamedKit, requested: readonly string[]): string[] {
  const known = Object.values(kit.assets).flatMap(({ keywords }) => keywords)
  for (const keyword of requested) requireValue(kit, 'with the keyword', keyword, known)
  return requested.map((keyword) => keyword.toLowerCase())
}

/** Keeps a heading if anything below it is kept, or if nothing was below it before. */
function selectItems(
  items: readonly LoadedItem[],
  headings: readonly string[] | undefined,
  isSelected: (uuid: string) => boolean,
): LoadedItem[] {
  const groups: { heading?: LoadedItem; items: LoadedItem[] }[] = [{ items: [] }]
  for (const item of items) {
    if (item.type === 'heading') groups.push({ heading: item, items: [] })
    else groups.at(-1)?.items.push(item)
  }
  return groups.flatMap(({ heading, items: below }) => {
    if (headings !== undefined && !headings.includes(heading?.uuid ?? '')) return []
    const selected = below.flatMap((item) => keepAssets(item, isSelected))
    const isEmptied = selected.length === 0 && below.length > 0
    return heading === undefined || isEmptied ? selected : [heading, ...selected]
  })
}

function sectionIn(kit: KnownKit, requested: string, listed: LoadedKit | undefined): KnownSection {
  const namesakes = kit.sections.filter(({ name }) => isSame(name, requested))
  if (namesakes.length === 1 && namesakes[0]) return namesakes[0]
  const slugs = new Map(kit.sections.map(({ uuid, slug }) => [uuid, slug]))
  return findByName(
    nameInAddress(requested) ?? canonicalUuid(requested) ?? (slugOf(requested) || requested),
    kit.sections,
    (uuid) => [slugs.get(uuid) ?? ''],
    { ...scopeIn(kit, 'section'), ...(listed && { shortIdsOf: shortIdsOf(listed) }) },
  )
}

/** Returns a test for one value, after checking that some asset of the kit has the value. */
function matcher(
  kit: KnownKit,
  what: string,
  requested: string,
  valuesOf: (asset: KnownAsset) => string[],
): (asset: KnownAsset) => boolean {
  requireValue(kit, what, requested, assetsIn(kit.sections).flatMap(valuesOf))
  return (asset) => valuesOf(asset).some((value) => isSame(value, requested))
}

function isFilled(item: Item<KnownAsset> | undefined): boolean {
  return item !== undefined && assetsOf(item).length > 0
}

function filterItems(items: readonly Item<KnownAsset>[], matches: (asset: KnownAsset) => boolean): Item<KnownAsset>[] {
  const kept = items
    .flatMap((item) => keepAssets(item, matches))
    .filter((item) => item.type === 'heading' || isFilled(item))
  return kept.filter((item, index) => isFilled(item) || isFilled(kept[index + 1]))
}

/** Returns the kit with new counts. An asset that occurs twice counts once. */
function withCounts(kit: KnownKit, sections: readonly KnownSection[]): KnownKit {
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
  return new Set(assetsIn(sections).map(({ uuid }) => uuid)).size
}

/** Returns the assets of sections in display order. Repeats assets that occur several times. */
export function assetsIn(sections: readonly KnownSection[]): KnownAsset[] {
  return sections.flatMap(({ items }) => items.flatMap((item) => assetsOf(item)))
}

/**
 * Checks that some asset of a kit has a value, ignoring case.
 * @param what introduces the value: `with the keyword`
 * @param values of all assets of the kit
 * @throws ContentSpaceError `assetNotFound` with the nearest values
 */
function requireValue(
  { uuid: kit, name, version }: Pick<KnownKit, 'uuid' | 'name' | 'version'>,
  what: string,
  requested: string,
  values: readonly string[],
): void {
  if (values.some((value) => isSame(value, requested))) return
  const message = `Kit ${name} (${versionText(version)}) has no asset ${what} ${requested}.`
  const hint = suggestion(requested, values, `${what.split(' ').at(-1)}s`)
  throw new ContentSpaceError('assetNotFound', message, { kit, version, hint })
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
