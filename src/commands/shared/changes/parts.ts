import { isDeepStrictEqual } from 'node:util'
import { offeredCuts } from '../../../files/choose-cut.js'
import { isData } from '../../../space/asset-type.js'
import { readableName } from '../../../space/folder/naming.js'
import { compareStrings } from '../../../text/compare.js'
import { omitUndefined } from '../../../text/omit-undefined.js'
import { pick } from '../../../text/pick.js'
import type { Break, Breaks } from './breaks.js'
import { twinsOf, type PartPair, type PlacedHeading, type StructurePairs } from './compare-structure.js'
import type { KitComparison } from './comparisons.js'
import type { Side, SideAsset } from './side.js'
import type { SideItem, SidePart, SideSection } from './structure.js'
import { tokenOf } from './token-value.js'
import { versionsOf, type ComparedVersions } from './versions.js'

/** A part of a kit that differs: an asset, a section, a heading, a token, an item or the cuts of an asset. */
export interface PartEntry<T> {
  uuid: string
  /** The new name if it was renamed. */
  name: string
  /** Slug of the kit. */
  kit: string
  versions: ComparedVersions
  /** Absent for an added part. */
  from?: T
  /** Absent for a removed part. */
  to?: T
  /** The lines of the source that would break, sorted by file and line. */
  breaks: Break[]
}

export interface SectionSide {
  name: string
  slug: string
}

export interface HeadingSide extends SectionSide {
  /** Name of the section. */
  section: string
}

export interface TokenSide {
  name: string
  /** Name in a module of tokens. */
  export: string
  type: 'color' | 'font'
  /** A color as CSS; for a font, the family, weight and style that its record contains. */
  value: string
}

export interface PlaceSide {
  name: string
  export: string
  /** Names of the sections that contain the asset, in display order. */
  sections: string[]
}

export interface CutsSide {
  name: string
  export: string
  /** The types of the cuts that are no longer available. */
  cuts: string[]
}

export interface ItemSide {
  name: string
  text: string
  /** Names of the assets in the item, in display order. */
  assets: string[]
}

/** A note, a guide, a gallery or another item that differs. */
export interface ItemEntry extends PartEntry<ItemSide> {
  /** As in modules: `'guide'`. */
  type: string
  /** The text, preceded by the title or the name; the new text if it changed. */
  text: string
}

/** The differences of kits other than files of assets. A property without differences is absent. */
export interface PartsDiff {
  sections?: Record<'added' | 'removed' | 'renamed', PartEntry<SectionSide>[]>
  /** Headings of sections that both versions contain. */
  headings?: Record<'added' | 'removed' | 'renamed' | 'moved', PartEntry<HeadingSide>[]>
  /** Colors and fonts. */
  tokens?: Record<'added' | 'removed' | 'renamed' | 'changed', PartEntry<TokenSide>[]>
  /** Assets with cuts that are no longer available, or are disabled. */
  cuts?: Record<'removed', PartEntry<CutsSide>[]>
  /** Notes, guides, galleries and other items. */
  items?: Record<'added' | 'removed' | 'changed', ItemEntry[]>
  /** Assets that have moved to other sections. */
  moved?: PartEntry<PlaceSide>[]
}

/** A kit after the comparison of its parts. */
export interface ComparedParts extends Pick<KitComparison, 'slug' | 'before' | 'after' | 'releases'> {
  structure: StructurePairs | undefined
  breaks: Breaks
}

export type PartWord = 'added' | 'removed' | 'renamed' | 'moved' | 'changed'

interface Listed<E> {
  word: PartWord
  entry: E
}

type ListedPart<T> = Listed<PartEntry<T>>

export function partsOf(kits: readonly ComparedParts[]): PartsDiff {
  const lists = <E extends Sortable, Word extends PartWord>(
    find: (kit: ComparedParts) => Listed<E>[],
    words: readonly Word[],
  ) => {
    const listed = kits.flatMap(find)
    return listed.length === 0 ? undefined : pick(listsOf(listed), words)
  }
  return omitUndefined({
    sections: lists(sectionsOf, ['added', 'removed', 'renamed']),
    headings: lists(headingsOf, ['added', 'removed', 'renamed', 'moved']),
    tokens: lists(tokensOf, ['added', 'removed', 'renamed', 'changed']),
    cuts: lists(cutsOf, ['removed']),
    items: lists(itemsOf, ['added', 'removed', 'changed']),
    moved: lists(movedOf, ['moved'])?.moved,
  })
}

/** Sorts entries by kit, name and uuid into a list for each word. */
export function listsOf<E extends Sortable>(listed: readonly Listed<E>[]): Record<PartWord, E[]> {
  const lists: Record<PartWord, E[]> = { added: [], removed: [], renamed: [], moved: [], changed: [] }
  for (const { word, entry } of listed.toSorted((a, b) => compareEntries(a.entry, b.entry))) lists[word].push(entry)
  return lists
}

type Sortable = Record<'kit' | 'name' | 'uuid', string>

function compareEntries(a: Sortable, b: Sortable): number {
  return compareStrings(a.kit, b.kit) || compareStrings(a.name, b.name) || compareStrings(a.uuid, b.uuid)
}

function entryOfPart<T extends { name: string }>(
  uuid: string,
  { from, to }: { from?: T | undefined; to?: T | undefined },
  kit: ComparedParts,
  breaks: ReadonlyMap<string, Break[]>,
): PartEntry<T> {
  return {
    uuid,
    name: (to ?? from)?.name ?? '',
    kit: kit.slug,
    versions: versionsOf(kit),
    ...omitUndefined({ from, to }),
    breaks: breaks.get(uuid) ?? [],
  }
}

function sectionsOf(kit: ComparedParts): ListedPart<SectionSide>[] {
  return (kit.structure?.sections ?? []).flatMap((pair) => {
    const [from, to] = [pair.before && sectionSide(pair.before), pair.after && sectionSide(pair.after)]
    const word = wordOf(pair, kit)
    return word === undefined ? [] : [{ word, entry: entryOfPart(uuidOf(pair), { from, to }, kit, kit.breaks.parts) }]
  })
}

function sectionSide({ name, slugs: [slug = ''] }: SideSection): SectionSide {
  return { name, slug }
}

/**
 * Lists headings that differ. If a heading was both renamed and moved, only its first entry contains the lines that
 * would break.
 */
function headingsOf(kit: ComparedParts): ListedPart<HeadingSide>[] {
  const { sections = [], headings = [] } = kit.structure ?? {}
  const twins = twinsOf(sections)
  return headings.flatMap((pair): ListedPart<HeadingSide>[] => {
    const { before, after } = pair
    const entry = entryOfPart(
      uuidOf(pair),
      { from: before && headingSide(before), to: after && headingSide(after) },
      kit,
      kit.breaks.parts,
    )
    const isMoved = before && after && twins.get(before.section.uuid) !== after.section.uuid
    const word = wordOf(pair, kit)
    if (!isMoved) return word === undefined ? [] : [{ word, entry }]
    const renamed: ListedPart<HeadingSide> = { word: 'renamed', entry: { ...entry, breaks: [] } }
    return [{ word: 'moved', entry }, ...(word === 'renamed' ? [renamed] : [])]
  })
}

function headingSide({ name, slugs: [slug = ''], section }: PlacedHeading): HeadingSide {
  return { name, slug, section: section.name }
}

function uuidOf({ before, after }: PartPair<SidePart>): string {
  return (before ?? after)?.uuid ?? ''
}

function wordOf(
  { before, after }: PartPair<SidePart>,
  { breaks }: ComparedParts,
): 'added' | 'removed' | 'renamed' | undefined {
  if (before === undefined) return 'added'
  if (after === undefined) return 'removed'
  if (before.name !== after.name || before.slugs[0] !== after.slugs[0]) return 'renamed'
  // If a part was recreated with the same name, only imports by its uuid break.
  return before.uuid !== after.uuid && breaks.parts.has(before.uuid) ? 'removed' : undefined
}

/** Lists missing cuts. Only the lockfile records which cuts were downloaded. */
function cutsOf(kit: ComparedParts): ListedPart<CutsSide>[] {
  return [...kit.after.assets].flatMap(([uuid, { record, names }]): ListedPart<CutsSide>[] => {
    const was = kit.before.assets.get(uuid)
    if (was === undefined || record === undefined || isData(record)) return []
    const breaks = kit.breaks.cuts.has(uuid)
    // A file of a different type has different cuts.
    if (was.record && was.record.type !== record.type && !breaks) return []
    const earlier = was.record ? offeredCuts(was.record) : Object.keys(was.files ?? {})
    const offered = new Set(['original', record.type, ...offeredCuts(record)].map((type) => type.toLowerCase()))
    const cuts = earlier.filter((type) => !offered.has(type.toLowerCase()))
    if (cuts.length === 0 && !breaks) return []
    const from = { name: record.name, export: names.name, cuts }
    return [{ word: 'removed', entry: entryOfPart(uuid, { from }, kit, kit.breaks.cuts) }]
  })
}

function movedOf(kit: ComparedParts): ListedPart<PlaceSide>[] {
  return [...(kit.structure?.moved ?? [])].map(([uuid, { before, after }]) => {
    const sides = { from: placeSide(uuid, kit.before, before), to: placeSide(uuid, kit.after, after) }
    return { word: 'moved', entry: entryOfPart(uuid, sides, kit, kit.breaks.moved) }
  })
}

function placeSide(uuid: string, { assets }: Side, sections: readonly SideSection[]): PlaceSide {
  const { record, names } = assets.get(uuid) ?? {}
  const name = record?.name ?? readableName(names?.slug ?? '')
  return { name, export: names?.name ?? '', sections: sections.map((section) => section.name) }
}

/** Compares items by uuid. Ignores the order, section and display properties of an item. */
function itemsOf(kit: ComparedParts): Listed<ItemEntry>[] {
  const [before, after] = [itemsIn(kit.before), itemsIn(kit.after)]
  if (before === undefined || after === undefined) return []
  return [...new Map([...before, ...after]).keys()].flatMap((uuid): Listed<ItemEntry>[] => {
    const [was, is] = [before.get(uuid), after.get(uuid)]
    if (was && is && isDeepStrictEqual(was, is)) return []
    const [from, to] = [was && itemSide(was, kit.before), is && itemSide(is, kit.after)]
    const { name = '', text = '' } = to ?? from ?? {}
    const type = (is ?? was)?.type ?? ''
    const entry = { uuid, type, name, text, kit: kit.slug, versions: versionsOf(kit), ...omitUndefined({ from, to }) }
    const word = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed'
    return [{ word, entry: { ...entry, breaks: [] } }]
  })
}

function itemsIn({ structure }: Side): Map<string, SideItem> | undefined {
  return structure && new Map(structure.flatMap(({ items }) => items.map((item) => [item.uuid, item] as const)))
}

function itemSide({ name, text, assets }: SideItem, side: Side): ItemSide {
  return { name, text, assets: assets.map((uuid) => placeSide(uuid, side, []).name) }
}

/**
 * Compares tokens only if the records of their assets are known, because the lockfile doesn't contain tokens. If a
 * token was both renamed and changed, only its first entry contains the lines that would break.
 */
function tokensOf(kit: ComparedParts): ListedPart<TokenSide>[] {
  const { before, after, breaks } = kit
  return [...new Set([...before.assets.keys(), ...after.assets.keys()])].flatMap((uuid): ListedPart<TokenSide>[] => {
    const [was, is] = [before.assets.get(uuid), after.assets.get(uuid)]
    if ((was && !was.record) || (is && !is.record)) return []
    const [from, to] = [tokenSide(was), tokenSide(is)]
    if (from === undefined && to === undefined) return []
    const entry = entryOfPart(uuid, { from, to }, kit, breaks.tokens)
    if (!from || !to) return [{ word: from ? 'removed' : 'added', entry }]
    const isRenamed = from.name !== to.name || from.export !== to.export
    const isChanged = from.value !== to.value || from.type !== to.type
    const renamed: ListedPart<TokenSide> = { word: 'renamed', entry }
    const changed: ListedPart<TokenSide> = { word: 'changed', entry: isRenamed ? { ...entry, breaks: [] } : entry }
    return [...(isRenamed ? [renamed] : []), ...(isChanged ? [changed] : [])]
  })
}

function tokenSide(asset: SideAsset | undefined): TokenSide | undefined {
  const token = tokenOf(asset?.record)
  return token && asset?.record && { name: asset.record.name, export: asset.names.name, ...token }
}
