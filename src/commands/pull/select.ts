import { requireAssetWith } from '../../kit/select.js'
import type { LoadedItem } from '../../kit/load.js'
import { findAsset, headingsOf, type NamedKit } from '../../kit/named-kit.js'
import { slugsIn } from '../../kit/names.js'
import { findByName } from '../../kit/lookup.js'
import { canonicalName } from '../../request/request.js'

/** Which part of a kit to take. Names are uuids or slugs; several of one kind add up, and kinds narrow each other. */
export interface Selection {
  sections?: readonly string[] | undefined
  headings?: readonly string[] | undefined
  assets?: readonly string[] | undefined
  /** Compared without case. */
  keywords?: readonly string[] | undefined
}

/**
 * The kit with only what is chosen in it, under the names that the whole kit gives.
 * @param used uuids of the only assets to take; absent: all
 * @throws ContentSpaceError `sectionNotFound`, `headingNotFound`, `assetNotFound`, `ambiguousName`
 */
export function selectAssets(named: NamedKit, choice: Selection, used?: ReadonlySet<string>): NamedKit {
  const { kit } = named
  const sections = chosenSections(named, choice)
  const headings = choice.headings && chosenHeadings(named, sections, choice.headings)
  const assets = choice.assets?.map((wanted) => findAsset(named, canonicalName(wanted)).uuid)
  const keywords = choice.keywords && chosenKeywords(named, choice.keywords)

  const isWanted = (uuid: string) =>
    (used?.has(uuid) ?? true) &&
    (assets?.includes(uuid) ?? true) &&
    (keywords === undefined ||
      (kit.assets[uuid]?.keywords ?? []).some((keyword) => keywords.includes(keyword.toLowerCase())))
  const kept = sections.map((section) => ({ ...section, items: chooseItems(section.items, headings, isWanted) }))
  const narrowed = [headings, assets, keywords, used].some((filter) => filter !== undefined)
  return { ...named, kit: { ...kit, sections: narrowed ? kept.filter(({ items }) => items.length > 0) : kept } }
}

function chosenSections({ kit, sections }: NamedKit, { sections: wanted }: Selection) {
  if (wanted === undefined) return kit.sections
  const place = {
    what: 'section',
    where: `kit ${kit.name}`,
    code: 'sectionNotFound',
    facts: { kit: kit.uuid, version: kit.version },
  } as const
  const found = new Set(
    wanted.map((name) => findByName(canonicalName(name), kit.sections, slugsIn(sections), place).uuid),
  )
  return kit.sections.filter(({ uuid }) => found.has(uuid))
}

/** In lower case. */
function chosenKeywords({ kit }: NamedKit, wanted: readonly string[]): string[] {
  const known = Object.values(kit.assets).flatMap(({ keywords }) => keywords)
  for (const keyword of wanted) requireAssetWith(kit, 'with the keyword', keyword, known)
  return wanted.map((keyword) => keyword.toLowerCase())
}

/** Namesakes in several sections are all meant. */
function chosenHeadings(
  { kit, headings }: NamedKit,
  sections: NamedKit['kit']['sections'],
  wanted: readonly string[],
): string[] {
  const all = sections.flatMap(headingsOf)
  const slugs = slugsIn(headings)
  const place = {
    what: 'heading',
    where: `kit ${kit.name}`,
    code: 'headingNotFound',
    facts: { kit: kit.uuid, version: kit.version },
  } as const
  return wanted.flatMap((name) => {
    const same = all.filter(({ uuid }) => slugs(uuid)[0] === canonicalName(name))
    return same.length > 0 ? same.map(({ uuid }) => uuid) : [findByName(canonicalName(name), all, slugs, place).uuid]
  })
}

/** A heading stays when something under it does, or when nothing ever stood under it. */
function chooseItems(
  items: readonly LoadedItem[],
  headings: readonly string[] | undefined,
  isWanted: (uuid: string) => boolean,
): LoadedItem[] {
  const groups: { heading?: LoadedItem; items: LoadedItem[] }[] = [{ items: [] }]
  for (const item of items) {
    if (item.type === 'heading') groups.push({ heading: item, items: [] })
    else groups.at(-1)?.items.push(item)
  }
  return groups.flatMap(({ heading, items: under }) => {
    if (headings !== undefined && !headings.includes(heading?.uuid ?? '')) return []
    const left = under.filter((item) => item.type !== 'asset' || isWanted(item.asset))
    const emptied = left.length === 0 && under.length > 0
    return heading === undefined || emptied ? left : [heading, ...left]
  })
}
