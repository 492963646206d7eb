import type { Item, Kit, SectionContent } from '../asset.js'
import { memoizeWeak } from '../async/memoize.js'
import { ContentSpaceError } from '../errors.js'
import { assetsOf, keepAssets } from '../space/item-kinds.js'
import type { AssetRecord, PairedAsset } from '../space/space.js'
import { shownDate } from '../space/undated.js'
import { sortKeys } from '../space/wire/sort-keys.js'
import { versionText } from '../text/quantities.js'
import { slugOf } from './identifiers.js'
import { byIdentity, identitiesIn } from './identity.js'
import { findChosen, type ChosenNames, type DarkNames, type FoundNames } from './chosen-names.js'
import type { LoadedItem, LoadedKit, LoadedSection } from './load.js'
import {
  formerNames,
  nameAssets,
  nameSlugs,
  slugsIn,
  type AssetNames,
  type GivenNames,
  type GivenSlugs,
  type Slugs,
  type VersionLabel,
} from './names.js'
import { findByName, scopeIn } from './lookup.js'
import { assetShortIds, shortIdsOf } from './short-ids.js'
import { suggestNames } from './suggest-names.js'

/** The locked names of a kit. */
export interface GivenKitNames {
  assets?: GivenNames
  sections?: GivenSlugs
  headings?: GivenSlugs
  /** Assets that only other versions contain, each with the last version that contained it. Their names are free. */
  elsewhere?: GivenNames
  /** The names that a run drops. They aren't assigned again, but errors about them suggest the new names. */
  dropped?: GivenKitNames
}

/** A loaded kit with the names that ids refer to. */
export interface NamedKit {
  kit: LoadedKit
  /** Whether it contains only the part of the kit that is in the lockfile. */
  isPartial?: true
  assets: ReadonlyMap<string, AssetNames>
  sections: ReadonlyMap<string, Slugs>
  headings: ReadonlyMap<string, Slugs>
  /** The last version of each removed asset, by export name and slug. */
  gone: ReadonlyMap<string, VersionLabel>
  /** Uuids by names that `update --rename` has dropped. */
  former: { assets: ReadonlyMap<string, string>; parts: ReadonlyMap<string, string> }
  chosen: FoundNames
  /** Better names for assets whose export names end with part of their uuid, by uuid. */
  suggested: ReadonlyMap<string, string>
  dark: DarkNames
}

type IsKept = (uuid: string) => boolean

/** The contents of a kit, section or heading module. */
export interface Collection {
  /**
   * The part of the kit that the collection covers, followed by the larger parts that contain it: a heading, its
   * section, the kit.
   */
  parts: readonly string[]
  /** Records by uuid. */
  assets: ReadonlyMap<string, PairedAsset>
  /** Uuids by export name, sorted. Includes aliases. */
  exports: ReadonlyMap<string, string>
  /** Assets that the module can't export with this query, by the names that their exports would have. */
  withheld?: ReadonlyMap<string, AssetRecord>
  /** With `lazy`: uuids by slug, in display order, including aliases. The collection then doesn't have exports. */
  slugs?: ReadonlyMap<string, string>
  /**
   * Builds the default export in display order.
   * @param asset returns the value for each asset
   * @param isKept whether to include an asset. Default: all
   */
  tree<T>(this: void, asset: (uuid: string) => T, isKept?: IsKept): Kit<T> | SectionContent<T>
}

/**
 * Names the contents of a kit.
 * @param names the names that the project assigns
 * @throws ContentSpaceError any error of `findChosen`
 */
export function nameKit(kit: LoadedKit, given: GivenKitNames = {}, names?: ChosenNames): NamedKit {
  const { dropped } = given
  const earlier = dropped ?? given
  const sections = nameSlugs(kit.sections, 'section', given.sections, earlier.sections)
  const headings = new Map(
    kit.sections.flatMap((section) => [...nameSlugs(headingsOf(section), 'heading', given.headings, earlier.headings)]),
  )
  const records = Object.values(kit.assets)
  const identities = identitiesIn(kit)
  const name = (chosen?: ReadonlyMap<string, string>) =>
    nameAssets(records, given.assets, chosen, earlier.assets, identities)
  const generated = name()
  const chosen: FoundNames = names
    ? findChosen(kit, names, { generated, given: given.assets ?? {} })
    : { byAsset: new Map(), unknown: [] }
  const { byAsset } = chosen
  const assets = byAsset.size === 0 ? generated : name(byAsset)
  return {
    kit,
    assets,
    chosen,
    dark: names?.dark ?? { pairs: new Map() },
    suggested: suggestNames(kit, assets, new Set(byAsset.keys())),
    sections,
    headings,
    gone: goneNames(kit, earlier),
    former: {
      assets: formerNames(earlier.assets ?? {}, dropped && assets),
      parts: formerNames({ ...earlier.sections, ...earlier.headings }, dropped && new Map([...sections, ...headings])),
    },
  }
}

function goneNames(kit: LoadedKit, { assets = {}, elsewhere = {} }: GivenKitNames): Map<string, VersionLabel> {
  const gone = Object.entries({ ...elsewhere, ...assets }).filter(([uuid]) => !Object.hasOwn(kit.assets, uuid))
  return new Map(
    gone.flatMap(([, { name, slug, lastSeen }]) =>
      lastSeen === undefined ? [] : [name, slug].map((text) => [text, lastSeen] as const),
    ),
  )
}

/** Returns the record of an asset that is known to be in the kit. */
export function assetIn({ kit }: NamedKit, uuid: string): AssetRecord {
  const asset = kit.assets[uuid]
  if (asset) return asset
  throw new TypeError(`Kit ${kit.name} has no asset ${uuid}.`)
}

/** Returns the names of an asset that is known to be in the kit. */
export function namesOfAsset({ kit, assets }: NamedKit, uuid: string): AssetNames {
  const names = assets.get(uuid)
  if (names) return names
  throw new TypeError(`Kit ${kit.name} has no asset ${uuid}.`)
}

export function headingsOf({ items }: LoadedSection): { uuid: string; name: string }[] {
  return items.flatMap((item) => (item.type === 'heading' ? [{ uuid: item.uuid, name: item.content ?? '' }] : []))
}

/**
 * Returns the collection of a whole kit. Memoized, because a build needs it several times.
 * @param full as in `showKit`
 */
export function kitCollection(named: NamedKit, full = false): Collection {
  const found = wholeCollection(named)
  return full ? { ...found, tree: (asset, isKept) => showKit(named.kit, asset, full, isKept) } : found
}

const wholeCollection = memoizeWeak((named: NamedKit): Collection => {
  const items = named.kit.sections.flatMap((section) => section.items)
  return collection(named, ['kit'], items, (asset, isKept) => showKit(named.kit, asset, false, isKept))
})

/**
 * Builds a kit in display order.
 * @param asset returns the value for each asset
 * @param full whether the kit, its sections and items include the records that the service sent
 */
export function showKit<T>(kit: LoadedKit, asset: (uuid: string) => T, full: boolean, isKept?: IsKept): Kit<T> {
  const { sections, assets: _, shortIds: __, ...head } = withRaw(kit, full)
  return {
    ...head,
    sections: sections.map(({ items, ...section }) => ({
      ...withRaw(section, full),
      items: showItems(items, asset, full, isKept),
    })),
  }
}

/**
 * Returns the collection of a section, or of a heading: the items up to the next heading.
 * @param name uuid, slug or short id of the section
 * @param heading uuid, slug or short id
 * @param full whether the section and its items include the records that the service sent
 * @throws ContentSpaceError `sectionNotFound`, `headingNotFound`, `ambiguousName`
 */
export function sectionCollection(named: NamedKit, name: string, heading?: string, full = false): Collection {
  const { kit, headings } = named
  const section = findSection(named, name)
  if (heading === undefined) return partCollection(named, [section.uuid, 'kit'], section, section.items, full)
  const scope = scopeIn(kit, 'heading')
  const found = findByName(heading, headingsOf(section), slugsIn(headings), {
    ...scope,
    where: `section ${section.name} of ${scope.where}`,
    facts: { ...scope.facts, section: section.uuid },
    shortIdsOf: shortIdsOf(kit),
    former: named.former.parts,
  })
  const at = section.items.findIndex(({ uuid }) => uuid === found.uuid)
  const after = section.items.slice(at + 1)
  const next = after.findIndex(({ type }) => type === 'heading')
  const sent = { ...found, raw: rawItem(section.items[at]?.raw) }
  const parts = [found.uuid, section.uuid, 'kit']
  return partCollection(named, parts, sent, next === -1 ? after : after.slice(0, next), full)
}

/**
 * Finds a section of a kit.
 * @param name uuid, slug or short id
 * @throws ContentSpaceError `sectionNotFound`, `ambiguousName`
 */
export function findSection({ kit, sections, former }: NamedKit, name: string): LoadedSection {
  const scope = { ...scopeIn(kit, 'section'), former: former.parts, shortIdsOf: shortIdsOf(kit) }
  return findByName(name, kit.sections, slugsIn(sections), scope)
}

/**
 * Finds an asset of a kit.
 * @param name uuid, slug or short id
 * @throws ContentSpaceError `assetNotFound`, `ambiguousName`
 */
export function findAsset(named: NamedKit, name: string): AssetRecord {
  const { kit, assets, gone, former } = named
  // A fast path for generated modules, which refer to assets by uuid. The search below visits each asset of the kit.
  const known = Object.hasOwn(kit.assets, name) ? kit.assets[name] : kit.assets[byIdentity(kit).get(name) ?? '']
  if (known) return known
  const last = gone.get(name)
  if (last !== undefined && !Object.values(kit.assets).some(({ uuid }) => slugsOfAsset(assets, uuid).includes(name))) {
    throw goneError('assetNotFound', name, last, named)
  }
  const shortIds = (uuid: string) => assetShortIds(kit).get(uuid) ?? []
  const scope = { ...scopeIn(kit, 'asset'), former: former.assets, shortIdsOf: shortIds }
  return findByName(name, Object.values(kit.assets), (uuid) => slugsOfAsset(assets, uuid), scope)
}

/**
 * Returns the error for a name that a kit had earlier.
 * @param last the last version that contained it
 */
export function goneError(
  code: 'assetNotFound' | 'unknownExport',
  name: string,
  { version, versionIdentifier, date }: VersionLabel,
  { kit, assets }: NamedKit,
): ContentSpaceError {
  const isSlug = code === 'assetNotFound'
  const message = `${name} is no longer in kit ${kit.name} (${versionText(kit.version)})`
  const facts = { kit: kit.uuid, version: kit.version, [isSlug ? 'asset' : 'export']: name }
  // The name stays reserved. If the asset was uploaded again, its new name has the start of the new uuid appended.
  const [again] = [...assets].flatMap(([uuid, now]) => {
    const label = name + (isSlug ? `-${uuid.slice(0, 8).toLowerCase()}` : `_${uuid.slice(0, 8)}`)
    return (isSlug ? now.slug : now.name).toLowerCase() === label.toLowerCase() ? [label] : []
  })
  const other = again && `Another asset has its name in the space: import ${again}, or`
  // An import can't refer to an earlier state of a draft, or of a version that was replaced in the space.
  if (version === 0 || version === kit.version) {
    const hint = other
      ? `${other} run \`npx content-space update --rename\`.`
      : 'Remove the import, or add it to the kit again.'
    return new ContentSpaceError(code, `${message}.`, { ...facts, hint })
  }
  const label = [versionIdentifier, shownDate(date)?.slice(0, 10)].filter(Boolean).join(', ')
  const earlier = `${slugOf(kit.name) || kit.uuid}@${version}`
  const id = isSlug ? `asset/${earlier}/${name}` : `kit/${earlier}`
  const hint = `${other ?? 'Remove the import, or'} import it from that version: content-space:${id}`
  return new ContentSpaceError(code, `${message}: it was last in ${versionText(version, label)}.`, { ...facts, hint })
}

/** Returns the slug of an asset, followed by its earlier slugs. */
export function slugsOfAsset(assets: NamedKit['assets'], uuid: string): string[] {
  const { slug = '', aliases = [] } = assets.get(uuid) ?? {}
  return [slug, ...aliases.map((alias) => alias.slug)]
}

function partCollection(
  named: NamedKit,
  parts: readonly string[],
  { uuid, name, raw }: { uuid: string; name: string; raw?: unknown },
  items: LoadedItem[],
  full: boolean,
): Collection {
  return collection(named, parts, items, (asset, isKept) => ({
    ...withRaw({ uuid, name, raw }, full),
    items: showItems(items, asset, full, isKept),
  }))
}

function collection(
  named: NamedKit,
  parts: readonly string[],
  items: LoadedItem[],
  tree: Collection['tree'],
): Collection {
  const assets = new Map<string, AssetRecord>()
  const exports: (readonly [name: string, uuid: string])[] = []
  for (const uuid of items.flatMap(assetsOf)) {
    if (assets.has(uuid)) continue
    assets.set(uuid, assetIn(named, uuid))
    const { name, aliases } = namesOfAsset(named, uuid)
    exports.push([name, uuid])
    for (const alias of aliases) exports.push([alias.name, uuid])
  }
  return { parts, assets, exports: new Map(exports.toSorted(([a], [b]) => (a < b ? -1 : 1))), tree }
}

function showItems<T>(
  items: readonly LoadedItem[],
  asset: (uuid: string) => T,
  full: boolean,
  isKept?: IsKept,
): Item<T>[] {
  const kept = isKept === undefined ? items : items.flatMap((item) => keepAssets(item, isKept))
  return kept.map((item) => showItem(item, asset, full))
}

function showItem<T>(item: LoadedItem, asset: (uuid: string) => T, full: boolean): Item<T>
function showItem(item: LoadedItem, asset: (uuid: string) => unknown, full: boolean): object {
  const { asset: own, assets, display, raw } = item
  // Copying objects would take much longer.
  const shown: Record<string, unknown> = {}
  for (const key in item) if (!notTexts.has(key)) shown[key] = Reflect.get(item, key)
  if (own !== undefined) shown['asset'] = asset(own)
  if (assets !== undefined) shown['assets'] = assets.map(asset)
  if (display !== undefined) shown['display'] = display
  if (full && raw !== undefined) shown['raw'] = rawItem(raw)
  return shown
}

const notTexts: ReadonlySet<string> = new Set(['asset', 'assets', 'display', 'processing', 'raw'])

/** Returns the record of an item without its asset, which has a separate record. */
export function rawItem(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || !('asset' in raw)) return sortKeys(raw)
  const { asset: _, ...own } = raw
  return sortKeys(own)
}

/** Returns a record that includes the service's raw record only with `metadata=full`. */
export function withRaw<T extends { raw?: unknown }>(
  record: T,
  full: boolean,
): Omit<T, 'raw'> & Partial<Pick<T, 'raw'>> {
  const { raw, ...known } = record
  return full ? { ...known, ...(raw !== undefined && { raw: sortKeys(raw) }) } : known
}
