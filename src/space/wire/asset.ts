import * as v from 'valibot'
import { canonicalType } from '../asset-type.js'
import { compact, sortKeys } from './sort-keys.js'
import type { AssetRecord } from '../space.js'
import { date, dimensions, flag, keywords, orAbsent, text, uuid } from './fields.js'

const entries = <T>(schema: v.GenericSchema<unknown, T>) =>
  v.pipe(
    v.array(v.fallback(v.nullable(schema), null)),
    v.transform((list) => list.filter((entry) => entry !== null)),
  )
const type = v.pipe(v.string(), v.transform(canonicalType))

const fileCuts = v.fallback(
  v.object({
    available_types: orAbsent(entries(v.object({ type, enabled: flag(true), resizable: flag(false) }))),
    presets: v.fallback(entries(v.object({ type, size: text, description: text })), []),
  }),
  { available_types: undefined, presets: [] },
)

const asset = v.object({
  uuid,
  name: text,
  type: v.fallback(type, ''),
  notes: text,
  keywords,
  colors: v.fallback(v.array(v.unknown()), []),
  dimensions,
  size: orAbsent(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  file_hash: orAbsent(v.pipe(v.string(), v.hexadecimal(), v.toLowerCase())),
  file_id: orAbsent(v.pipe(v.string(), v.nonEmpty(), v.toLowerCase())),
  file_updated: date,
  date_added: date,
  date_updated: date,
  permalink: orAbsent(v.string()),
  thumbnails: v.optional(v.unknown()),
  meta: v.fallback(v.looseObject({ filecuts: v.optional(v.unknown()) }), {}),
})

/** @returns undefined for what cannot be an asset: no object, or one without a uuid */
export function readAsset(sent: unknown): AssetRecord | undefined {
  const raw = sortKeys(sent)
  const outcome = v.safeParse(asset, raw)
  if (!outcome.success) return undefined
  const { dimensions: size, thumbnails, ...wire } = outcome.output
  const cuts = v.parse(fileCuts, wire.meta.filecuts)
  return {
    uuid: wire.uuid,
    name: wire.name,
    type: wire.type,
    notes: wire.notes,
    keywords: wire.keywords,
    colors: wire.colors,
    width: size?.[0],
    height: size?.[1],
    size: wire.size,
    fileHash: wire.file_hash,
    fileId: wire.file_id,
    fileUpdated: wire.file_updated,
    dateAdded: wire.date_added,
    dateUpdated: wire.date_updated,
    permalink: wire.permalink,
    thumbnails: textsOf(thumbnails),
    cuts: cuts.available_types,
    presets: cuts.presets,
    meta: wire.meta,
    raw,
  }
}

const texts = v.record(v.string(), v.string())

/** The entries of an object that are texts. */
function textsOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  if (v.is(texts, value)) return value
  const kept = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return compact(Object.fromEntries(kept))
}
