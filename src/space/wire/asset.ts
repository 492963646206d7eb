import * as v from 'valibot'
import { canonicalType } from '../asset-type.js'
import { compact, sortKeys } from './sort-keys.js'
import type { AssetRecord } from '../space.js'
import { date, dimensions, flag, keywords, orAbsent, text, uuid } from './fields.js'

/** A list without its invalid entries. */
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

/** Reads the record of an asset. @returns undefined for anything that is not an object with a uuid */
export function readAsset(sent: unknown): AssetRecord | undefined {
  const raw = sortKeys(sent)
  const outcome = v.safeParse(asset, raw)
  if (!outcome.success) return undefined
  // Destructured and rebuilt as a literal: an object that is copied with spread syntax takes several times the memory.
  const { uuid: id, name, type: kind, notes, keywords: words, colors, dimensions: extent, size } = outcome.output
  const { file_hash: fileHash, file_id: fileId, file_updated: fileUpdated } = outcome.output
  const { date_added: dateAdded, date_updated: dateUpdated, permalink, thumbnails, meta } = outcome.output
  const [width, height] = extent ?? []
  const { available_types: cuts, presets } = v.parse(fileCuts, meta.filecuts)
  return {
    uuid: id,
    name,
    type: kind,
    notes,
    keywords: words,
    colors,
    width,
    height,
    size,
    fileHash,
    fileId,
    fileUpdated,
    dateAdded,
    dateUpdated,
    permalink,
    thumbnails: textsOf(thumbnails),
    cuts,
    presets,
    meta,
    raw,
  }
}

const texts = v.record(v.string(), v.string())

/** Returns the entries of an object whose values are strings. */
function textsOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  if (v.is(texts, value)) return value
  const kept = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return compact(Object.fromEntries(kept))
}
