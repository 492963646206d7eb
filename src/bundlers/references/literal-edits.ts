import { parseSync } from 'oxc-parser'
import { childrenOf, type Node } from '../../source/syntax.js'
import type { SplitText } from './mark-text.js'

/** The grammar of a chunk. Formats other than `es` may contain code that isn't allowed in modules. */
export type Goal = 'module' | 'script'

/** Code that replaces a literal or a part of a template. */
export interface Edit {
  start: number
  end: number
  code: string
}

/**
 * Replaces parts of a chunk's string and template literals with expressions.
 * @param split finds the parts in the text of a literal
 * @param resolve called for all targets at once; the functions it returns are called in the order of the chunk
 */
export async function literalEdits<Target>(
  code: string,
  goal: Goal,
  split: (text: string) => SplitText<Target>,
  resolve: (target: Target) => Promise<() => string>,
): Promise<Edit[]> {
  const literals = findLiterals(code, goal, split)
  const resolved = await Promise.all(literals.map(({ targets }) => Promise.all(targets.map(resolve))))
  return literals.map(({ start, end, texts, template }, at) => {
    const expressions = (resolved[at] ?? []).map((make) => make())
    return { start, end, code: template ? joinTemplate(texts, expressions) : joinString(texts, expressions) }
  })
}

function findLiterals<Target>(code: string, sourceType: Goal, splitText: (text: string) => SplitText<Target>) {
  const found: (SplitText<Target> & { start: number; end: number; template: boolean })[] = []
  const add = (text: string, { start, end }: { start: number; end: number }, template: boolean) => {
    const split = splitText(text)
    if (split.targets.length > 0) found.push({ start, end, ...split, template })
  }
  // Don't use the parser's `Visitor`, because Node 20 can't load it from the archives of Yarn Plug'n'Play.
  const nodes: Node[] = [parseSync('chunk.js', code, { sourceType, lang: 'js' }).program]
  for (const node of nodes) {
    if (node.type === 'Literal' && typeof node.value === 'string') add(node.value, node, false)
    if (node.type === 'TemplateElement') add(node.value.raw, node, true)
    for (const child of childrenOf(node)) nodes.push(child)
  }
  return found.toSorted((a, b) => a.start - b.start)
}

function joinString(texts: string[], expressions: string[]): string {
  const terms = texts.flatMap((text, at) => [text === '' ? '' : JSON.stringify(text), expressions[at] ?? ''])
  const written = terms.filter((term) => term !== '')
  return written.length === 1 ? written.join() : `(${written.join(' + ')})`
}

function joinTemplate(texts: string[], expressions: string[]): string {
  return texts.map((text, at) => text + (at < expressions.length ? `\${${expressions[at]}}` : '')).join('')
}
