import { MagicString } from 'magic-string'
import type { MarkTarget } from './descriptors.js'
import { literalEdits, type Goal } from './literal-edits.js'
import { splitAtMarks, type FindTarget } from './mark-text.js'

/** Loads the data of a target. Returns a function that makes the JavaScript expression that replaces the mark. */
export type Resolve = (target: MarkTarget) => Promise<() => string>

/**
 * Replaces the marks in the string and template literals of a chunk. `Marks.replace` describes the parameters.
 * @returns undefined for a chunk without marks
 * @throws SyntaxError for a chunk that cannot be parsed
 */
export async function replaceMarks(
  code: string,
  goal: Goal,
  findTarget: FindTarget,
  resolve: Resolve,
): Promise<MagicString | undefined> {
  if (splitAtMarks(code, findTarget).targets.length === 0) return undefined
  const text = new MagicString(code)
  const edits = await literalEdits(code, goal, (literal) => splitAtMarks(literal, findTarget), resolve)
  for (const { start, end, code: expression } of edits) text.update(start, end, expression)
  if (splitAtMarks(text.toString(), findTarget).targets.length > 0) {
    throw new SyntaxError('A chunk that uses content-space: modules cannot be parsed.')
  }
  return text
}
