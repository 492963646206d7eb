import * as v from 'valibot'
import { ContentSpaceError } from '../../errors.js'
import { isObject, objectOf } from '../../text/json.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { shortList } from '../../text/quantities.js'
import type { ItemRecord, KitRecord, KitVersion, Outline, SectionRecord } from '../space.js'
import { canonicalUuid } from '../uuid.js'
import { readAsset, type SentPreviews } from './asset.js'
import { requireLevels } from './sort-keys.js'
import { count, date, displayOrder, integer, orAbsent, status, text, uuid } from './fields.js'

/** An item with its display order, which is `Infinity` if the service doesn't send one. */
export type PlacedItem = ItemRecord & { displayOrder: number }

const versionFields = {
  version: integer,
  version_identifier: text,
  status,
  notes: text,
  date_added: date,
  date_updated: date,
  counts: v.fallback(v.object({ assets: count, items: count, sections: count }), {
    assets: undefined,
    items: undefined,
    sections: undefined,
  }),
}

const toVersion = (wire: v.InferOutput<v.ObjectSchema<typeof versionFields, undefined>>): KitVersion => ({
  version: wire.version,
  versionIdentifier: wire.version_identifier,
  status: wire.status,
  notes: wire.notes,
  dateAdded: wire.date_added,
  dateUpdated: wire.date_updated,
  counts: wire.counts,
})

const kit = v.pipe(
  v.object({
    kit_uuid: uuid,
    space_id: orAbsent(v.pipe(v.union([v.number(), v.string()]), v.transform(String))),
    name: text,
    description: text,
    status,
    /** Null or absent until the first version is published. Until then, the draft, version 0, is used. */
    use_version: v.nullish(integer, 0),
    date_added: date,
    date_updated: date,
    images: v.fallback(v.object({ cover: orAbsent(v.string()) }), { cover: undefined }),
    versions: v.nullish(v.array(v.pipe(v.object(versionFields), v.transform(toVersion)))),
  }),
  v.transform((wire): KitRecord => ({
    uuid: wire.kit_uuid,
    spaceId: wire.space_id,
    name: wire.name,
    ...(wire.description !== '' && { description: wire.description }),
    status: wire.status,
    useVersion: wire.use_version,
    dateAdded: wire.date_added,
    dateUpdated: wire.date_updated,
    cover: wire.images.cover,
    versions: wire.versions?.toSorted((a, b) => a.version - b.version),
  })),
)

/** Keeps one record per uuid. */
const distinct = <T extends { uuid: string }>(list: T[]): T[] => [
  ...new Map(list.map((one) => [one.uuid, one])).values(),
]

const sorted = <T extends { uuid: string; display_order: number }>(list: T[]) =>
  distinct(list).toSorted((a, b) => compareOrder(a.display_order, b.display_order))

const outline = v.object({
  kit_version: v.pipe(
    v.object({
      ...versionFields,
      kit_uuid: uuid,
      sections: v.array(
        v.object({
          uuid,
          name: text,
          display_order: displayOrder,
          headers: v.nullish(v.array(v.object({ uuid, name: text, display_order: displayOrder }))),
        }),
      ),
    }),
    v.transform((wire): Outline => ({
      ...toVersion(wire),
      kitUuid: wire.kit_uuid,
      sections: sorted(wire.sections).map((section) => ({
        uuid: section.uuid,
        name: section.name,
        headings: sorted(section.headers ?? []).map((heading) => ({ uuid: heading.uuid, name: heading.name })),
      })),
    })),
  ),
})

const page = v.object({
  section: v.pipe(
    v.object({
      uuid,
      kit_uuid: uuid,
      name: text,
      status,
      version: integer,
      counts: v.fallback(v.object({ assets: count, items: count }), { assets: undefined, items: undefined }),
      date_updated: date,
      // `v.array` would visit each of thousands of items.
      items: v.instance(Array<unknown>),
    }),
    v.transform(({ kit_uuid: kitUuid, date_updated: dateUpdated, ...rest }) => ({ ...rest, kitUuid, dateUpdated })),
  ),
})

/**
 * Produces the errors about items. `readItem` reads the items themselves, because it is much faster, and a section has
 * thousands of items.
 */
const pageItems = v.object({ section: v.object({ items: v.array(v.object({ uuid })) }) })

const kitList = v.object({ kit: v.array(v.unknown()) })

const noPreviews: SentPreviews = new Map()

/**
 * Parses the `result` of the list of kits, under `kit` or `kits`.
 * @param leaveOut called with one error for all invalid records. Throws it by default.
 */
export function parseKits(
  result: unknown,
  leaveOut: (error: ContentSpaceError) => void = fail,
  previews = noPreviews,
): KitRecord[] {
  const { kit: own, kits = own } = objectOf(result)
  const list = parseRecord('list of kits', kitList, { kit: Array.isArray(own) ? own : kits }).kit
  const invalid: string[] = []
  let first: { issue: v.BaseIssue<unknown>; path: string } | undefined
  const records = list.flatMap((sent, index) => {
    const outcome = v.safeParse(kit, sent)
    if (outcome.success) return completeKit(outcome.output, sent, previews)
    const path = `kit.${index}`
    first ??= { issue: outcome.issues[0], path }
    const { name, kit_uuid: id } = objectOf(sent)
    invalid.push([name, id].find((one): one is string => typeof one === 'string' && one !== '') ?? path)
    return []
  })
  if (first) {
    const { summary } = invalidError('list of kits', first.issue, first.path)
    leaveOut(new ContentSpaceError('invalidResponse', `${summary} Invalid kits: ${shortList(invalid)}.`))
  }
  return distinct(records)
}

export function parseKit(result: unknown, previews = noPreviews): KitRecord {
  const { kit: record } = parseRecord('kit', v.object({ kit }), result)
  return completeKit(record, objectOf(result)['kit'], previews)
}

function completeKit(record: KitRecord, sent: unknown, previews: SentPreviews): KitRecord {
  return { ...record, ...omitUndefined({ coverPreview: previews.get(sent) }), raw: rawOf(sent, 'versions') }
}

export function parseOutline(result: unknown): Outline {
  const { kit_version: version } = parseRecord('outline', outline, result)
  return { ...version, raw: rawOf(objectOf(result)['kit_version'], 'sections') }
}

/** Parses the `result` of one page of a section. Keeps the items in the order of the page. */
export function parsePage(result: unknown, previews = noPreviews): SectionRecord & { items: PlacedItem[] } {
  const { section } = parseRecord('section', page, result)
  const items: PlacedItem[] = []
  for (const sent of section.items) {
    const item = readItem(sent, previews)
    if (item) items.push(item)
  }
  if (items.length < section.items.length) parseRecord('section', pageItems, result)
  return { ...section, items, raw: rawOf(objectOf(result)['section'], 'items') }
}

/**
 * Parses the `result` of one page of a gallery, which is an item with items. Its count may cover only the assets, and
 * therefore be smaller than the number of items.
 * @returns undefined if the item lacks its list of items, because the service doesn't have galleries
 */
export function parseGalleryPage(result: unknown, previews = noPreviews): ReturnType<typeof parsePage> | undefined {
  const { items, ...item } = objectOf(objectOf(result)['item'])
  if (!Array.isArray(items)) return undefined
  const { name, view_name: viewName, assets } = objectOf(item['data'])
  return parsePage({ section: { counts: { items: assets }, ...item, name: name ?? viewName, items } }, previews)
}

/** Returns a record unchanged, except that it lacks one list that is read separately. */
function rawOf(sent: unknown, list: string): unknown {
  const { [list]: _, ...raw } = objectOf(sent)
  return raw
}

/** @returns undefined for an item without a uuid */
function readItem(sent: unknown, previews: SentPreviews): PlacedItem | undefined {
  if (!isObject(sent)) return undefined
  const { uuid: id, type, status: state, display_order: order, data = {}, display_properties: display, asset } = sent
  const own = typeof id === 'string' ? canonicalUuid(id) : undefined
  if (own === undefined) return undefined
  return {
    uuid: own,
    type: typeof type === 'string' ? type : '',
    status: typeof state === 'string' ? state : 'active',
    displayOrder: typeof order === 'number' && Number.isFinite(order) ? order : Infinity,
    asset: readAsset(asset, previews.get(asset)),
    data,
    display,
    raw: sent,
  }
}

/** Parses the `result` of a section with all its items, and sorts them. */
export function parseSection(result: unknown): SectionRecord {
  requireLevels(result)
  const section = parsePage(result)
  return { ...section, items: inDisplayOrder(section.items) }
}

/** Parses the `result` of a gallery with all its items, and sorts them. */
export function parseGallery(result: unknown): ItemRecord[] {
  requireLevels(result)
  return inDisplayOrder(parseGalleryPage(result)?.items ?? [])
}

/** Sorts items by display order. Items with an equal or missing order keep the order of the service. */
export function inDisplayOrder(items: PlacedItem[]): ItemRecord[] {
  return items
    .toSorted((a, b) => compareOrder(a.displayOrder, b.displayOrder))
    .map(({ uuid: id, type, status: state, asset, data, display, raw }) => {
      // A literal takes much less time and memory than copying the other properties.
      return { uuid: id, type, status: state, asset, data, display, raw }
    })
}

/** Compares without subtracting, because two missing orders are both `Infinity`, so the result would be NaN. */
function compareOrder(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** Parses a record. The message doesn't quote the received value, because it may echo a credential. */
function parseRecord<T>(what: string, schema: v.GenericSchema<unknown, T>, input: unknown): T {
  const outcome = v.safeParse(schema, input)
  if (outcome.success) return outcome.output
  throw invalidError(what, outcome.issues[0])
}

function fail(error: ContentSpaceError): never {
  throw error
}

/** @param place the path of the record */
function invalidError(what: string, issue: v.BaseIssue<unknown>, place?: string): ContentSpaceError {
  const path = [place, v.getDotPath(issue)].filter((part) => typeof part === 'string').join('.')
  const expected = issue.expected ?? (path.endsWith('uuid') ? 'a uuid' : 'a valid value')
  const problem = issue.received === 'undefined' ? 'is missing' : `should be ${expected}`
  const message = `The service sent an invalid ${what}: ${path === '' ? 'it' : `\`${path}\``} ${problem}.`
  return new ContentSpaceError('invalidResponse', message)
}
