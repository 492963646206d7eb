import type { AssetPlan } from '../files/plan.js'
import type { Collection } from '../kit/named-kit.js'
import { frameworkOf } from '../request/frameworks.js'
import type { Query } from '../request/query.js'
import { isData } from '../space/asset-type.js'
import type { AssetRecord } from '../space/space.js'
import { sortedColors, sortedMeta } from '../space/wire/sorted.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { declaredFieldsOf, type FieldName } from './asset-fields.js'
import { objectType, stringType } from './object-type.js'

/**
 * The types of properties that may change in a draft without breaking an import. With literal types, each change would
 * alter the declarations.
 */
const generalTypes: Record<string, string> = {
  status: 'string',
  notes: 'string',
  dateAdded: 'string',
  dateUpdated: 'string',
  data: 'unknown',
  description: 'string',
  title: 'string',
  color: 'string',
  language: 'string',
}

/**
 * Returns the exact type of plain data, as tuples and literals. Omits undefined properties, as modules do.
 * @param references the types to write instead of these objects
 */
export function exactType(value: unknown, references: ReadonlyMap<unknown, string> = new Map()): string {
  const reference = references.get(value)
  if (reference !== undefined) return reference
  if (Array.isArray(value)) return `[${value.map((element) => exactType(element, references)).join(', ')}]`
  if (typeof value === 'string') return stringType(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const properties = Object.entries(value).filter(([, property]) => property !== undefined)
  return objectType(properties.map(([key, property]) => [key, propertyType(key, property, references, value)]))
}

function propertyType(key: string, value: unknown, references: ReadonlyMap<unknown, string>, owner: object): string {
  // The text of a heading is a name. Other items contain prose.
  if (key === 'content') return 'type' in owner && owner.type === 'heading' ? exactType(value, references) : 'string'
  if (key === 'raw') return 'sections' in owner ? '{ kit: unknown; version: unknown }' : 'unknown'
  if (key === 'display') return structuralType(value)
  if (key === 'counts') return objectType(Object.keys(Object(value)).map((count) => [count, 'number']))
  return generalTypes[key] ?? exactType(value, references)
}

/** Returns the type of a collection's default export, which refers to the other exports. */
export function treeType({ tree }: Collection, nameOf: (uuid: string) => string): string {
  const references = new Map<unknown, string>()
  const referred = tree((uuid) => {
    const reference = {}
    references.set(reference, `typeof ${nameOf(uuid)}`)
    return reference
  })
  return exactType(referred, references)
}

/** The fields that differ between assets, and the type parameter for each of them in a shape. */
const parameters: Partial<Record<FieldName, string>> = { uuid: 'U', name: 'N', width: 'W', height: 'H' }

/** A type with a parameter in place of each value that differs between assets. */
interface TypeBody {
  text: string
  parameters: readonly string[]
}

/** The bodies of a collection's types, by text. Thousands of assets share a body. */
export type TypeBodies = Map<string, TypeBody>

/** A type that is split so that others can share a part of it. */
export interface TypeShape {
  /** Returns the type. It is a function because most assets of a large collection don't write their own type. */
  type(this: void): string
  /** The same object in all shapes with the same `TypeBodies` and text. */
  body: TypeBody
  /** The arguments for the parameters. */
  values: readonly string[]
}

/**
 * Returns the type of an imported asset, which is the type of the value that `assetValue` returns.
 * @param own.full the type of the fields that `metadata=full` adds
 * @param own.address the type of a URL
 */
export function assetType(
  asset: AssetRecord,
  query: Query,
  plan: AssetPlan,
  { full = fullMetadata, address = 'string' } = {},
): string {
  return simpleType(query, plan, address) ?? recordType(query, declaredTypes(asset, query, plan, address), full)
}

/** Returns the same type, split into a part that other assets may share and the rest. */
export function assetShape(asset: AssetRecord, query: Query, plan: AssetPlan, bodies: TypeBodies): TypeShape {
  const simple = simpleType(query, plan)
  if (simple !== undefined) return simpleShape(simple, bodies)
  const [body, used, values]: [FieldType[], string[], string[]] = [[], [], []]
  for (const field of declaredTypes(asset, query, plan)) {
    const [name, type] = field
    const parameter = parameters[name]
    body.push(parameter === undefined ? field : [name, parameter])
    if (parameter === undefined) continue
    used.push(parameter)
    values.push(type)
  }
  return {
    // Make the fields again in the rare case that they are written, because keeping them takes 1 kB for each asset.
    type: () => recordType(query, declaredTypes(asset, query, plan), fullMetadata),
    body: sharedBody(recordType(query, body, fullMetadata), used, bodies),
    values,
  }
}

export function simpleShape(type: string, bodies: TypeBodies): TypeShape {
  return { type: () => type, body: sharedBody(type, [], bodies), values: [] }
}

/** Returns the body with this text, which determines its parameters. */
export function sharedBody(text: string, used: readonly string[], bodies: TypeBodies): TypeBody {
  const body = bodies.get(text) ?? { text, parameters: used }
  bodies.set(text, body)
  return body
}

const fullMetadata = "import('unplugin-content-space/asset').FullMetadata"

/** Returns the type of a string or a component; undefined for an import with fields. */
function simpleType({ as }: Query, plan: AssetPlan, address = 'string'): string | undefined {
  if (as === 'url') return plan.src === undefined ? 'undefined' : address
  const framework = frameworkOf(as)
  if (framework !== undefined)
    return `import('unplugin-content-space/${framework}').${plan.value ? 'SvgComponent' : 'ImageComponent'}`
  if (as === 'raw' || as === 'inline') return plan.value === undefined ? 'undefined' : 'string'
  return undefined
}

/** Returns a type of an imported asset that is the same for all files of a query. */
export function generalType(asset: AssetRecord, query: Query, plan: AssetPlan): string {
  const { as, full } = query
  if (isData(asset)) return assetType(asset, query, plan)
  const name = as === 'picture' ? 'Picture' : as === 'metadata' ? 'AssetMetadata' : full ? 'FullAsset' : 'Asset'
  return simpleType(query, plan) ?? `import('unplugin-content-space/asset').${name}`
}

type FieldType = readonly [name: FieldName, type: string]

function recordType({ as, full }: Query, fields: readonly FieldType[], fullType: string): string {
  const type = objectType(fields)
  return full && as !== 'picture' ? `${type} & ${fullType}` : type
}

function declaredTypes(asset: AssetRecord, { as }: Query, plan: AssetPlan, address = 'string'): FieldType[] {
  const data = isData(asset)
  const { width, height } = as === 'metadata' ? asset : plan
  /** Undefined if the asset doesn't have the field. */
  const types: Record<FieldName, string | undefined> = {
    uuid: stringType(asset.uuid),
    name: stringType(asset.name),
    type: stringType(asset.type),
    format: plan.format === undefined ? 'undefined' : stringType(plan.format),
    src: plan.src && address,
    width: width?.toString(),
    height: height?.toString(),
    srcset: plan.srcset && 'string',
    sources: sourcesType(plan),
    placeholder: plan.placeholder && 'string',
    dark: plan.dark && darkType(plan.dark, address),
    fields: asset.fields && objectType(Object.entries(asset.fields).map(([key, value]) => [key, exactType(value)])),
    notes: 'string',
    keywords: 'string[]',
    colors: data ? structuralType(sortedColors(asset)) : 'unknown[]',
    // Only data has this field.
    meta: data ? structuralType(sortedMeta(asset)) : undefined,
  }
  const fields: FieldType[] = []
  for (const name of declaredFieldsOf(asset, as)) {
    const type = types[name]
    if (type !== undefined) fields.push([name, type])
  }
  return fields
}

function darkType(plan: AssetPlan, address: string): string {
  const fields = {
    src: plan.src && address,
    width: plan.width?.toString(),
    height: plan.height?.toString(),
    srcset: plan.srcset && 'string',
    sources: sourcesType(plan),
  }
  return objectType(Object.entries(omitUndefined(fields)))
}

function sourcesType({ sources }: AssetPlan): string | undefined {
  const types = sources?.map(({ type }) => objectType(Object.entries({ type: stringType(type), srcset: 'string' })))
  return types && `[${types.join(', ')}]`
}

/** The limits beyond which data is typed as unknown, because its declaration would be too long to read. */
const limits = { depth: 8, length: 2000 }

/**
 * Returns the type of data by its structure: `{ hex: string }`. The type doesn't contain literals, so a change to a
 * draft doesn't change the declarations.
 */
export function structuralType(value: unknown): string {
  const type = typeAt(value, 0)
  return type.length > limits.length ? 'unknown' : type
}

function typeAt(value: unknown, depth: number): string {
  if (value === null) return 'null'
  if (typeof value !== 'object') return value === undefined ? 'unknown' : typeof value
  if (depth === limits.depth) return 'unknown'
  if (Array.isArray(value)) return arrayType([...new Set(value.map((element) => typeAt(element, depth + 1)))])
  return objectType(Object.entries(value).map(([key, property]) => [key, typeAt(property, depth + 1)]))
}

function arrayType(types: readonly string[]): string {
  if (types.length === 0) return 'unknown[]'
  return types.length === 1 ? `${types[0]}[]` : `(${types.join(' | ')})[]`
}
