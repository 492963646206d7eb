import type { FieldDefinition, KitHead, Section } from '../asset.js'
import { eachLimit } from '../async/each-limit.js'
import { ContentSpaceError, ignoreCodes } from '../errors.js'
import { camelKeys } from '../text/camel-keys.js'
import { compareStrings } from '../text/compare.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { assetsOf, itemKinds, readTexts } from '../space/item-kinds.js'
import { needsDefinitions, type FieldRecord } from '../space/wire/custom-fields.js'
import { sortKeys } from '../space/wire/sort-keys.js'
import { originOf, spaceOf } from '../space/space.js'
import type { AssetRecord, Call, ItemRecord, KitRecord, Outline, SectionRecord, Space } from '../space/space.js'
import { addFields } from './custom-fields.js'
import { isFilling, unfinishedIn } from './processing.js'

/** A version of a kit with all its contents. It is plain data, so that snapshots can store it. */
export interface LoadedKit extends KitHead {
  /** The custom fields that assets of the kit have. Absent if no asset has one. */
  fields?: readonly FieldDefinition[] | undefined
  /** In display order. */
  sections: LoadedSection[]
  /** The assets of the kit, by uuid. */
  assets: Record<string, AssetRecord>
  /** The short ids of its sections and items in the lockfile, by uuid. In a listing, the records contain them. */
  shortIds?: ReadonlyMap<string, string>
}

export interface LoadedSection extends Omit<Section, 'items'> {
  /** Active items in display order. */
  items: LoadedItem[]
}

/**
 * An item of any type, with the texts that `item-kinds.ts` lists for its kind. Its properties are in the order in which
 * modules list them.
 */
export interface LoadedItem {
  type: string
  uuid: string
  content?: string | undefined
  displaySize?: string | undefined
  language?: string | undefined
  title?: string | undefined
  color?: string | undefined
  name?: string | undefined
  /** Set only for an item of an unlisted type. */
  data?: unknown
  /** The uuid of the asset in the item. */
  asset?: string | undefined
  /** The uuids of a gallery's assets. */
  assets?: string[] | undefined
  display?: Readonly<Record<string, unknown>> | undefined
  /** Whether the service is still filling it, so that it may change without a new version. */
  processing?: true | undefined
  /** The record that the service sent. It may contain the asset's record. */
  raw?: unknown
}

export interface LoadContext {
  space: Space
  strict: boolean
  warn: (message: string) => void
  /** Options of all calls of the space. */
  call?: Call
}

const attempts = 3

/**
 * Loads a version of a kit completely: its outline, then all sections in parallel. If the kit changes in the meantime,
 * loads everything again, so that the result never mixes two states.
 * @param kit as returned by `Space.kit`
 * @throws ContentSpaceError any error of the space; `invalidResponse` if the kit changes during each attempt
 */
export async function loadKit(kit: KitRecord, version: number, context: LoadContext): Promise<LoadedKit> {
  const space = spaceOf(context.space, kit.uuid)
  let outline = await space.outline(kit.uuid, version, context.call)
  for (let attempt = 1; attempt <= attempts; attempt++) {
    // A section in the outline may no longer exist.
    const loaded = await readAll(outline, space, context.call).catch(ignoreCodes('sectionNotFound'))
    if (loaded && !mayHaveChanged(outline, loaded.sections)) return assemble(kit, outline, loaded, context)
    const again = await space.outline(kit.uuid, version, context.call)
    if (loaded && JSON.stringify(again) === JSON.stringify(outline)) return assemble(kit, outline, loaded, context)
    outline = again
  }
  const message = `Kit ${kit.name} changed during each of ${attempts} attempts to load it.`
  const hint = 'Try again when it is not being edited, or import a published version.'
  throw new ContentSpaceError('invalidResponse', message, { kit: kit.uuid, version, hint })
}

/**
 * Sets the origin of each asset of a kit, unless the kit comes from the main space. File descriptors repeat the origin,
 * because another process may download the files.
 */
export function setOrigin({ uuid, assets }: LoadedKit, space: Space): void {
  if (originOf(space, uuid) === undefined) return
  for (const asset of Object.values(assets)) {
    asset.from = originOf(space, uuid, asset.from)
  }
}

/** The content of a version, as the space sent it. */
interface LoadedRecords {
  sections: SectionRecord[]
  /** The items of each gallery, by its uuid. Undefined if the space doesn't have galleries. */
  galleries: ReadonlyMap<string, ItemRecord[] | undefined>
  /** The definitions of custom fields, if the records of assets need them. */
  fields: readonly FieldRecord[]
}

async function readAll(outline: Outline, space: Space, call: Call | undefined): Promise<LoadedRecords> {
  const sections = await readSections(outline, space, call)
  const galleries = await readGalleries(sections, outline.version, space, call)
  const items = [...sections.map((section) => section.items), ...galleries.values()].flatMap((list) => list ?? [])
  const fields = items.some(({ asset }) => needsDefinitions(asset?.raw)) ? await space.fields(call) : []
  return { sections, galleries, fields }
}

/**
 * A kit with at least `sections` mostly empty sections is rejected after `milliseconds`, because loading it could take
 * hours. Other kits may take as long as they need.
 */
const patience = { sections: 1000, milliseconds: 20_000 }

/** The maximum number of sections to request at once. The space limits its requests further. */
const concurrency = 64

async function readSections(
  { sections, version, kitUuid }: Outline,
  space: Space,
  call: Call | undefined,
): Promise<SectionRecord[]> {
  const start = performance.now()
  const read = new Map<string, SectionRecord>()
  let items = 0
  await eachLimit(sections, concurrency, undefined, async ({ uuid }, signal) => {
    const record = await space.section(uuid, version, { ...call, signal })
    read.set(uuid, record)
    items += record.items.length
    const isSlow = performance.now() - start > patience.milliseconds && read.size < sections.length
    if (!isSlow || sections.length <= patience.sections || items * 2 >= read.size) return
    const seconds = Math.round((performance.now() - start) / 1000)
    const progress = `${read.size} of them were read in ${seconds} s, with ${items} items.`
    const hint = 'Remove the empty sections in the service, or use another version.'
    const details = { kit: kitUuid, version, hint }
    throw new ContentSpaceError('invalidResponse', `The kit has ${sections.length} sections. ${progress}`, details)
  })
  return sections.flatMap(({ uuid }) => read.get(uuid) ?? [])
}

async function readGalleries(
  sections: readonly SectionRecord[],
  version: number,
  space: Space,
  call: Call | undefined,
): Promise<LoadedRecords['galleries']> {
  const galleries = sections.flatMap(({ status, items }) =>
    status === 'active' ? items.filter((item) => item.type === 'gallery' && item.status === 'active') : [],
  )
  const read = new Map<string, ItemRecord[] | undefined>()
  await eachLimit(galleries, concurrency, undefined, async (gallery, signal) => {
    read.set(gallery.uuid, await space.gallery(gallery, version, { ...call, signal }))
  })
  return read
}

/**
 * Returns whether dates or counts indicate that a draft has changed since its outline was read. Other versions don't
 * change.
 */
function mayHaveChanged(outline: Outline, sections: SectionRecord[]): boolean {
  if (outline.version !== 0) return false
  const items = sections.reduce((sum, section) => sum + section.items.length, 0)
  const newer = sections.some(
    ({ dateUpdated = '' }) => outline.dateUpdated !== undefined && dateUpdated > outline.dateUpdated,
  )
  return newer || items !== (outline.counts.items ?? items)
}

/** @throws ContentSpaceError `invalidResponse` for inconsistencies if `strict` is set; allows unknown values */
function assemble(
  kit: KitRecord,
  outline: Outline,
  { sections: records, galleries, fields: definitions }: LoadedRecords,
  { strict, warn }: LoadContext,
): LoadedKit {
  const inconsistencies = new Set<string>()
  const unknown = unknownValues(records, galleries)
  const assets = new Map<string, AssetRecord>()
  const sections = records
    .filter(({ status }) => status === 'active')
    .map(({ uuid, name, counts, items: all, raw }) => {
      const items = all.flatMap((item) =>
        readItem(item, galleries.get(item.uuid), assets, (problem) => inconsistencies.add(problem)),
      )
      const used = new Set(items.flatMap(assetsOf))
      const listed = { assets: counts.assets ?? used.size, items: counts.items ?? items.length }
      return { uuid, name, counts: listed, items, ...omitUndefined({ raw }) }
    })
  const content = { assets: [...assets.values()], items: sections.flatMap((section) => section.items) }
  const problems = [...[...inconsistencies].toSorted(), ...unknown, ...unfinishedIn(content)]
  const message = `${kit.name} (version ${outline.version}): ${problems.join('; ')}.`
  if (strict && inconsistencies.size > 0)
    throw new ContentSpaceError('invalidResponse', message, { kit: kit.uuid, version: outline.version })
  if (problems.length > 0) warn(message)
  const items = sections.reduce((sum, section) => sum + section.items.length, 0)
  const fields = addFields([...assets.values()], definitions)
  return {
    ...headOf(kit, outline, { assets: assets.size, items, sections: sections.length }),
    ...(fields && { fields }),
    sections,
    assets: Object.fromEntries([...assets].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/**
 * Returns the description of a version. Values of the version take precedence over values of the kit, because the kit's
 * values change with the draft.
 * @param counted counts to use if the service doesn't return any
 */
export function headOf(kit: KitRecord, outline: Outline, counted: KitHead['counts']): KitHead {
  const { assets = counted.assets, items = counted.items, sections = counted.sections } = outline.counts
  return {
    uuid: kit.uuid,
    name: kit.name,
    ...omitUndefined({ description: kit.description }),
    status: outline.status || kit.status,
    version: outline.version,
    versionIdentifier: outline.versionIdentifier,
    notes: outline.notes,
    counts: { assets, items, sections },
    dateAdded: outline.dateAdded ?? kit.dateAdded,
    dateUpdated: outline.dateUpdated ?? kit.dateUpdated,
    ...(kit.raw !== undefined && { raw: { kit: kit.raw, version: outline.raw } }),
  }
}

/** Converts an active item and adds its assets. If an asset occurs several times, keeps its first record. */
function readItem(
  { uuid, type, status, asset, data, display, raw }: ItemRecord,
  members: readonly ItemRecord[] | undefined,
  known: Map<string, AssetRecord>,
  onProblem: (problem: string) => void,
): LoadedItem[] {
  if (status !== 'active') return []
  if (asset === undefined && itemKinds.get(type)?.needsAsset) {
    onProblem(`asset item ${uuid} has no record and is ignored`)
    return []
  }
  const carried = members?.flatMap((member) => (member.status === 'active' ? (member.asset ?? []) : [])) ?? []
  for (const one of asset === undefined ? carried : [asset, ...carried])
    if (!known.has(one.uuid)) known.set(one.uuid, one)
  const texts = readTexts(type, data)
  // Copying objects takes much longer, and a kit has thousands of items.
  const item: LoadedItem = { type, uuid }
  if (texts === undefined) item.data = sortKeys(data)
  else Object.assign(item, texts)
  if (asset !== undefined) item.asset = asset.uuid
  if (type === 'gallery') item.assets = carried.map((one) => one.uuid)
  const shown = displayOf(display)
  if (shown !== undefined) item.display = shown
  if (isFilling(data)) item.processing = true
  if (raw !== undefined) item.raw = raw
  return [item]
}

/** Converts display properties. @returns undefined if the service didn't send any */
function displayOf(sent: unknown): LoadedItem['display'] {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return undefined
  const display = camelKeys(sortKeys(sent))
  return Object.keys(display).length === 0 ? undefined : display
}

/**
 * Describes unknown types and unknown statuses. Items of an unknown type are kept as data; items with an unknown status
 * are ignored.
 */
function unknownValues(records: SectionRecord[], galleries: LoadedRecords['galleries']): string[] {
  const items = records.flatMap((record) => record.items)
  const types = new Set(items.flatMap(({ type, status }) => (status !== 'active' || itemKinds.has(type) ? [] : [type])))
  const statuses = new Set([...records, ...items].flatMap(({ status }) => (status === 'active' ? [] : [status])))
  const isWithoutGalleries = [...galleries.values()].includes(undefined)
  return [
    ...(types.size > 0 ? [`items of unknown types are kept as data (${quoted(types)})`] : []),
    ...(statuses.size > 0 ? [`items and sections that are not active are ignored (${quoted(statuses)})`] : []),
    ...(isWithoutGalleries ? ['galleries are empty, because the service does not list their contents'] : []),
  ]
}

function quoted(values: Set<string>): string {
  return [...values]
    .toSorted(compareStrings)
    .slice(0, 5)
    .map((value) => JSON.stringify(value))
    .join(', ')
}
