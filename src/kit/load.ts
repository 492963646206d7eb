import type { HeadingItem, KitHead, Section } from '../asset.js'
import { eachLimit } from '../async/each-limit.js'
import { ContentSpaceError, ignoreCodes } from '../errors.js'
import { compareStrings } from '../text/compare.js'
import { sortKeys } from '../space/wire/sort-keys.js'
import type { AssetRecord, ItemRecord, KitRecord, Outline, SectionRecord, Space } from '../space/space.js'

/** A version of a kit with all its contents. Plain data, so that it can be stored as a snapshot. */
export interface LoadedKit extends KitHead {
  /** In display order. */
  sections: LoadedSection[]
  /** The assets of the kit, by uuid. */
  assets: Record<string, AssetRecord>
}

export interface LoadedSection extends Omit<Section, 'items'> {
  /** Active items in display order. */
  items: LoadedItem[]
}

export type LoadedItem =
  | HeadingItem
  | { type: 'asset'; uuid: string; displaySize?: string | undefined; asset: string }
  /** A type that the interface does not list. */
  | { type: 'other'; uuid: string; name: string; data: unknown }

export interface LoadContext {
  space: Space
  strict: boolean
  warn: (message: string) => void
}

const attempts = 3

/**
 * Loads a version of a kit completely: its outline, then all sections in parallel. If the kit changes during loading,
 * everything is loaded again, so that the result is never a mixture of two states.
 * @param kit as returned by `Space.kit`
 * @throws ContentSpaceError what the space throws; `invalidResponse` if the kit changes during each attempt
 */
export async function loadKit(kit: KitRecord, version: number, context: LoadContext): Promise<LoadedKit> {
  let outline = await context.space.outline(kit.uuid, version)
  for (let attempt = 1; attempt <= attempts; attempt++) {
    // A section of the outline may no longer exist.
    const sections = await readSections(outline, context.space).catch(ignoreCodes('sectionNotFound'))
    if (sections && !mayHaveChanged(outline, sections)) return assemble(kit, outline, sections, context)
    const again = await context.space.outline(kit.uuid, version)
    if (sections && JSON.stringify(again) === JSON.stringify(outline)) return assemble(kit, outline, sections, context)
    outline = again
  }
  throw new ContentSpaceError(
    'invalidResponse',
    `Kit ${kit.name} changed during each of ${attempts} attempts to load it.`,
    {
      kit: kit.uuid,
      version,
      hint: 'Try again when it is not being edited, or import a published version.',
    },
  )
}

/**
 * A kit with so many sections that are mostly empty is refused if it is not read in this time: it may take hours. Other
 * kits have as much time as they need.
 */
const patience = { sections: 1000, milliseconds: 20_000 }

/** Sections that are requested at once at most. The space limits its requests further. */
const concurrency = 64

async function readSections({ sections, version, kitUuid }: Outline, space: Space): Promise<SectionRecord[]> {
  const start = performance.now()
  const read = new Map<string, SectionRecord>()
  let items = 0
  await eachLimit(sections, concurrency, new AbortController().signal, async ({ uuid }, signal) => {
    const record = await space.section(uuid, version, { signal })
    read.set(uuid, record)
    items += record.items.length
    const isSlow = performance.now() - start > patience.milliseconds && read.size < sections.length
    if (!isSlow || sections.length <= patience.sections || items * 2 >= read.size) return
    const seconds = Math.round((performance.now() - start) / 1000)
    throw new ContentSpaceError(
      'invalidResponse',
      `The kit has ${sections.length} sections. ${read.size} of them were read in ${seconds} s, with ${items} items.`,
      { kit: kitUuid, version, hint: 'Remove the empty sections in the service, or use another version.' },
    )
  })
  return sections.flatMap(({ uuid }) => read.get(uuid) ?? [])
}

/** Whether dates or counts indicate that a draft has changed since its outline. Other versions do not change. */
function mayHaveChanged(outline: Outline, sections: SectionRecord[]): boolean {
  if (outline.version !== 0) return false
  const items = sections.reduce((sum, section) => sum + section.items.length, 0)
  const newer = sections.some(
    ({ dateUpdated = '' }) => outline.dateUpdated !== undefined && dateUpdated > outline.dateUpdated,
  )
  return newer || items !== (outline.counts.items ?? items)
}

function assemble(kit: KitRecord, outline: Outline, records: SectionRecord[], context: LoadContext): LoadedKit {
  const inconsistencies = new Set<string>()
  const unknown = unknownValues(records)
  const assets = new Map<string, AssetRecord>()
  const sections = records
    .filter(({ status }) => status === 'active')
    .map(({ uuid, name, counts, items: all }) => {
      const items = all.flatMap((item) => readItem(item, assets, (problem) => inconsistencies.add(problem)))
      const used = new Set(items.flatMap((item) => (item.type === 'asset' ? [item.asset] : [])))
      return { uuid, name, counts: { assets: counts.assets ?? used.size, items: counts.items ?? items.length }, items }
    })
  if (inconsistencies.size + unknown.length > 0)
    report(kit, outline.version, { inconsistencies: [...inconsistencies].toSorted(), unknown }, context)
  const items = sections.reduce((sum, section) => sum + section.items.length, 0)
  return {
    ...headOf(kit, outline, { assets: assets.size, items, sections: sections.length }),
    sections,
    assets: Object.fromEntries([...assets].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/**
 * Returns the description of a version. Values of the version take precedence over values of the kit, because those
 * change with the draft.
 * @param counted counts to use if the service returns no counts
 */
export function headOf(kit: KitRecord, outline: Outline, counted: KitHead['counts']): KitHead {
  const { assets = counted.assets, items = counted.items, sections = counted.sections } = outline.counts
  return {
    uuid: kit.uuid,
    name: kit.name,
    status: outline.status || kit.status,
    version: outline.version,
    versionIdentifier: outline.versionIdentifier,
    notes: outline.notes,
    counts: { assets, items, sections },
    dateAdded: outline.dateAdded ?? kit.dateAdded,
    dateUpdated: outline.dateUpdated ?? kit.dateUpdated,
  }
}

/** Converts an active item, and adds its asset. Of an asset that is used several times, the first record is kept. */
function readItem(
  item: ItemRecord,
  assets: Map<string, AssetRecord>,
  onProblem: (problem: string) => void,
): LoadedItem[] {
  const { uuid, type, status, displaySize, asset } = item
  if (status !== 'active') return []
  if (type === 'heading') return [{ type, uuid, content: item.content ?? '', displaySize }]
  if (type !== 'asset') return [{ type: 'other', uuid, name: type, data: sortKeys(item.data) }]
  if (asset === undefined) {
    onProblem(`asset item ${uuid} has no record and is ignored`)
    return []
  }
  if (!assets.has(asset.uuid)) assets.set(asset.uuid, asset)
  return [{ type, uuid, displaySize, asset: asset.uuid }]
}

/** Describes unknown types, whose items are kept as data, and unknown statuses, whose items are ignored. */
function unknownValues(records: SectionRecord[]): string[] {
  const items = records.flatMap((record) => record.items)
  const types = new Set(
    items.flatMap(({ type, status }) => (status !== 'active' || type === 'heading' || type === 'asset' ? [] : [type])),
  )
  const statuses = new Set([...records, ...items].flatMap(({ status }) => (status === 'active' ? [] : [status])))
  return [
    ...(types.size > 0 ? [`items of unknown types are kept as data (${quoted(types)})`] : []),
    ...(statuses.size > 0 ? [`items and sections that are not active are ignored (${quoted(statuses)})`] : []),
  ]
}

function quoted(values: Set<string>): string {
  return [...values]
    .toSorted(compareStrings)
    .slice(0, 5)
    .map((value) => JSON.stringify(value))
    .join(', ')
}

/** @throws ContentSpaceError `invalidResponse` for inconsistencies under `strict`; unknown values are allowed */
function report(
  kit: KitRecord,
  version: number,
  { inconsistencies, unknown }: { inconsistencies: string[]; unknown: string[] },
  { strict, warn }: LoadContext,
): void {
  const text = `${kit.name} (version ${version}): ${[...inconsistencies, ...unknown].join('; ')}`
  if (strict && inconsistencies.length > 0)
    throw new ContentSpaceError('invalidResponse', `${text}.`, { kit: kit.uuid, version })
  warn(`${text}.`)
}
