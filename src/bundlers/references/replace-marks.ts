import { init, parse } from 'es-module-lexer/minimal'
import { MagicString } from 'magic-string'
import type { MarkTarget } from './descriptors.js'
import type { Edit, Goal } from './literal-edits.js'
import { QUOTED, splitAtMarks, type FindTarget } from './mark-text.js'

/** Loads the data of a target. Returns a function that makes the JavaScript expression that replaces the mark. */
export type Resolve = (target: MarkTarget) => Promise<() => string>

/**
 * Replaces the marks in a chunk's string and template literals. See `Marks.replace` for the parameters.
 * @returns undefined if the chunk doesn't contain marks
 * @throws SyntaxError if the chunk can't be parsed
 */
export async function replaceMarks(
  code: string,
  goal: Goal,
  findTarget: FindTarget,
  resolve: Resolve,
): Promise<MagicString | undefined> {
  const { targets } = splitAtMarks(code, findTarget)
  if (targets.length === 0) return undefined
  const text = new MagicString(code)
  for (const { start, end, code: expression } of await findEdits()) {
    // Minifiers omit the space between a keyword and a string: `return"a"in b`.
    const [before, after] = [code[start - 1], code[end]].map((next = '') => (/[a-z]/.test(next) ? ' ' : ''))
    text.update(start, end, `${before}${expression}${after}`)
  }
  if (splitAtMarks(text.toString(), findTarget).targets.length > 0) {
    throw new SyntaxError('A chunk that uses content-space: modules cannot be parsed.')
  }
  return text

  async function findEdits(): Promise<Edit[]> {
    const literals = await wholeLiterals(code, findTarget)
    if (literals.length === targets.length) {
      const made = await Promise.all(literals.map(async (one) => ({ ...one, make: await resolve(one.target) })))
      return made.map(({ start, end, make }) => ({ start, end, code: make() }))
    }
    const { literalEdits } = await import('./literal-edits.js')
    return literalEdits(code, goal, (literal) => splitAtMarks(literal, findTarget), resolve)
  }
}

/**
 * Finds the string literals that consist of just a mark, as most do. Uses a lexer, which takes a tenth of a parser's
 * time because it doesn't build a syntax tree. Because the lexer lists only imports, we turn each quoted mark into an
 * import of the same length. The lexer skips marks within other strings, templates, and comments.
 */
async function wholeLiterals(
  code: string,
  findTarget: FindTarget,
): Promise<{ start: number; end: number; target: MarkTarget }[]> {
  await init
  const quoted = new Map<number, MarkTarget>()
  const text = code.replaceAll(QUOTED, (mark: string, _quote: string, id: string, start: number) => {
    const target = findTarget(id)
    if (target === undefined) return mark
    quoted.set(start, target)
    return `import("${'-'.repeat(mark.length - 10)}")`
  })
  try {
    const [imports] = parse(text)
    return imports.flatMap(({ ss: start, se: end }) => {
      const target = quoted.get(start)
      return target ? [{ start, end, target }] : []
    })
  } catch {
    return []
  }
}
