import { isObject, objectOf } from '../../text/json.js'
import { canonicalType } from '../asset-type.js'
import type { AssetRecord } from '../space.js'
import { canonicalUuid } from '../uuid.js'
import { isoDate } from './fields.js'
import { compact } from './sort-keys.js'

/*
 * Reads records of assets. Doesn't use the validation library, because a kit may have thousands of assets, and a schema
 * takes several times longer for each. `test/unit/space/wire/asset.test.ts` compares the result with a schema.
 */

type Wire = Readonly<Record<string, unknown>>

/** A field of an asset. `asset.ts` documents the fields. */
type Field<T> = {
  /** Its key in the service's record. Absent for the record itself. */
  sent?: string
  read(this: void, sent: unknown): T
  /**
   * False for a field that services change while the content stays the same, and for a part of another field. Default:
   * true.
   */
  isContent?: false
} & (ExactField | FullField | OwnField)

/** A field of all imports, or of imports of assets with or without a file. `modules/types.ts` contains its type. */
type ExactField = { of: 'all' | 'files' | 'data' }

/** A field of imports with `metadata=full`, with its type. */
type FullField = { of: 'full'; type: string }

/** A field that only this package uses. */
type OwnField = { of: 'package' }

/**
 * The original cover of a kit, or thumbnails of an asset as JSON, by the record that the service sent. Contains only
 * records whose addresses were changed because they grant access.
 */
export type SentPreviews = ReadonlyMap<unknown, string>

/** The key under which records contain the source's own id for an asset. The lockfile uses it, too. */
export const sourceKey = 'content-space:id'

const volatile = { of: 'full', isContent: false } as const

/**
 * All fields of assets, in the order in which modules list them. The reader, imports, their declarations, and the
 * digest of a listing are derived from this table. A missing row, or a row without a type, doesn't compile.
 */
export const assetFields = {
  uuid: { sent: 'uuid', read: (sent) => canonicalUuid(sentText(sent)) ?? '', of: 'all' },
  name: { sent: 'name', read: sentText, of: 'all' },
  type: { sent: 'type', read: (sent) => canonicalType(sentText(sent)), of: 'all' },
  width: { sent: 'dimensions', read: (sent) => dimensionsOf(sent)[0], of: 'files' },
  height: { sent: 'dimensions', read: (sent) => dimensionsOf(sent)[1], of: 'files' },
  notes: { sent: 'notes', read: sentText, of: 'all' },
  keywords: { sent: 'keywords', read: keywordsOf, of: 'all' },
  colors: { sent: 'colors', read: (sent) => (isList(sent) ? sent : []), of: 'all' },
  /** Read by `kit/custom-fields.ts`, because the fields depend on the kit's definitions. */
  fields: { read: () => undefined, of: 'all' },
  meta: { sent: 'meta', read: metaOf, of: 'data' },
  size: { sent: 'size', read: sentSize, of: 'full', type: 'number | undefined' },
  fileHash: { sent: 'file_hash', read: hashOf, of: 'full', type: 'string | undefined' },
  fileId: {
    sent: 'file_id',
    read: (sent) => sentText(sent).toLowerCase() || undefined,
    of: 'full',
    type: 'string | undefined',
  },
  dateAdded: { sent: 'date_added', read: dateOf, type: 'string | undefined', ...volatile },
  dateUpdated: { sent: 'date_updated', read: dateOf, type: 'string | undefined', ...volatile },
  fileUpdated: { sent: 'file_updated', read: dateOf, type: 'string | undefined', ...volatile },
  permalink: { sent: 'permalink', read: addressOf, type: 'string | undefined', ...volatile },
  thumbnails: { sent: 'thumbnails', read: textsOf, type: 'Record<string, string>', ...volatile },
  cuts: { sent: 'meta', read: cutsIn, type: '{ type: string; enabled: boolean; resizable: boolean }[]', ...volatile },
  presets: {
    sent: 'meta',
    read: presetsIn,
    type: '{ type: string; size: string; description: string }[]',
    ...volatile,
  },
  /** Kept beside the record, so that it is never written. */
  previews: { read: () => undefined, of: 'package', isContent: false },
  /** Completed when the kit is loaded. */
  from: {
    sent: sourceKey,
    read: (sent) => (typeof sent === 'string' ? { kit: '', id: sent } : undefined),
    of: 'package',
    isContent: false,
  },
  raw: { read: (sent) => sent, type: 'unknown', ...volatile },
} as const satisfies { [K in keyof AssetRecord]-?: Field<AssetRecord[K]> }

/** The same table, typed without the values' types. */
export const fieldsByName: Readonly<Record<string, Field<unknown>>> = { ...assetFields }

const rows = Object.entries(fieldsByName)

/**
 * Reads the record of an asset.
 * @param previews as in `AssetRecord`
 * @returns undefined for anything but an object with a uuid
 */
export function readAsset(sent: unknown, previews?: string): AssetRecord | undefined {
  const asset = isObject(sent) ? readFields(sent) : undefined
  if (!asset?.uuid) return undefined
  asset.previews = previews
  return asset
}

function readFields(sent: Wire): AssetRecord
function readFields(sent: Wire): object {
  // Copying a literal saves memory: an object takes twice as much if properties are added to it.
  const record: Record<string, unknown> = { ...assetFields }
  for (const [name, { sent: key, read }] of rows) record[name] = read(key === undefined ? sent : sent[key])
  return record
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value)
}

function sentText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Converts a list to an object, because nothing reads its keys. */
function metaOf(value: unknown): Wire {
  return isList(value) ? Object.fromEntries(value.entries()) : objectOf(value)
}

/** Reads keywords: a comma-separated string, or a list, which some services send instead. */
function keywordsOf(value: unknown): string[] {
  if (value === '') return []
  const list: readonly unknown[] = typeof value === 'string' ? value.split(',') : isList(value) ? value : []
  return list.flatMap((word) => (typeof word === 'string' ? word.trim() || [] : []))
}

/** Reads `<width>x<height>`. Both must be positive. */
function dimensionsOf(value: unknown): [width: number, height: number] | [] {
  const [, width, height] = dimensions.exec(sentText(value)) ?? []
  return Number(width) > 0 && Number(height) > 0 ? [Number(width), Number(height)] : []
}

const dimensions = /^(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)$/

function sentSize(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined
}

function hashOf(value: unknown): string | undefined {
  return typeof value === 'string' && hexadecimal.test(value) ? value.toLowerCase() : undefined
}

const hexadecimal = /^(?:0[hx])?[\da-fA-F]+$/

function addressOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function dateOf(value: unknown): string | undefined {
  return typeof value === 'string' ? isoDate(value) : undefined
}

/** Returns the entries of an object whose values are strings, sorted by key. */
export function textsOf(value: unknown): Record<string, string> {
  if (!isObject(value) || isList(value)) return {}
  return isSortedTexts(value) ? value : textEntries(value)
}

function isSortedTexts(value: Wire): value is Record<string, string> {
  const keys = Object.keys(value)
  return keys.every((key, at) => typeof value[key] === 'string' && (at === 0 || isBefore(keys[at - 1] ?? '', key)))
}

/** Compares keys as an object orders them: keys that are numbers, such as sizes in pixels, always come first. */
function isBefore(a: string, b: string): boolean {
  return a < b || /^[1-9]\d{0,8}$/.test(a)
}

function textEntries(value: Wire): Record<string, string> {
  const kept = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return compact(Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1))))
}

/** Returns a list from the part of `meta` about cuts. */
function listInCuts(meta: unknown, name: string): unknown[] | undefined {
  const list = objectOf(objectOf(meta)['filecuts'])[name]
  return isList(list) ? list : undefined
}

function cutsIn(meta: unknown): AssetRecord['cuts'] {
  return listInCuts(meta, 'available_types')?.flatMap((cut) => {
    if (!isObject(cut) || typeof cut['type'] !== 'string') return []
    return {
      type: canonicalType(cut['type']),
      enabled: cut['enabled'] !== false,
      resizable: cut['resizable'] === true,
    }
  })
}

/** Checks whether the service makes a cut with the requested dpi. Imports don't include this. */
export function takesDpi({ meta }: Pick<AssetRecord, 'meta'>, type: string): boolean {
  const cuts = listInCuts(meta, 'available_types') ?? []
  return cuts.some((cut) => isObject(cut) && cut['set_dpi'] === true && canonicalType(sentText(cut['type'])) === type)
}

function presetsIn(meta: unknown): AssetRecord['presets'] {
  return (listInCuts(meta, 'presets') ?? []).flatMap((preset) => {
    if (!isObject(preset) || typeof preset['type'] !== 'string') return []
    return {
      type: canonicalType(preset['type']),
      size: sentText(preset['size']),
      description: sentText(preset['description']),
    }
  })
}
