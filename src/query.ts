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
