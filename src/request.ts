import type { Query } from './query.js'

/** `use` is the kit's `use_version`; 0 is the draft. */
export type VersionSelector = number | 'use'

/** A kit as an id names it: a canonical uuid, or an alias of the options, or a slug. */
export interface KitReference {
  kit: string
  version: VersionSelector
}

/** An id and its query, parsed once. Nothing behind the parser looks at the string again. */
export type Request =
  | { kind: 'kits' }
  | { kind: 'outline'; kit: KitReference }
  /** `pick` is what narrowing leaves: export names, sorted; `default` is one of them. */
  | { kind: 'kit'; kit: KitReference; query: Query; pick?: string[] }
  | { kind: 'section'; kit: KitReference; section: string; heading?: string; query: Query; pick?: string[] }
  /** A section by uuid alone; the response names its kit. */
  | { kind: 'section'; kit?: undefined; version: VersionSelector; section: string; query: Query; pick?: string[] }
  | { kind: 'asset'; kit: KitReference; asset: string; query: Query }
  /** An asset by uuid alone, of a kit that is configured or locked. */
  | { kind: 'asset'; kit?: undefined; asset: string; query: Query }

/** A resolved id, opaque and safe in every bundler. */
export declare function requestToId(request: Request): string
export declare function idToRequest(id: string): Request
