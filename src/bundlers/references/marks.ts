import type { MagicString } from 'magic-string'
import { ContentSpaceError } from '../../errors.js'
import type { FileDescriptor } from '../../files/plan.js'
import type { References } from '../../modules/references.js'
import type { MarkTarget } from './descriptors.js'
import { hmacSha256, randomKey } from './digest.js'
import type { Goal } from './literal-edits.js'
import { mayHaveMarks, splitAtMarks, writeMark, type FindTarget } from './mark-text.js'
import type { Resolve } from './replace-marks.js'

/** Placeholder strings in generated code. We replace them after tree-shaking, when we know which of them are used. */
export type Marks = Pick<ReturnType<typeof createMarks>, 'references' | 'replace' | 'replaceInText'>

/**
 * Makes marks that only this object can replace. Each mark is a digest under a random key and is looked up in a table
 * of targets. A string that only looks like a mark isn't in the table and remains unchanged.
 */
export function openMarks(): Marks {
  return createMarks(randomKey(), () => undefined)
}

export type LastingMarks = ReturnType<typeof openLastingMarks>

/**
 * Makes marks for a bundler that may take modules from a cache on disk without loading them again. The marks are the
 * same in every build and on every machine, because the bundler names scripts by their content before marks are
 * replaced. Save the table of targets in the bundler's cache, so that the table and the modules are kept or removed
 * together.
 *
 * `replace` throws ContentSpaceError `integrity` for a mark that isn't in the table, because the mark comes from a
 * cache and its file is unknown. Content can't contain a mark; see `contentLiteral`.
 */
export function openLastingMarks() {
  const { table, markOf, addTarget, ...marks } = createMarks('content-space', rejectUnknownMark)
  return {
    ...marks,
    /** Returns the mark of a file for use outside scripts. */
    ofFile: (file: FileDescriptor): string => markOf({ file }),
    /** Returns every target that has a mark, including restored ones, for the bundler's cache. */
    save: (): string => JSON.stringify([...table.values()].map(({ json }) => json)),
    /** Adds the targets that an earlier build saved. Skips entries that are damaged or that `planAsset` can't make. */
    async restore(saved: string): Promise<void> {
      const [{ readMarkTarget }, { jsonOf }] = await Promise.all([
        import('../session/content.js'),
        import('../../text/json.js'),
      ])
      const list = jsonOf(saved)
      for (const json of Array.isArray(list) ? list : []) {
        try {
          addTarget(readMarkTarget(json), json)
        } catch {
          // `replace` will reject a chunk that contains this mark.
        }
      }
    },
  }
}

/** @param unknownTarget called for a mark that isn't in the table */
function createMarks(key: string | Uint8Array, unknownTarget: () => undefined) {
  /** The targets by the id of their mark, each with the JSON from which the id is made. */
  const table = new Map<string, { target: MarkTarget; json: string }>()
  const findTarget: FindTarget = (id) => table.get(id)?.target ?? unknownTarget()

  function addTarget(target: MarkTarget, json = JSON.stringify(target)): string {
    const id = hmacSha256(key, json)
    table.set(id, { target, json })
    return id
  }

  const markOf = (target: MarkTarget): string => writeMark(addTarget(target))
  const references: References = {
    address: (file) => ({ code: `"${markOf({ file })}"` }),
    value: (value) => Promise.resolve({ code: `"${markOf({ value })}"` }),
    layout: 'barrel',
  }

  /**
   * Replaces the marks in a chunk. Parses the chunk, because bundlers fold constants, so a mark may be within a longer
   * string with any type of quotes.
   * @param resolve called for all targets at once. The functions it returns are called in the order of the chunk, so
   *   that the order of emitted files doesn't depend on the order in which downloads end.
   * @returns undefined if the chunk doesn't contain marks
   * @throws SyntaxError if the chunk can't be parsed
   */
  async function replace(code: string, goal: Goal, resolve: Resolve): Promise<MagicString | undefined> {
    if (!mayHaveMarks(code)) return undefined
    // Load the lexer with the first chunk that needs it.
    const { replaceMarks } = await import('./replace-marks.js')
    return replaceMarks(code, goal, findTarget, resolve)
  }

  /**
   * Replaces the marks in a file that isn't a script, such as a style sheet.
   * @param prefix precedes each mark and is replaced with it
   * @param resolve returns the text that replaces a mark
   */
  async function replaceInText(text: string, prefix: string, resolve: (target: MarkTarget) => Promise<string>) {
    const { texts, targets } = splitAtMarks(text, findTarget)
    const replacements = await Promise.all(targets.map(resolve))
    return texts
      .map((part, at) =>
        at < targets.length && part.endsWith(prefix) ? part.slice(0, part.length - prefix.length) : part,
      )
      .map((part, at) => part + (replacements[at] ?? ''))
      .join('')
  }

  return { table, addTarget, markOf, references, replace, replaceInText }
}

function rejectUnknownMark(): never {
  throw new ContentSpaceError('integrity', 'A cached script refers to an unknown content file.', {
    hint: 'Remove the cache of the bundler, and build again.',
  })
}
