import { ContentSpaceError } from '../../errors.js'

/** The maximum nesting of objects and lists. Records of the interface have 9 levels. */
export const maxLevels = 100

/**
 * Sorts the keys of every object, because their order is meaningless and differs between services.
 * @throws ContentSpaceError `invalidResponse` for more than `maxLevels` levels
 */
export function sortKeys(value: unknown): unknown {
  const data = sortedCopy(value)
  return typeof data === 'object' && data !== null ? compact(data) : data
}

/** @throws ContentSpaceError `invalidResponse` for more than `maxLevels` levels */
export function requireLevels(value: unknown, level = 1): void {
  if (typeof value !== 'object' || value === null) return
  requireLevel(level)
  for (const property of Object.values(value)) requireLevels(property, level + 1)
}

function requireLevel(level: number): void {
  if (level > maxLevels) throw new ContentSpaceError('invalidResponse', `A record has more than ${maxLevels} levels.`)
}

/**
 * Copies data to save memory: an object that was built key by key takes up to ten times the memory of one that
 * JSON.parse creates.
 */
export function compact<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value))
}

/** Sorts the keys like `sortKeys`, but for data that isn't kept. Throws the same errors. */
export function sortedCopy(value: unknown, level = 1): unknown {
  if (typeof value !== 'object' || value === null) return value
  requireLevel(level)
  if (Array.isArray(value)) return value.map((entry: unknown) => sortedCopy(entry, level + 1))
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, property]) => [key, sortedCopy(property, level + 1)]))
}
