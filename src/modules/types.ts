import { isIdentifierName } from '@babel/helper-validator-identifier'
import { escapeHidden } from '../text/display.js'
import type { AssetPlan } from '../files/plan.js'
import type { Query } from '../request/query.js'
import { isData } from '../space/asset-type.js'
import type { AssetRecord } from '../space/space.js'

/** A text as a literal type, safe in whatever content authors wrote. */
export function typeText(text: string): string {
  const inner = escapeHidden(JSON.stringify(text)).slice(1, -1).replaceAll(`\\"`, '"').replaceAll("'", "\\'")
  return `'${inner}'`
}

/** What changes in a draft without anything in the source being wrong: a literal would only make noise. */
const loose: Record<string, string> = {
  status: 'string',
  notes: 'string',
  dateAdded: 'string',
  dateUpdated: 'string',
  counts: '{ assets: number; items: number; sections: number }',
  data: 'unknown',
}

/**
 * The exact type of plain data: tuples and literals. Undefined properties are left out, as they are in modules.
 * @param references the types of parts that are declared elsewhere
 */
export function exactType(value: unknown, references: ReadonlyMap<unknown, string> = new Map()): string {
  const reference = references.get(value)
  if (reference !== undefined) return reference
  if (Array.isArray(value)) return `[${value.map((element) => exactType(element, references)).join(', ')}]`
  if (typeof value === 'string') return typeText(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return object(fields.map(([key, field]) => [key, looseType(key, field) ?? exactType(field, references)]))
}

function looseType(key: string, field: unknown): string | undefined {
  if (key !== 'counts') return loose[key]
  return object(Object.keys(Object(field)).map((count) => [count, 'number']))
}

/** The type of what an import of an asset is: what `assetValue` makes, field by field. */
export function assetType(asset: AssetRecord, query: Query, plan: AssetPlan): string {
  const { as } = query
  if (as === 'url') return plan.src === undefined ? 'undefined' : 'string'
  if (as === 'raw' || as === 'inline') return plan.value === undefined ? 'undefined' : 'string'
  if (as === 'picture') return object([['name', typeText(asset.name)], ...pictureFields(plan)])
  const shown: Field[] = isData(asset)
    ? [['meta', 'unknown']]
    : as === 'metadata'
      ? sizeFields(asset)
      : shownFields(plan)
  const type = object(described(asset, shown))
  return query.full ? `${type} & import('unplugin-content-space/asset').FullMetadata` : type
}

type Field = [name: string, type: string]

function described({ uuid, name, type }: AssetRecord, shown: Field[]): Field[] {
  return [
    ['uuid', typeText(uuid)],
    ['name', typeText(name)],
    ['type', typeText(type)],
    ...shown,
    ['notes', 'string'],
    ['keywords', 'string[]'],
    ['colors', 'unknown[]'],
  ]
}

function shownFields(plan: AssetPlan): Field[] {
  return [['format', plan.format === undefined ? 'undefined' : typeText(plan.format)], ...pictureFields(plan)]
}

function pictureFields(plan: AssetPlan): Field[] {
  const { src, srcset, sources, placeholder } = plan
  return [
    ...present({ src }, 'string'),
    ...sizeFields(plan),
    ...present({ srcset }, 'string'),
    ...present({ sources }, `[${(sources ?? []).map(sourceType).join(', ')}]`),
    ...present({ placeholder }, 'string'),
  ]
}

function sizeFields({ width, height }: { width?: number | undefined; height?: number | undefined }): Field[] {
  return [...present({ width }, String(width)), ...present({ height }, String(height))]
}

/** One field when it has a value. */
function present(field: Record<string, unknown>, type: string): Field[] {
  return Object.entries(field).flatMap(([name, value]) => (value === undefined ? [] : [[name, type] satisfies Field]))
}

function sourceType({ type }: { type: string }): string {
  return object([
    ['type', typeText(type)],
    ['srcset', 'string'],
  ])
}

function object(fields: Field[]): string {
  return `{ ${fields.map(([name, type]) => `${isIdentifierName(name) ? name : typeText(name)}: ${type}`).join('; ')} }`
}
