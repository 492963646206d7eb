import type { MagicString } from 'magic-string'
import { ContentSpaceError } from '../../errors.js'
import type { FileDescriptor } from '../../files/plan.js'
import type { References } from '../../modules/references.js'
import type { MarkTarget } from './descriptors.js'
import { hmacSha256, randomKey } from './digest.js'
import type { Goal } from './literal-edits.js'
import { mayHaveMarks, splitAtMarks, writeMark, type FindTarget } from './mark-text.js'
import type { Resolve } from './replace-marks.js'

/** Placeholder strings in generated code. They are replaced after tree-shaking, when we know which ones are used. */
export type Marks = Pick<ReturnType<typeof createMarks>, 'references' | 'replace' | 'replaceInText'>

/**
 * Makes marks that only this object can replace. Each mark is a digest under a random key, which is looked up in a
 * table of targets. A text that only looks like a mark isn't in the table, so it stays unchanged.
 */
export function openMarks(): Marks {
  return createMarks(randomKey(), () => undefined)
}

export type LastingMarks = ReturnType<typeof openLastingMarks>

/**
 * Makes marks for a bundler whose cache on disk can contain modules that it doesn't load again. The marks are the same
 * in every build and on every machine, because the bundler names scripts by their content before marks are replaced.
 * The table of targets belongs in the bundler's cache, so that both are kept or removed together.
 *
 * `replace` throws ContentSpaceError `integrity` for a mark that isn't in the table: it comes from a cache, and its
 * file is unknown. Content can't contain a mark, see `contentLiteral`.
 */
export function openLastingMarks() {
  const { table, markOf, addTarget, ...marks } = createMarks('content-space', rejectUnknownMark)
  return {
    ...marks,
    /** Returns the mark of a file, for a text that isn't a script. */
    ofFile: (file: FileDescriptor): string => markOf({ file }),
    /** Returns every target that has a mark, including restored targets, for the bundler's cache. */
    save: (): string => JSON.stringify([...table.values()].map(({ json }) => json)),
    /** Adds the targets that an earlier build saved. Skips entries that are damaged or that `planAsset` can't make. */
    async restore(saved: string): Promise<void> {
      const { jsonOf, readMarkTarget } = await import('../session/content.js')
      const list = jsonOf(saved)
      for (const json of Array.isArray(list) ? list : []) {
        try {
          addTarget(readMarkTarget(json), json)
        } catch {
          // `replace` rejects a chunk that contains its mark.
        }
      }
    },
  }
}

/** @param unknownTarget called for a mark that isn't in the table */
function createMarks(key: string | Uint8Array, unknownTarget: () => undefined) {
  /** The targets by the id of their mark, with the JSON that the id is made from. */
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
   * Replaces the marks of a chunk. The chunk is parsed, because bundlers fold constants, so a mark may be within a
   * longer string, in any quotes.
   * @param resolve called for all targets at once. The returned functions are called in the order of the chunk, so the
   *   order of emitted files doesn't depend on which download ends first.
   * @returns undefined for a chunk without marks
   * @throws SyntaxError for a chunk that can't be parsed
   */
  async function replace(code: string, goal: Goal, resolve: Resolve): Promise<MagicString | undefined> {
    if (!mayHaveMarks(code)) return undefined
    // Loads the lexer with the first chunk that needs it.
    const { replaceMarks } = await import('./replace-marks.js')
    return replaceMarks(code, goal, findTarget, resolve)
  }

  /**
   * Replaces the marks of a text that isn't a script, such as a style sheet.
   * @param prefix stands in front of each mark, and is replaced with it
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
