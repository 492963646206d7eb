import { ContentSpaceError } from '../../errors.js'

/** Levels of objects and lists. The interface has 9. */
export const maxLevels = 100

/**
 * The same data with the keys of every object sorted: their order says nothing, and differs from service to service.
 * @param value of JSON
 * @throws ContentSpaceError `invalidResponse` for more than `maxLevels` levels
 */
export function sortKeys(value: unknown): unknown {
  const data = sorted(value, 1)
  return typeof data === 'object' && data !== null ? compact(data) : data
}

/**
 * The same data in less memory: objects that are put together key by key take up to ten times that of what JSON.parse
 * makes.
 */
export function compact<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value))
}

function sorted(value: unknown, level: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (level > maxLevels)
    throw new ContentSpaceError('invalidResponse', `A record is nested more than ${maxLevels} levels deep.`)
  if (Array.isArray(value)) return value.map((entry: unknown) => sorted(entry, level + 1))
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, property]) => [key, sorted(property, level + 1)]))
}
