import { memoizeWeak } from '../async/memoize.js'
import type { LoadedItem, LoadedKit, LoadedSection } from '../kit/load.js'
import { identitiesIn } from '../kit/identity.js'
import { assetIn, namesOfAsset, rawItem, type NamedKit } from '../kit/named-kit.js'
import type { Slugs } from '../kit/names.js'
import { shortIdIn } from '../kit/short-ids.js'
import { isColor } from '../space/asset-type.js'
import { isFont } from '../space/font-record.js'
import { assetsOf, itemKinds } from '../space/item-kinds.js'
import { revisionOfFile } from '../space/revision.js'
import type { AssetRecord } from '../space/space.js'
import { readAsset } from '../space/wire/asset.js'
import { sortKeys } from '../space/wire/sort-keys.js'
import { compareStrings } from '../text/compare.js'
import { objectOf } from '../text/json.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { dateFields, isProvisionalLine, provisionalMeta, recordOf } from './records.js'
import type { LockedAsset, LockedItem, LockedKit, LockedSection, LockedSlug, LockedTable, UsedBy } from './schema.js'

/** The parts of a version that an import needs. */
export interface NeededParts {
  /** Uuids. */
  assets: Iterable<string>
  /**
   * The part that is needed completely, followed by the larger parts that contain it: a heading, its section, the kit.
   */
  whole?: readonly string[] | undefined
  /** Uuids of the sections and headings that the import names. */
  parts?: readonly string[] | undefined
  /** Whether complete records are needed, as the service sent them. */
  full?: boolean | undefined
}

/**
 * Returns whether a table contains the description of its version. Drafts and lockfiles of version 1 contain only
 * names.
 */
export function hasContent({ head }: LockedTable): boolean {
  return head !== undefined
}

/** Returns whether a table has everything that an import needs. */
export function hasUse(
  { whole = {}, sections, items, assets }: LockedTable,
  { assets: used, whole: parts, parts: named = [], full = false }: NeededParts,
): boolean {
  const fits = (entry: { full?: true | undefined } | undefined) => entry !== undefined && (!full || entry.full === true)
  if (parts !== undefined && !parts.some((part) => fits(whole[part]))) return false
  if (!named.every((part) => Object.hasOwn(sections, part) || Object.hasOwn(items, part))) return false
  return [...used].every((uuid) => Object.hasOwn(assets, uuid) && fits(assets[uuid]))
}

/** Returns the record that the service now sends, but with the locked values. */
function lockedRecord(sent: unknown, locked: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const [now, was] = [objectOf(objectOf(sent)['meta']), objectOf(locked['meta'])]
  const filecuts = { ...objectOf(now['filecuts']), ...objectOf(was['filecuts']) }
  const meta = { ...now, ...was, ...(Object.keys(filecuts).length > 0 && { filecuts }) }
  return { ...objectOf(sent), ...locked, meta }
}

/** Returns the names of an asset in the format of the lockfile. */
function lockedNames(named: NamedKit, uuid: string): Pick<LockedAsset, 'name' | 'slug' | 'aliases' | 'former'> {
  const { name, slug, aliases } = namesOfAsset(named, uuid)
  const sorted = aliases
    .map((alias) => ({ name: alias.name, slug: alias.slug }))
    .toSorted((a, b) => compareStrings(JSON.stringify(a), JSON.stringify(b)))
  return omitUndefined({
    name,
    slug,
    aliases: sorted.length === 0 ? undefined : sorted,
    former: formerOf(named.former.assets, uuid, [name, slug, ...aliases.flatMap((one) => [one.name, one.slug])]),
  })
}

function formerOf(names: ReadonlyMap<string, string>, uuid: string, current: readonly string[]): string[] | undefined {
  if (names.size === 0) return undefined
  const own = [...names].flatMap(([name, owner]) => (owner === uuid && !current.includes(name) ? [name] : []))
  return own.length === 0 ? undefined : own.toSorted(compareStrings)
}

function lockedSlug({ slug, aliases }: Slugs, uuid: string, former: ReadonlyMap<string, string>): LockedSlug {
  return omitUndefined({
    slug,
    aliases: aliases.length === 0 ? undefined : aliases.toSorted(compareStrings),
    former: formerOf(former, uuid, [slug, ...aliases]),
  })
}

/** An item with its position. `heading` is the heading above it. */
interface Place {
  section: LoadedSection
  at: number
  item: LoadedItem
  heading: number | undefined
}

/** Returns the positions of a kit's items in display order, and the positions that contain each asset. */
const placesIn = memoizeWeak(({ sections }: LoadedKit) => {
  const places: Place[] = []
  const carriers = new Map<string, Place[]>()
  for (const section of sections) {
    let heading: number | undefined
    for (const [at, item] of section.items.entries()) {
      if (item.type === 'heading') heading = at
      const place = { section, at, item, heading }
      places.push(place)
      for (const asset of assetsOf(item)) {
        const known = carriers.get(asset)
        if (known) known.push(place)
        else carriers.set(asset, [place])
      }
    }
  }
  return { places, carriers }
})

/** Adds the used parts of a version to its table. @param before the existing entries of the version */
export function addToTable(
  table: LockedTable,
  named: NamedKit,
  use: NeededParts,
  by: UsedBy | undefined,
  before?: LockedTable,
) {
  const { kit, sections, headings, former } = named
  const isDraft = kit.version === 0
  const isFull = use.full === true && !isDraft
  const indexOf = new Map(kit.sections.map(({ uuid }, at) => [uuid, at]))

  function addSection(section: LoadedSection): void {
    const { uuid, name, counts, raw } = section
    if (table.sections[uuid] !== undefined && !(isFull && table.sections[uuid].raw === undefined)) return
    const slugs = lockedSlug(sections.get(uuid) ?? { slug: '', aliases: [] }, uuid, former.parts)
    const was: Partial<LockedSection> = before?.sections[uuid] ?? { name, at: indexOf.get(uuid), counts }
    const sent = was.raw ?? (isFull ? sortKeys(raw) : undefined)
    const shortId = was.shortId ?? shortIdIn(kit, section)
    table.sections[uuid] = isDraft ? slugs : omitUndefined({ ...was, aliases: undefined, ...slugs, shortId, raw: sent })
  }

  function addItem({ section, at, item, heading }: Place): void {
    addSection(section)
    const { uuid, raw, ...rest } = item
    const known = table.items[uuid]
    if (known !== undefined && !known.processing && !(isFull && known.raw === undefined)) return
    if (heading !== undefined && heading !== at) addItem(placeOfItem(section, heading))
    const slugs = headings.get(uuid)
    const own = slugs && lockedSlug(slugs, uuid, former.parts)
    const locked = before?.items[uuid]
    const was = locked && !locked.processing ? locked : { section: section.uuid, at, ...rest }
    const sent = was.raw ?? (isFull && raw !== undefined ? rawItem(raw) : undefined)
    const shortId = was.shortId ?? shortIdIn(kit, item)
    if (!isDraft) table.items[uuid] = omitUndefined({ ...was, aliases: undefined, ...own, shortId, raw: sent })
    else if (own) table.items[uuid] = { ...own, type: rest.type }
  }

  const { places, carriers } = placesIn(kit)

  function addAsset(uuid: string): void {
    const was = table.assets[uuid] ?? before?.assets[uuid]
    table.assets[uuid] = lineOf(uuid, was, table.assets[uuid])
    for (const place of carriers.get(uuid) ?? []) addItem(place)
  }

  /** @param was the existing entry; `own`: the entry from this run */
  function lineOf(uuid: string, was: LockedAsset | undefined, own: LockedAsset | undefined): LockedAsset {
    const asset = assetIn(named, uuid)
    const isFinal = was !== undefined && !isProvisionalLine(was)
    const users = [by, ...(own === undefined ? [] : [own.by])]
    const known: UsedBy | undefined = users.includes(undefined) ? undefined : users.includes('pull') ? 'pull' : 'build'
    const names = lockedNames(named, uuid)
    const isKept = !isDraft && isFinal && was.record !== undefined && (was.full === true || !isFull)
    if (isKept) return omitUndefined({ ...was, aliases: undefined, former: undefined, ...names, by: known })
    const now = isDraft
      ? revisionFields(asset)
      : isFull
        ? fullRecord(asset, isFinal ? was : undefined)
        : recordOf(asset)
    const isSame = was?.record !== undefined && revisionOfLocked(uuid, was) === revisionOfFile(asset)
    return omitUndefined({
      ...names,
      by: known,
      shortId: isDraft ? undefined : shortIdIn(kit, asset),
      source: identitiesIn(kit).get(uuid),
      full: isFull ? (true as const) : undefined,
      record: now,
      fields: isDraft ? undefined : asset.fields,
      files: isSame ? was.files : undefined,
    })
  }

  const [part] = use.whole ?? []
  if (part !== undefined) {
    const earlier = table.whole?.[part]
    const user = earlier && earlier.by === undefined ? undefined : by
    const isWholeFull = isFull || earlier?.full === true
    table.whole = { ...table.whole, [part]: { ...(user && { by: user }), ...(isWholeFull && { full: true as const }) } }
    if (part === 'kit' || part === 'outline') for (const section of kit.sections) addSection(section)
    for (const place of places.filter((one) => isInPart(one, part, kit))) {
      addItem(place)
      if (part !== 'outline') for (const uuid of assetsOf(place.item)) if (isInTokens(uuid, part, named)) addAsset(uuid)
    }
  }
  for (const uuid of use.assets) addAsset(uuid)
  for (const section of kit.sections) if (use.parts?.includes(section.uuid)) addSection(section)
  for (const place of use.parts ? places : []) if (use.parts?.includes(place.item.uuid)) addItem(place)
  return table
}

function placeOfItem(section: LoadedSection, at: number): Place {
  return { section, at, item: section.items[at] ?? { type: '', uuid: '' }, heading: at }
}

function isInPart({ section, item, at, heading }: Place, part: string, kit: LoadedKit): boolean {
  if (part === 'kit' || part === section.uuid) return true
  if (part === 'outline') return item.type === 'heading'
  if (part === 'tokens') return assetsOf(item).some((uuid) => isToken(kit.assets[uuid]))
  return heading !== undefined && (section.items[heading]?.uuid === part || (heading === at && item.uuid === part))
}

function isInTokens(uuid: string, part: string, { kit }: NamedKit): boolean {
  return part !== 'tokens' || isToken(kit.assets[uuid])
}

export function isToken(asset: AssetRecord | undefined): boolean {
  return asset !== undefined && (isColor(asset) || isFont(asset))
}

function fullRecord(asset: AssetRecord, was: LockedAsset | undefined): Record<string, unknown> {
  return objectOf(sortKeys(was?.record ? lockedRecord(asset.raw, was.record) : asset.raw))
}

function revisionFields(asset: AssetRecord): Record<string, unknown> {
  const raw = objectOf(asset.raw)
  const keys = ['type', ...(asset.fileHash === undefined ? dateFields : ['file_hash'])]
  const meta = provisionalMeta(raw['meta'])
  return {
    ...Object.fromEntries(keys.flatMap((key) => (raw[key] === undefined ? [] : [[key, raw[key]] as const]))),
    ...(Object.keys(meta).length > 0 && { meta }),
  }
}

/** Returns the identity of a locked asset's file, like `revisionOfFile`. */
export function revisionOfLocked(uuid: string, { record }: LockedAsset): string | undefined {
  const asset = readAsset({ ...record, uuid })
  return asset && revisionOfFile(asset)
}

/** Returns the type of a locked asset, which the cache needs to find its original. Drafts record it, too. */
export function typeOfLocked(uuid: string, { record }: LockedAsset): string {
  return readAsset({ ...record, uuid })?.type ?? ''
}

/** Returns an empty table for a version. */
export function emptyTable({ kit, dark }: NamedKit): LockedTable {
  const { version, versionIdentifier: label, dateUpdated: date, status, description, notes, counts, dateAdded } = kit
  const fields = kit.fields && [...kit.fields]
  const head = omitUndefined({ status, description, notes, counts, dateAdded, fields })
  const tables = { sections: {}, items: {}, assets: {} }
  if (version === 0) return { label, ...omitUndefined({ date }), ...tables }
  return { label, ...omitUndefined({ date, head, darkPattern: dark.pattern }), ...tables }
}

/** Returns the description of a version with the records that the service sent. */
export function withRawHead(table: LockedTable, { kit }: NamedKit): LockedTable {
  return kit.raw === undefined ? table : { ...table, head: { ...table.head, raw: objectOf(sortKeys(kit.raw)) } }
}

/** Returns the version that a table describes. The result contains only the sections, items and assets in use. */
export function kitOfTable(uuid: string, { name }: LockedKit, version: number, table: LockedTable): LoadedKit {
  const { head = {} } = table
  const { description, status = '', notes = '', dateAdded, fields, raw } = head
  const assets = Object.entries(table.assets).flatMap(([key, line]) => {
    const asset = assetOfLine(key, line)
    return asset ? [[key, asset] as const] : []
  })
  const sections = Object.entries(table.sections).map(([key, section]) => sectionOf(key, section, table))
  const counted = { assets: assets.length, items: Object.keys(table.items).length, sections: sections.length }
  return {
    uuid,
    name,
    ...omitUndefined({ description }),
    status,
    version,
    versionIdentifier: table.label,
    notes,
    counts: head.counts ?? counted,
    dateAdded,
    dateUpdated: table.date,
    ...(raw && { raw: { kit: raw.kit, version: raw.version } }),
    ...omitUndefined({ fields, shortIds: shortIdsOfTable(table) }),
    sections: sections.toSorted(byPlace(table.sections)),
    assets: Object.fromEntries(assets.toSorted(([a], [b]) => compareStrings(a, b))),
  }
}

function shortIdsOfTable({ sections, items, assets }: LockedTable): Map<string, string> | undefined {
  const lines = [sections, items, assets].flatMap((entries) =>
    Object.entries<{ shortId?: string | undefined }>(entries),
  )
  const found = lines.flatMap(([uuid, { shortId }]) => (shortId === undefined ? [] : [[uuid, shortId] as const]))
  return found.length === 0 ? undefined : new Map(found)
}

/** Sorts by position, then by uuid. */
function byPlace(table: Readonly<Record<string, { at?: number | undefined }>>) {
  const at = (uuid: string): number => table[uuid]?.at ?? 0
  return (a: { uuid: string }, b: { uuid: string }) => at(a.uuid) - at(b.uuid) || compareStrings(a.uuid, b.uuid)
}

function assetOfLine(uuid: string, { record, source, fields }: LockedAsset): AssetRecord | undefined {
  if (record === undefined) return undefined
  const asset = readAsset({ ...record, uuid, ...(source !== undefined && { source_id: source }) })
  if (asset && fields) asset.fields = fields
  return asset
}

function sectionOf(
  uuid: string,
  { name = '', counts, raw }: LockedSection,
  { items, assets }: LockedTable,
): LoadedSection {
  const own = Object.entries(items).flatMap(([key, item]) => (item.section === uuid ? [itemOf(key, item, assets)] : []))
  const sorted = own.toSorted(byPlace(items))
  const counted = counts ?? { assets: new Set(sorted.flatMap(assetsOf)).size, items: sorted.length }
  return { uuid, name, counts: counted, items: sorted, ...omitUndefined({ raw }) }
}

/** Returns an item with its properties in the order in which modules list them. */
function itemOf(uuid: string, line: LockedItem, known: LockedTable['assets']): LoadedItem {
  const { type, data, asset, assets, display, processing, raw } = line
  const isKnown = (one: string): boolean => known[one]?.record !== undefined
  const texts = Object.keys(itemKinds.get(type)?.texts ?? {}).map((key) => [key, Reflect.get(line, key)] as const)
  const own = { type, uuid, ...omitUndefined(Object.fromEntries(texts)), ...(!itemKinds.has(type) && { data }) }
  const carried = { asset: asset !== undefined && isKnown(asset) ? asset : undefined, assets: assets?.filter(isKnown) }
  return { ...own, ...omitUndefined({ ...carried, display, processing, raw }) }
}

/** Returns a listing in which locked facts replace the service's current ones. */
export function withTable(listing: LoadedKit, locked: LoadedKit, table: LockedTable): LoadedKit {
  const { whole = {} } = table
  const assets = whole['kit'] ? {} : { ...listing.assets }
  for (const [uuid, asset] of Object.entries(locked.assets)) {
    const line = table.assets[uuid]
    const now = line?.full ? undefined : listing.assets[uuid]
    const merged = now && readAsset({ ...lockedRecord(now.raw, objectOf(line?.record)), uuid })
    if (merged) merged.fields = asset.fields
    assets[uuid] = merged ?? asset
  }
  const isWhole = (uuid: string): boolean => whole['kit'] !== undefined || whole[uuid] !== undefined
  const now = new Map(listing.sections.map((section) => [section.uuid, section]))
  const known = locked.sections.map((own): LoadedSection => {
    const section = now.get(own.uuid)
    const items = section ? mergeItems(section.items, own.items, table, isWhole(own.uuid)) : own.items
    return { ...own, ...omitUndefined({ raw: own.raw ?? section?.raw }), items }
  })
  const order = new Map(listing.sections.map(({ uuid }, at) => [uuid, at]))
  const at = (uuid: string): number => table.sections[uuid]?.at ?? order.get(uuid) ?? 0
  const others = whole['kit'] ? [] : listing.sections.filter(({ uuid }) => table.sections[uuid] === undefined)
  const sections = [...known, ...others].toSorted((a, b) => at(a.uuid) - at(b.uuid) || compareStrings(a.uuid, b.uuid))
  const { sections: _, assets: __, fields = listing.fields, raw = listing.raw, ...head } = locked
  const sorted = Object.fromEntries(Object.entries(assets).toSorted(([a], [b]) => compareStrings(a, b)))
  return { ...head, ...omitUndefined({ raw, fields }), sections, assets: sorted }
}

/** Merges the items of a section by position. @param isWhole whether the table has all items of the section */
function mergeItems(
  listed: readonly LoadedItem[],
  locked: readonly LoadedItem[],
  { items }: LockedTable,
  isWhole: boolean,
): LoadedItem[] {
  const now = new Map(listed.map((item) => [item.uuid, item]))
  const order = new Map(listed.map(({ uuid }, at) => [uuid, at]))
  const known = locked.map((own): LoadedItem => {
    const item = now.get(own.uuid)
    // If some members of a gallery aren't in use, take all of its members from the listing.
    const members = isWhole ? undefined : item?.assets
    return { ...own, ...omitUndefined({ assets: members ?? own.assets, raw: own.raw ?? item?.raw }) }
  })
  const others = isWhole ? [] : listed.filter(({ uuid }) => items[uuid] === undefined)
  const at = ({ uuid }: LoadedItem): number => items[uuid]?.at ?? order.get(uuid) ?? 0
  return [...known, ...others].toSorted((a, b) => at(a) - at(b) || compareStrings(a.uuid, b.uuid))
}

/** Returns a locked table rebuilt from a listing. */
export function listedTable(locked: LockedTable, named: NamedKit): LockedTable {
  const table = emptyTable(named)
  for (const [part, { full }] of Object.entries(locked.whole ?? {}))
    addToTable(table, named, { assets: [], whole: [part], full }, undefined)
  for (const [uuid, { full }] of Object.entries(locked.assets))
    if (Object.hasOwn(named.kit.assets, uuid)) addToTable(table, named, { assets: [uuid], full }, undefined)
  return table
}
