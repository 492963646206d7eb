import * as v from 'valibot'
import { isObject, jsonOf } from '../text/json.js'
import { canonicalUuid } from '../space/uuid.js'
import { readAsset } from '../space/wire/asset.js'
import type { LoadedItem, LoadedKit, LoadedSection } from '../kit/load.js'

const uuid = v.pipe(
  v.string(),
  v.check((text) => canonicalUuid(text) === text),
)
const optionalText = v.optional(v.string())
const text = v.string()

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
  sections: v.array(v.object({ uuid, name: text, counts: v.strictObject(counts), items: v.array(v.unknown()) })),
  assets: v.array(v.unknown()),
})

/** Assets that are converted to JSON at once. */
const batchSize = 200

/** Returns the JSON of a snapshot in parts, each a text of moderate length. Of assets, it contains the records. */
export function* snapshotParts({ assets, ...rest }: LoadedKit): Generator<string> {
  yield `{"kit":{${JSON.stringify(rest).slice(1, -1)},"assets":[`
  const records = Object.values(assets)
  for (let at = 0; at < records.length; at += batchSize) {
    const batch = records.slice(at, at + batchSize).map(({ raw }) => raw)
    yield (at === 0 ? '' : ',') + JSON.stringify(batch).slice(1, -1)
  }
  yield ']}}'
}

/**
 * Reads a snapshot. Its assets are read like those of the service. Uuids in it become code, paths and requests.
 * @returns undefined for an invalid snapshot
 */
export function readSnapshot(bytes: Uint8Array): LoadedKit | undefined {
  const value = jsonOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString())
  if (!isObject(value) || !v.is(head, value['kit'])) return undefined
  const { assets: sent, sections, ...rest } = value['kit']
  const assets: LoadedKit['assets'] = {}
  for (const one of sent) {
    const asset = readAsset(one)
    if (asset === undefined || Object.hasOwn(assets, asset.uuid)) return undefined
    assets[asset.uuid] = asset
  }
  const isValid = (one: { items: unknown[] }): one is LoadedSection => one.items.every((item) => isItem(item, assets))
  if (!sections.every(isValid)) return undefined
  return { ...rest, sections, assets }
}

function isItem(item: unknown, assets: LoadedKit['assets']): item is LoadedItem {
  if (!isObject(item)) return false
  const { type, uuid: own, content, name, displaySize, asset } = item
  if (typeof own !== 'string' || canonicalUuid(own) !== own) return false
  if (displaySize !== undefined && typeof displaySize !== 'string') return false
  if (type === 'heading') return typeof content === 'string'
  if (type === 'asset') return typeof asset === 'string' && Object.hasOwn(assets, asset)
  return type === 'other' && typeof name === 'string'
}
