import { MagicString } from 'magic-string'
import { parseSync, Visitor } from 'oxc-parser'
import type { TokenTarget } from './descriptors.js'
import { splitAtTokens, type FindTarget, type SplitText } from './token-text.js'

/** Loads the data of a target. Returns a function that makes the JavaScript expression that replaces the token. */
export type Resolve = (target: TokenTarget) => Promise<() => string>

/** The grammar of a chunk. Formats other than `es` may contain code that modules forbid. */
export type Goal = 'module' | 'script'

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
  const literals = findLiterals(code, goal, findTarget)
  const resolved = await Promise.all(literals.map(({ targets }) => Promise.all(targets.map(resolve))))
  for (const [at, { start, end, texts, template }] of literals.entries()) {
    const expressions = (resolved[at] ?? []).map((make) => make())
    text.update(start, end, template ? joinTemplate(texts, expressions) : joinString(texts, expressions))
  }
  if (splitAtTokens(text.toString(), findTarget).targets.length > 0) {
    throw new SyntaxError('A chunk that uses content-space: modules cannot be parsed.')
  }
  return text
}

interface LiteralWithTokens extends SplitText {
  start: number
  end: number
  template: boolean
}

function findLiterals(code: string, sourceType: Goal, findTarget: FindTarget): LiteralWithTokens[] {
  const found: LiteralWithTokens[] = []
  const add = (text: string, { start, end }: { start: number; end: number }, template: boolean) => {
    const split = splitAtTokens(text, findTarget)
    if (split.targets.length > 0) found.push({ start, end, ...split, template })
  }
  new Visitor({
    Literal: (node) => typeof node.value === 'string' && add(node.value, node, false),
    TemplateElement: (node) => add(node.value.raw, node, true),
  }).visit(parseSync('chunk.js', code, { sourceType, lang: 'js' }).program)
  return found
}

function joinString(texts: string[], expressions: string[]): string {
  const terms = texts.flatMap((text, at) => [text === '' ? '' : JSON.stringify(text), expressions[at] ?? ''])
  const written = terms.filter((term) => term !== '')
  return written.length === 1 ? written.join() : `(${written.join(' + ')})`
}

function joinTemplate(texts: string[], expressions: string[]): string {
  return texts.map((text, at) => text + (at < expressions.length ? `\${${expressions[at]}}` : '')).join('')
}
