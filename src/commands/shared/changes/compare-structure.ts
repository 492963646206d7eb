import { addTo, groupBy } from '../../../text/group-by.js'
import type { Side } from './side.js'
import type { SidePart, SideSection } from './structure.js'

export interface PlacedHeading extends SidePart {
  section: SideSection
}

/** A part on both sides, or only on the side that has it. */
export interface PartPair<T> {
  before?: T
  after?: T
}

/** The sections, headings and asset positions of two sides. Absent if one of the sides is unknown. */
export interface StructurePairs {
  sections: readonly PartPair<SideSection>[]
  /** Excludes headings of sections that exist only on one side. */
  headings: readonly PartPair<PlacedHeading>[]
  /** Assets of both sides that have moved to other sections, by uuid. */
  moved: ReadonlyMap<string, { before: readonly SideSection[]; after: readonly SideSection[] }>
}

export function pairStructure(before: Side, after: Side): StructurePairs | undefined {
  if (before.structure === undefined || after.structure === undefined) return undefined
  const sections = pairRenamed(pairParts(before.structure, after.structure, ({ name }) => name))
  const later = twinsOf(sections)
  // A section that exists on only one side also represents its headings. A heading that has moved from or to that
  // section has its own entry.
  const headings = pairParts(headingsIn(before.structure), headingsIn(after.structure), ({ name, section }) =>
    JSON.stringify([later.get(section.uuid) ?? section.uuid, name]),
  ).filter((pair) => isBoth(pair) || isWhole(sections, (pair.before ?? pair.after)?.section.uuid))
  return { sections, headings, moved: movedAssets(before.structure, after.structure, later) }
}

/** Returns the uuids of parts on the later side, by their uuids on the earlier side. */
export function twinsOf(pairs: readonly PartPair<SidePart>[]): Map<string, string> {
  return new Map(pairs.flatMap(({ before, after }) => (before && after ? [[before.uuid, after.uuid] as const] : [])))
}

/**
 * Pairs parts by uuid, and the remaining parts by name, because a part may have been recreated with the same name, and
 * a folder may derive uuids from paths.
 */
function pairParts<T extends SidePart>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (part: T) => string,
): PartPair<T>[] {
  const byUuid = (parts: readonly T[]) => new Map(parts.map((part) => [part.uuid, part]))
  const [earlier, later] = [byUuid(before), byUuid(after)]
  const added = after.filter(({ uuid }) => !earlier.has(uuid))
  const free = groupBy(added, keyOf)
  const pairs = before.map((part): PartPair<T> => {
    const twin = later.get(part.uuid) ?? free.get(keyOf(part))?.shift()
    return twin === undefined ? { before: part } : { before: part, after: twin }
  })
  const taken = new Set(pairs.map((pair) => pair.after))
  return [...pairs, ...after.filter((part) => !taken.has(part)).map((part) => ({ after: part }))]
}

/** Pairs the remaining sections if most of their assets are the same, because a folder derives uuids from names. */
function pairRenamed(pairs: readonly PartPair<SideSection>[]): PartPair<SideSection>[] {
  const added = new Set(pairs.flatMap(({ before, after }) => (before === undefined && after ? [after] : [])))
  const found = pairs.map((pair): PartPair<SideSection> => {
    const { before, after } = pair
    if (before === undefined || after !== undefined) return pair
    const twin = [...added].find((section) => {
      const shared = [...before.assets].filter((asset) => section.assets.has(asset)).length
      return shared * 2 > Math.max(before.assets.size, section.assets.size)
    })
    if (twin === undefined) return pair
    added.delete(twin)
    return { before, after: twin }
  })
  return found.filter(({ before, after }) => before !== undefined || (after !== undefined && added.has(after)))
}

function headingsIn(structure: readonly SideSection[]): PlacedHeading[] {
  return structure.flatMap((section) => section.headings.map((heading) => ({ ...heading, section })))
}

function isBoth({ before, after }: PartPair<unknown>): boolean {
  return before !== undefined && after !== undefined
}

function isWhole(sections: readonly PartPair<SideSection>[], uuid: string | undefined): boolean {
  return sections.some((pair) => isBoth(pair) && (pair.before?.uuid === uuid || pair.after?.uuid === uuid))
}

function movedAssets(
  before: readonly SideSection[],
  after: readonly SideSection[],
  later: ReadonlyMap<string, string>,
): StructurePairs['moved'] {
  const [was, is] = [placesIn(before), placesIn(after)]
  const moved = [...was].flatMap(([asset, sections]) => {
    const now = is.get(asset)
    if (now === undefined) return []
    const uuids = new Set(now.map(({ uuid }) => uuid))
    const stays = sections.length === now.length && sections.every(({ uuid }) => uuids.has(later.get(uuid) ?? uuid))
    // Use one name for a section on both sides, even if it was renamed.
    const left = sections.map((section) => now.find(({ uuid }) => uuid === later.get(section.uuid)) ?? section)
    return stays ? [] : [[asset, { before: left, after: now }] as const]
  })
  return new Map(moved)
}

function placesIn(structure: readonly SideSection[]): Map<string, SideSection[]> {
  const places = new Map<string, SideSection[]>()
  for (const section of structure) for (const asset of section.assets) addTo(places, asset, section)
  return places
}
