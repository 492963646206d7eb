import type { MagicString } from 'magic-string'
import { ContentSpaceError } from '../../errors.js'
import type { FileDescriptor } from '../../files/plan.js'
import type { Expression, References } from '../../modules/references.js'
import type { TokenTarget } from './descriptors.js'
import { hmacSha256, randomKey } from './digest.js'
import type { Goal } from './literal-edits.js'
import type { Resolve } from './replace-tokens.js'
import { mayHaveTokens, splitAtTokens, writeToken, type FindTarget } from './token-text.js'

/** Strings in generated code that are replaced after tree-shaking, when it is known which of them are used. */
export interface Tokens {
  /** The references for bundlers that let plugins change finished chunks. */
  references: References
  /**
   * Replaces the tokens of a chunk.
   *
   * The chunk is parsed, because bundlers fold constants: a token may be within a longer string, in any quotes.
   *
   * @param resolve called for all targets at once. The functions that it returns are called in the order of the chunk,
   *   so that emitted files do not depend on which download ends first.
   * @returns undefined for a chunk without tokens
   * @throws SyntaxError for a chunk that cannot be parsed
   */
  replace(code: string, goal: Goal, resolve: Resolve): Promise<MagicString | undefined>
}

/**
 * Makes tokens that only this object can replace. Each is a digest under a random key, and is looked up in the table of
 * the targets that have a token. A text that looks like a token is not in the table, and stays unchanged.
 */
export function openTokens(): Tokens {
  const key = randomKey()
  const table: Table = new Map()
  return {
    references: tokenReferences(table, key),
    replace: replaceWith((id) => table.get(id)?.target),
  }
}

/** Tokens for a bundler whose cache on disk can contain modules that it does not load again. */
export interface LastingTokens extends Tokens {
  /** Returns every target that has a token, including restored targets, for the bundler's cache. */
  save(): string
  /** Returns the token of a file, for a text that is not a script. */
  ofFile(file: FileDescriptor): string
  /**
   * Replaces the tokens of a text that is not a script, such as a style sheet.
   * @param prefix stands in front of each token, and is replaced with it
   * @param resolve returns the text that replaces a token
   */
  replaceInText(text: string, prefix: string, resolve: (target: TokenTarget) => Promise<string>): Promise<string>
  /** Adds the targets that an earlier build saved. Skips entries that are damaged or that `planAsset` cannot make. */
  restore(saved: string): Promise<void>
}

/**
 * Makes tokens that are the same in every build and on every machine, because the bundler names scripts by their
 * content before tokens are replaced. The table of targets belongs in the bundler's cache, so that both are kept or
 * removed together.
 *
 * `replace` throws ContentSpaceError `integrity` for a token that is not in the table: it comes from a cache, and its
 * file is unknown. Content cannot contain a token, see `contentLiteral`.
 */
export function openLastingTokens(): LastingTokens {
  const key = 'content-space'
  const table: Table = new Map()
  const findTarget: FindTarget = (id) => (table.get(id) ?? rejectUnknownToken()).target
  return {
    references: tokenReferences(table, key),
    replace: replaceWith(findTarget),
    ofFile: (file) => tokenFor({ file }, table, key),
    async replaceInText(text, prefix, resolve) {
      const { texts, targets } = splitAtTokens(text, findTarget)
      const replacements = await Promise.all(targets.map(resolve))
      return texts
        .map((part, at) => (at < targets.length && part.endsWith(prefix) ? part.slice(0, -prefix.length) : part))
        .map((part, at) => part + (replacements[at] ?? ''))
        .join('')
    },
    save: () => JSON.stringify([...table.values()].map(({ json }) => json)),
    async restore(saved) {
      for (const entry of await readTable(saved)) table.set(hmacSha256(key, entry.json), entry)
    },
  }
}

/** A target, and the JSON from which the id of its token is made. */
interface Entry {
  target: TokenTarget
  json: string
}

/** Entries by the id in the token. */
type Table = Map<string, Entry>

function tokenReferences(table: Table, key: string | Uint8Array): References {
  const expression = (target: TokenTarget): Expression => ({ code: `"${tokenFor(target, table, key)}"` })
  return {
    address: (file) => expression({ file }),
    value: (value) => Promise.resolve(expression({ value })),
    layout: 'barrel',
  }
}

/** Returns the token of a target, and adds it to the table. */
function tokenFor(target: TokenTarget, table: Table, key: string | Uint8Array): string {
  const json = JSON.stringify(target)
  const id = hmacSha256(key, json)
  table.set(id, { target, json })
  return writeToken(id)
}

/** Loads the parser with the first chunk that needs it. */
function replaceWith(findTarget: FindTarget): Tokens['replace'] {
  return async (code, goal, resolve) => {
    if (!mayHaveTokens(code)) return undefined
    const { replaceTokens } = await import('./replace-tokens.js')
    return replaceTokens(code, goal, findTarget, resolve)
  }
}

async function readTable(saved: string): Promise<Entry[]> {
  const { readTokenTarget } = await import('../session/content.js')
  return readStrings(saved).flatMap((json) => {
    try {
      return [{ target: readTokenTarget(json), json }]
    } catch {
      // `replace` rejects a chunk that contains its token.
      return []
    }
  })
}

function readStrings(saved: string): string[] {
  try {
    const list: unknown = JSON.parse(saved)
    return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : []
  } catch {
    return []
  }
}

function rejectUnknownToken(): never {
  throw new ContentSpaceError('integrity', 'A cached script refers to an unknown content file.', {
    hint: 'Remove the cache of the bundler, and build again.',
  })
}
