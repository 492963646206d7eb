import { ContentSpaceError } from '../errors.js'
import { compareStrings } from '../text/compare.js'
import type { AssetRecord, ItemRecord, KitRecord, Outline, SectionRecord, Space } from '../space/space.js'

/** What describes a version of a kit. */
export interface KitHead {
  uuid: string
  name: string
  status: string
  version: number
  versionIdentifier: string
  notes: string
  counts: { assets: number; items: number; sections: number }
  /** ISO 8601. */
  dateAdded?: string | undefined
  dateUpdated?: string | undefined
}

/** A version of a kit, whole. Plain data, so that a snapshot can be kept on disk. */
export interface LoadedKit extends KitHead {
  /** In display order. */
  sections: LoadedSection[]
  /** Every asset of the kit once, by uuid. */
  assets: Record<string, AssetRecord>
}

export interface LoadedSection {
  uuid: string
  name: string
  counts: { assets: number; items: number }
  /** Active items in display order. */
  items: LoadedItem[]
}

export type LoadedItem =
  | { type: 'heading'; uuid: string; content: string; displaySize?: string | undefined }
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
 * Loads a version of a kit whole, with the fewest requests: its outline, and its sections side by side.
 * When the kit changes meanwhile, everything is loaded again: states are never mixed.
 * @param kit as `Space.kit` gave it
 * @throws ContentSpaceError what the space throws; `invalidResponse` when the kit does not hold still
 */
export async function loadKit(kit: KitRecord, version: number, context: LoadContext): Promise<LoadedKit> {
  let outline = await context.space.outline(kit.uuid, version)
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const sections = await loadSections(outline, context.space)
    if (sections && !mayHaveMoved(outline, sections)) return assemble(kit, outline, sections, context)
    const again = await context.space.outline(kit.uuid, version)
    if (sections && JSON.stringify(again) === JSON.stringify(outline)) return assemble(kit, outline, sections, context)
    outline = again
  }
  throw new ContentSpaceError('invalidResponse', `Kit ${kit.name} changed each time it was read.`, {
    kit: kit.uuid,
    version,
    hint: 'Try again when nobody is editing it, or import a published version.',
  })
}

/** @returns undefined when a section of the outline is gone */
async function loadSections(outline: Outline, space: Space): Promise<SectionRecord[] | undefined> {
  try {
    return await Promise.all(outline.sections.map(({ uuid }) => space.section(uuid, outline.version)))
  } catch (error) {
    if (error instanceof ContentSpaceError && error.code === 'sectionNotFound') return undefined
    throw error
  }
}

/** Whether anything hints that a draft was edited after its outline was read. Snapshots do not change. */
function mayHaveMoved(outline: Outline, sections: SectionRecord[]): boolean {
  if (outline.version !== 0) return false
  const items = sections.reduce((sum, section) => sum + section.items.length, 0)
  const newer = sections.some(
    ({ dateUpdated = '' }) => outline.dateUpdated !== undefined && dateUpdated > outline.dateUpdated,
  )
  return newer || items !== (outline.counts.items ?? items)
}

function assemble(kit: KitRecord, outline: Outline, records: SectionRecord[], context: LoadContext): LoadedKit {
  const oddities = new Set<string>()
  const unknown = unknownValues(records)
  const assets = new Map<string, AssetRecord>()
  const sections = records
    .filter(({ status }) => status === 'active')
    .map(({ uuid, name, counts, items: all }) => {
      const items = all.flatMap((item) => readItem(item, assets, (oddity) => oddities.add(oddity)))
      const held = new Set(items.flatMap((item) => (item.type === 'asset' ? [item.asset] : [])))
      return { uuid, name, counts: { assets: counts.assets ?? held.size, items: counts.items ?? items.length }, items }
    })
  if (oddities.size + unknown.length > 0)
    report(kit, outline.version, { oddities: [...oddities].toSorted(), unknown }, context)
  const items = sections.reduce((sum, section) => sum + section.items.length, 0)
  return {
    ...headOf(kit, outline, { assets: assets.size, items, sections: sections.length }),
    sections,
    assets: Object.fromEntries([...assets].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/**
 * Of the version where it has them, so that a snapshot does not change when the draft does.
 * @param counted stands where the service does not count
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

/** Only active items count. Each asset is kept once, as it comes first. */
function readItem(item: ItemRecord, assets: Map<string, AssetRecord>, odd: (what: string) => void): LoadedItem[] {
  const { uuid, type, status, displaySize, asset } = item
  if (status !== 'active') return []
  if (type === 'heading') return [{ type, uuid, content: item.content ?? '', displaySize }]
  if (type !== 'asset') return [{ type: 'other', uuid, name: type, data: item.data }]
  if (asset === undefined) {
    odd(`item ${uuid} is an asset without its record, and is left out`)
    return []
  }
  if (!assets.has(asset.uuid)) assets.set(asset.uuid, asset)
  return [{ type, uuid, displaySize, asset: asset.uuid }]
}

/**
 * What the interface does not list: kept as data, or left out, and worth one warning. Sorted, for the order of arrival
 * tells nothing.
 */
function unknownValues(records: SectionRecord[]): string[] {
  const items = records.flatMap((record) => record.items)
  const types = new Set(
    items.flatMap(({ type, status }) => (status !== 'active' || type === 'heading' || type === 'asset' ? [] : [type])),
  )
  const statuses = new Set([...records, ...items].flatMap(({ status }) => (status === 'active' ? [] : [status])))
  return [
    ...(types.size > 0 ? [`items of an unknown type are kept as data (${quoted(types)})`] : []),
    ...(statuses.size > 0 ? [`what is not active is left out (${quoted(statuses)})`] : []),
  ]
}

function quoted(values: Set<string>): string {
  return [...values]
    .toSorted(compareStrings)
    .slice(0, 5)
    .map((value) => JSON.stringify(value))
    .join(', ')
}

/** @throws ContentSpaceError `invalidResponse` for oddities under `strict`; unknown values are allowed */
function report(
  kit: KitRecord,
  version: number,
  { oddities, unknown }: { oddities: string[]; unknown: string[] },
  { strict, warn }: LoadContext,
): void {
  const text = `${kit.name} (version ${version}): ${[...oddities, ...unknown].join('; ')}`
  if (strict && oddities.length > 0)
    throw new ContentSpaceError('invalidResponse', `${text}.`, { kit: kit.uuid, version })
  warn(`${text}.`)
}
