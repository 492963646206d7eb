import * as v from 'valibot'
import { isObject, jsonOf } from '../text/json.js'
import { canonicalUuid } from '../space/uuid.js'
import { readAsset } from '../space/wire/asset.js'
import { itemKinds } from '../space/item-kinds.js'
import type { LoadedItem, LoadedKit, LoadedSection } from '../kit/load.js'
import { applyFields } from '../kit/custom-fields.js'

const text = v.string()
const isCanonical = (uuid: string): boolean => canonicalUuid(uuid) === uuid
const uuid = v.pipe(text, v.check(isCanonical))
const optionalText = v.optional(text)
const counts = { assets: v.number(), items: v.number() }

const head = v.object({
  uuid,
  name: text,
  status: text,
  version: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  versionIdentifier: text,
  notes: text,
  counts: v.strictObject({ ...counts, sections: v.number() }),
  dateAdded: optionalText,
  dateUpdated: optionalText,
  description: optionalText,
  fields: v.optional(
    v.array(v.object({ id: v.number(), key: text, name: text, type: text, options: v.optional(v.array(text)) })),
  ),
  raw: v.optional(v.object({ kit: v.unknown(), version: v.unknown() })),
  sections: v.array(
    v.object({
      uuid,
      name: text,
      counts: v.strictObject(counts),
      items: v.array(v.unknown()),
      raw: v.optional(v.unknown()),
    }),
  ),
  assets: v.array(v.unknown()),
})

/** The number of records that are converted to JSON at once. */
const batchSize = 200

/** Yields the JSON of a snapshot in parts of moderate length. It contains assets as records, with their previews. */
export function* snapshotParts({ assets, sections, ...rest }: LoadedKit): Generator<string> {
  yield `{"kit":{${JSON.stringify(rest).slice(1, -1)},"sections":[`
  for (const [at, { items, ...section }] of sections.entries()) {
    yield `${at === 0 ? '' : ','}{${JSON.stringify(section).slice(1, -1)},"items":[`
    yield* listParts(items, keptItem)
    yield ']}'
  }
  yield '],"assets":['
  yield* listParts(Object.values(assets), ({ raw, previews = null }) => [raw, previews])
  yield ']}}'
}

function* listParts<T>(records: readonly T[], keep: (record: T) => unknown): Generator<string> {
  for (let at = 0; at < records.length; at += batchSize) {
    const batch = records.slice(at, at + batchSize).map(keep)
    yield (at === 0 ? '' : ',') + JSON.stringify(batch).slice(1, -1)
  }
}

/** Returns an item whose JSON lacks the record of its asset, because the snapshot already contains that record. */
function keptItem(item: LoadedItem): LoadedItem {
  const { raw } = item
  return isObject(raw) && 'asset' in raw ? { ...item, raw: { ...raw, asset: undefined } } : item
}

/**
 * Reads a snapshot. Validates its assets as if the service had sent them, and its uuids, because they become code,
 * paths and requests.
 * @returns undefined for an invalid snapshot
 */
export function readSnapshot(bytes: Uint8Array): LoadedKit | undefined {
  const value = jsonOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString())
  if (!isObject(value) || !v.is(head, value['kit'])) return undefined
  const { assets: sent, sections, ...rest } = value['kit']
  const assets: LoadedKit['assets'] = {}
  for (const one of sent) {
    const [record, previews]: readonly unknown[] = Array.isArray(one) ? one : []
    const asset = readAsset(record, typeof previews === 'string' ? previews : undefined)
    if (asset === undefined || Object.hasOwn(assets, asset.uuid)) return undefined
    assets[asset.uuid] = asset
  }
  const isValid = (one: { items: unknown[] }): one is LoadedSection => one.items.every((item) => isItem(item, assets))
  if (!sections.every(isValid)) return undefined
  applyFields(Object.values(assets), rest.fields)
  return { ...rest, sections, assets }
}

function isItem(item: unknown, assets: LoadedKit['assets']): item is LoadedItem {
  if (!isObject(item)) return false
  const { type, uuid: own, asset, assets: members = [], display } = item
  if (typeof type !== 'string' || typeof own !== 'string' || !isCanonical(own)) return false
  if (display !== undefined && !isObject(display)) return false
  const isAsset = (one: unknown) => typeof one === 'string' && Object.hasOwn(assets, one)
  if (!Array.isArray(members) || !members.every(isAsset)) return false
  const { texts = {}, optional = [], needsAsset } = itemKinds.get(type) ?? {}
  const hasTexts = Object.keys(texts).every(
    (name) => typeof item[name] === 'string' || (item[name] === undefined && optional.includes(name)),
  )
  return hasTexts && (asset === undefined ? !needsAsset : isAsset(asset))
}
