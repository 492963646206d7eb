import { ContentSpaceError } from './errors.js'
import { suggestion } from './nearest.js'
import { canonicalType } from './space/asset-type.js'

/** What an import makes of an asset. `as=…` in a query. */
export const results = ['asset', 'url', 'raw', 'inline', 'picture', 'metadata'] as const
export type Result = (typeof results)[number]

/** A query, parsed once. Presets are already merged in; every list is in the order written. */
export interface Query {
  as: Result
  /** `metadata=full`: the whole record. */
  full: boolean
  /** `cut=png` or `cut=png;original`. */
  cut?: { type: string; orOriginal: boolean }
}

/** What each key does to a query. A key without a value is a shorthand where `bare` is set. */
const keys = {
  as: {
    values: results,
    read: (query, [value]) => ({ ...query, as: results.find((result) => result === value) ?? query.as }),
  },
  metadata: { values: ['full'], read: (query) => ({ ...query, full: true }) },
  cut: {
    read(query, [type = '', ...rest]) {
      return { ...query, cut: { type: canonicalType(type), orOriginal: rest.includes('original') } }
    },
  },
  url: { bare: true, read: (query) => ({ ...query, as: 'url' }) },
  raw: { bare: true, read: (query) => ({ ...query, as: 'raw' }) },
  inline: { bare: true, read: (query) => ({ ...query, as: 'inline' }) },
} as const satisfies Record<string, Key>

interface Key {
  bare?: boolean
  /** Absent: any. */
  values?: readonly string[]
  read(query: Query, values: string[]): Query
}

/**
 * @param text what stands behind the `?` of an id; `;` separates values
 * @throws ContentSpaceError `invalidQuery`, naming the nearest right key or value
 */
export function parseQuery(text: string, full = false): Query {
  let query: Query = { as: 'asset', full }
  for (const [key, value] of new URLSearchParams(text)) {
    const known = Object.entries<Key>(keys).find(([name]) => name === key)?.[1]
    if (!known) throw invalid(`There is no query ${key}.`, key, Object.keys(keys))
    const values = known.bare ? [] : value.split(';')
    if (known.bare ? value !== '' : values.includes('')) throw invalid(`Query ${key} ${known.bare ? 'takes no' : 'needs a'} value.`)
    const wrong = known.values && values.find((item) => !known.values?.includes(item))
    if (wrong !== undefined) throw invalid(`Query ${key} cannot be ${wrong}.`, wrong, known.values)
    query = known.read(query, values)
  }
  return query
}

function invalid(message: string, name?: string, candidates: readonly string[] = []): ContentSpaceError {
  return new ContentSpaceError('invalidQuery', message, name === undefined ? {} : { hint: suggestion(name, candidates) })
}
