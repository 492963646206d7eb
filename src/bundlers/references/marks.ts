import type { MagicString } from 'magic-string'
import { ContentSpaceError } from '../../errors.js'
import type { FileDescriptor } from '../../files/plan.js'
import type { Expression, References } from '../../modules/references.js'
import type { MarkTarget } from './descriptors.js'
import { hmacSha256, randomKey } from './digest.js'
import type { Goal } from './literal-edits.js'
import { mayHaveMarks, splitAtMarks, writeMark, type FindTarget } from './mark-text.js'
import type { Resolve } from './replace-marks.js'

/** Strings in generated code that are replaced after tree-shaking, when it is known which of them are used. */
export interface Marks {
  /** The references for bundlers that let plugins change finished chunks. */
  references: References
  /**
   * Replaces the marks of a chunk.
   *
   * The chunk is parsed, because bundlers fold constants: a mark may be within a longer string, in any quotes.
   *
   * @param resolve called for all targets at once. The functions that it returns are called in the order of the chunk,
   *   so that emitted files do not depend on which download ends first.
   * @returns undefined for a chunk without marks
   * @throws SyntaxError for a chunk that cannot be parsed
   */
  replace(code: string, goal: Goal, resolve: Resolve): Promise<MagicString | undefined>
}

/**
 * Makes marks that only this object can replace. Each is a digest under a random key, and is looked up in the table of
 * the targets that have a mark. A text that looks like a mark is not in the table, and stays unchanged.
 */
export function openMarks(): Marks {
  const key = randomKey()
  const table: Table = new Map()
  return {
    references: markReferences(table, key),
    replace: replaceWith((id) => table.get(id)?.target),
  }
}

export type LastingMarks = ReturnType<typeof openLastingMarks>

/**
 * Makes marks for a bundler whose cache on disk can contain modules that it does not load again. They are the same in
 * every build and on every machine, because the bundler names scripts by their content before marks are replaced. The
 * table of targets belongs in the bundler's cache, so that both are kept or removed together.
 *
 * `replace` throws ContentSpaceError `integrity` for a mark that is not in the table: it comes from a cache, and its
 * file is unknown. Content cannot contain a mark, see `contentLiteral`.
 */
export function openLastingMarks() {
  const key = 'content-space'
  const table: Table = new Map()
  const findTarget: FindTarget = (id) => (table.get(id) ?? rejectUnknownMark()).target
  return {
    references: markReferences(table, key),
    replace: replaceWith(findTarget),
    /** Returns the mark of a file, for a text that is not a script. */
    ofFile: (file: FileDescriptor): string => markFor({ file }, table, key),
    /**
     * Replaces the marks of a text that is not a script, such as a style sheet.
     * @param prefix stands in front of each mark, and is replaced with it
     * @param resolve returns the text that replaces a mark
     */
    async replaceInText(text: string, prefix: string, resolve: (target: MarkTarget) => Promise<string>) {
      const { texts, targets } = splitAtMarks(text, findTarget)
      const replacements = await Promise.all(targets.map(resolve))
      return texts
        .map((part, at) => (at < targets.length && part.endsWith(prefix) ? part.slice(0, -prefix.length) : part))
        .map((part, at) => part + (replacements[at] ?? ''))
        .join('')
    },
    /** Returns every target that has a mark, including restored targets, for the bundler's cache. */
    save: (): string => JSON.stringify([...table.values()].map(({ json }) => json)),
    /** Adds the targets that an earlier build saved. Skips entries that are damaged or that `planAsset` cannot make. */
    async restore(saved: string): Promise<void> {
      for (const entry of await readTable(saved)) table.set(hmacSha256(key, entry.json), entry)
    },
  }
}

/** A target, and the JSON from which the id of its mark is made. */
interface Mark {
  target: MarkTarget
  json: string
}

/** Entries by the id in the mark. */
type Table = Map<string, Mark>

function markReferences(table: Table, key: string | Uint8Array): References {
  const expression = (target: MarkTarget): Expression => ({ code: `"${markFor(target, table, key)}"` })
  return {
    address: (file) => expression({ file }),
    value: (value) => Promise.resolve(expression({ value })),
    layout: 'barrel',
  }
}

/** Returns the mark of a target, and adds it to the table. */
function markFor(target: MarkTarget, table: Table, key: string | Uint8Array): string {
  const json = JSON.stringify(target)
  const id = hmacSha256(key, json)
  table.set(id, { target, json })
  return writeMark(id)
}

/** Loads the lexer with the first chunk that needs it. */
function replaceWith(findTarget: FindTarget): Marks['replace'] {
  return async (code, goal, resolve) => {
    if (!mayHaveMarks(code)) return undefined
    const { replaceMarks } = await import('./replace-marks.js')
    return replaceMarks(code, goal, findTarget, resolve)
  }
}

async function readTable(saved: string): Promise<Mark[]> {
  const { readMarkTarget } = await import('../session/content.js')
  return readStrings(saved).flatMap((json) => {
    try {
      return [{ target: readMarkTarget(json), json }]
    } catch {
      // `replace` rejects a chunk that contains its mark.
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

function rejectUnknownMark(): never {
  throw new ContentSpaceError('integrity', 'A cached script refers to an unknown content file.', {
    hint: 'Remove the cache of the bundler, and build again.',
  })
}
