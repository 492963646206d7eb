import * as v from 'valibot'
import type { KitRecord } from '../space/space.js'
import { canonicalUuid } from '../space/uuid.js'
import type { LoadedKit } from '../kit/load.js'

/** A stored version of a kit. A draft is stored with the record of its kit, which shows whether it has changed. */
export interface Snapshot {
  kit: LoadedKit
  record?: KitRecord
}

const uuid = v.pipe(
  v.string(),
  v.check((text) => canonicalUuid(text) === text),
)
/** JSON contains null for numbers that are too large. */
const size = v.nullish(v.number())
const optionalText = v.optional(v.string())
const text = v.string()

export const assetSchema = v.object({
  uuid,
  name: text,
  type: text,
  notes: text,
  keywords: v.array(text),
  colors: v.array(v.unknown()),
  width: size,
  height: size,
  size,
  fileHash: optionalText,
  fileId: optionalText,
  fileUpdated: optionalText,
  dateAdded: optionalText,
  dateUpdated: optionalText,
  permalink: optionalText,
  thumbnails: v.record(text, text),
  cuts: v.optional(v.array(v.object({ type: text, enabled: v.boolean(), resizable: v.boolean() }))),
  presets: v.array(v.object({ type: text, size: text, description: text })),
})

const item = v.variant('type', [
  v.object({ type: v.literal('heading'), uuid, content: text, displaySize: optionalText }),
  v.object({ type: v.literal('asset'), uuid, displaySize: optionalText, asset: uuid }),
  v.object({ type: v.literal('other'), uuid, name: text }),
])

const counts = { assets: v.number(), items: v.number() }

const snapshot = v.object({
  kit: v.object({
    uuid,
    name: text,
    status: text,
    version: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    versionIdentifier: text,
    notes: text,
    counts: v.strictObject({ ...counts, sections: v.number() }),
    dateAdded: optionalText,
    dateUpdated: optionalText,
    sections: v.array(v.object({ uuid, name: text, counts: v.strictObject(counts), items: v.array(item) })),
    assets: v.record(uuid, assetSchema),
  }),
})

/** Whether a value is a valid snapshot. Uuids and sizes in it become code, paths and requests. */
export function isSnapshot(value: unknown): value is Snapshot {
  if (!v.is(snapshot, value)) return false
  const { sections, assets } = value.kit
  const used = sections.flatMap(({ items }) => items.flatMap((one) => ('asset' in one ? [one.asset] : [])))
  return (
    Object.entries(assets).every(([key, { uuid: own }]) => key === own) &&
    used.every((one) => Object.hasOwn(assets, one))
  )
}
