import { objectType } from './object-type.js'

/** Larger data is typed as unknown: its declaration would be too long to read. */
const limits = { depth: 8, length: 2000 }

/**
 * Returns the type of data by its structure: `{ hex: string }`. It has no literals, so that a change of a draft does
 * not change the declarations.
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
