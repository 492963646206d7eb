import type { TokenTarget } from './descriptors.js'
import type { SplitText } from './literal-edits.js'

const START = '__CONTENT_SPACE_'
const TOKENS = /__CONTENT_SPACE_([\da-f]{64})__END/g

/** @param id 64 hexadecimal digits */
export function writeToken(id: string): string {
  return `${START}${id}__END`
}

/** Whether code may contain tokens: a fast check before the code is parsed. */
export function mayHaveTokens(code: string): boolean {
  return code.includes(START)
}

/** Returns undefined for an id that this build did not make. */
export type FindTarget = (id: string) => TokenTarget | undefined

/** Splits a text at its tokens. A token without a target stays part of the text. */
export function splitAtTokens(text: string, findTarget: FindTarget): SplitText<TokenTarget> {
  const split: SplitText<TokenTarget> = { targets: [], texts: [] }
  let end = 0
  for (const { 0: token, 1: id = '', index } of text.matchAll(TOKENS)) {
    const target = findTarget(id)
    if (target === undefined) continue
    split.targets.push(target)
    split.texts.push(text.slice(end, index))
    end = index + token.length
  }
  split.texts.push(text.slice(end))
  return split
}
