import { canonicalType } from '../asset-type.js'
import type { AssetRecord } from '../space.js'
import { canonicalUuid } from '../uuid.js'
import { isoDate } from './fields.js'
import { compact } from './sort-keys.js'

/*
 * Reads records of assets. A kit may have thousands, and a schema of the validation library takes several times longer
 * for each. `test/unit/space/wire/asset.test.ts` compares the result with such a schema.
 */

/** A value of JSON that is an object, or a list. */
type Wire = Readonly<Record<string, unknown>>

/** Reads the record of an asset. @returns undefined for anything that is not an object with a uuid */
export function readAsset(sent: unknown): AssetRecord | undefined {
  if (!isObject(sent)) return undefined
  const uuid = typeof sent['uuid'] === 'string' ? canonicalUuid(sent['uuid']) : undefined
  if (uuid === undefined) return undefined
  const meta = metaOf(sent['meta'])
  const filecuts = isObject(meta['filecuts']) ? meta['filecuts'] : {}
  const [width, height] = dimensionsOf(sent['dimensions']) ?? []
  // A literal: an object that is copied with spread syntax takes several times the memory. A field without a value does
  // not compile.
  return {
    uuid,
    name: textOf(sent['name']),
    type: typeof sent['type'] === 'string' ? canonicalType(sent['type']) : '',
    notes: textOf(sent['notes']),
    keywords: keywordsOf(sent['keywords']),
    colors: isList(sent['colors']) ? sent['colors'] : [],
    width,
    height,
    size: sizeOf(sent['size']),
    fileHash: hashOf(sent['file_hash']),
    fileId: typeof sent['file_id'] === 'string' ? sent['file_id'].toLowerCase() || undefined : undefined,
    fileUpdated: dateOf(sent['file_updated']),
    dateAdded: dateOf(sent['date_added']),
    dateUpdated: dateOf(sent['date_updated']),
    permalink: typeof sent['permalink'] === 'string' ? sent['permalink'] : undefined,
    thumbnails: textsOf(sent['thumbnails']),
    cuts: isList(filecuts['available_types']) ? cutsIn(filecuts['available_types']) : undefined,
    presets: isList(filecuts['presets']) ? presetsIn(filecuts['presets']) : [],
    meta,
    raw: sent,
  } satisfies Record<keyof AssetRecord, unknown>
}

function isObject(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Converts a list to an object: it has no keys that anything reads. */
function metaOf(value: unknown): Wire {
  if (isList(value)) return Object.fromEntries(value.entries())
  return isObject(value) ? value : {}
}

/** Keywords separated by commas. Some services send a list instead. */
function keywordsOf(value: unknown): string[] {
  if (value === '') return []
  const list: readonly unknown[] = typeof value === 'string' ? value.split(',') : isList(value) ? value : []
  return list.flatMap((word) => (typeof word === 'string' ? word.trim() || [] : []))
}

/** `<width>x<height>`. Both must be positive. */
function dimensionsOf(value: unknown): [width: number, height: number] | undefined {
  const [, width, height] = typeof value === 'string' ? (dimensions.exec(value) ?? []) : []
  return Number(width) > 0 && Number(height) > 0 ? [Number(width), Number(height)] : undefined
}

const dimensions = /^(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)$/

function sizeOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined
}

function hashOf(value: unknown): string | undefined {
  return typeof value === 'string' && hexadecimal.test(value) ? value.toLowerCase() : undefined
}

const hexadecimal = /^(?:0[hx])?[\da-fA-F]+$/

function dateOf(value: unknown): string | undefined {
  return typeof value === 'string' ? isoDate(value) : undefined
}

/** Returns the entries of an object whose values are strings, sorted by key. */
function textsOf(value: unknown): Record<string, string> {
  if (!isObject(value) || isList(value)) return {}
  return isSortedTexts(value) ? value : textEntries(value)
}

function isSortedTexts(value: Wire): value is Record<string, string> {
  const keys = Object.keys(value)
  return keys.every((key, at) => typeof value[key] === 'string' && (at === 0 || isBefore(keys[at - 1] ?? '', key)))
}

/** Keys that are numbers, such as sizes in pixels, always come first in an object. */
function isBefore(a: string, b: string): boolean {
  return a < b || /^[1-9]\d{0,8}$/.test(a)
}

function textEntries(value: Wire): Record<string, string> {
  const kept = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return compact(Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1))))
}

function cutsIn(list: readonly unknown[]): AssetRecord['cuts'] {
  return list.flatMap((cut) => {
    if (!isObject(cut) || typeof cut['type'] !== 'string') return []
    return {
      type: canonicalType(cut['type']),
      enabled: cut['enabled'] !== false,
      resizable: cut['resizable'] === true,
    }
  })
}

function presetsIn(list: readonly unknown[]): AssetRecord['presets'] {
  return list.flatMap((preset) => {
    if (!isObject(preset) || typeof preset['type'] !== 'string') return []
    return {
      type: canonicalType(preset['type']),
      size: textOf(preset['size']),
      description: textOf(preset['description']),
    }
  })
}
