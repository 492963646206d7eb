import { MagicString } from 'magic-string'
import type { TokenTarget } from './descriptors.js'
import { literalEdits, type Goal } from './literal-edits.js'
import { splitAtTokens, type FindTarget } from './token-text.js'

/** Loads the data of a target. Returns a function that makes the JavaScript expression that replaces the token. */
export type Resolve = (target: TokenTarget) => Promise<() => string>

/**
 * Replaces the tokens in the string and template literals of a chunk. `Tokens.replace` describes the parameters.
 * @returns undefined for a chunk without tokens
 * @throws SyntaxError for a chunk that cannot be parsed
 */
export async function replaceTokens(
  code: string,
  goal: Goal,
  findTarget: FindTarget,
  resolve: Resolve,
): Promise<MagicString | undefined> {
  if (splitAtTokens(code, findTarget).targets.length === 0) return undefined
  const text = new MagicString(code)
  const edits = await literalEdits(code, goal, (literal) => splitAtTokens(literal, findTarget), resolve)
  for (const { start, end, code: expression } of edits) text.update(start, end, expression)
  if (splitAtTokens(text.toString(), findTarget).targets.length > 0) {
    throw new SyntaxError('A chunk that uses content-space: modules cannot be parsed.')
  }
  return text
}
