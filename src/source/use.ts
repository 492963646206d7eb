import * as v from 'valibot'
import type { Place } from './misplaced.js'
import type { TokenMember } from './token-members.js'

/** A place in the source with the specifier of a `content-space:` module. */
export interface Use {
  /** As written, including the query. */
  specifier: string
  /** Relative to the root, with forward slashes. */
  file: string
  /** From 1. */
  line: number
  /** Whether the place takes the address of a file, like `url()` and `src`. */
  isAddress?: true
  /** The export names that it reaches at run time. Empty for type imports. Absent if it may reach all exports. */
  names?: string[]
  /** The export names that it refers to only as types, if any. */
  types?: string[]
  /**
   * Set if the id remains text here because nothing resolves it. `scanSources` leaves such uses out, and
   * `findMisplaced` returns them.
   */
  misplaced?: Place
  /** The tokens that the file refers to by name, if this is an import of tokens. */
  tokens?: (Pick<TokenMember, 'kind' | 'name'> & Pick<Use, 'line'>)[]
}

const text = v.string()
const line = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const token = v.object({ kind: v.picklist(['colors', 'fonts']), name: text, line })

const use = v.object({
  specifier: v.pipe(text, v.startsWith('content-space:')),
  file: text,
  line,
  isAddress: v.exactOptional(v.literal(true)),
  names: v.exactOptional(v.array(text)),
  types: v.exactOptional(v.array(text)),
  tokens: v.exactOptional(v.array(token)),
  misplaced: v.exactOptional(
    v.object({
      language: v.picklist(['astro', 'jsx', 'script', 'svelte', 'vue']),
      attribute: v.exactOptional(text),
    }),
  ),
})

/** The uses in a file. Inputs: the file and its text. @internal */
export const usesKind = { name: 'uses', schema: v.array(use) }
