import { MagicString } from 'magic-string'
import { parseSync, Visitor } from 'oxc-parser'
import type { FileDescriptor, ValueDescriptor } from '../files/plan.js'
import type { References } from '../modules/references.js'

/** What a token stands for: the address of a file, or a string made of its bytes. */
export type Slot = { file: FileDescriptor } | { value: ValueDescriptor }

// Descriptors travel inside the token: a bundler with a cache on disk loads no module again.
const TOKEN = /__CONTENT_SPACE_([\w-]+)__END/

function token(slot: Slot): { code: string } {
  return { code: `"__CONTENT_SPACE_${Buffer.from(JSON.stringify(slot)).toString('base64url')}__END"` }
}

function slotOf(payload: string): Slot {
  const slot: Slot = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return slot
}

/** References of bundlers that let us change chunks after tree-shaking: strings that describe what takes their place. */
export const tokenReferences: References = {
  address: (file) => token({ file }),
  value: (value) => Promise.resolve(token({ value })),
  layout: 'barrel',
}

/**
 * Replaces the tokens of a chunk.
 *
 * The chunk is parsed, for bundlers fold constants: a token may stand inside a longer string, in any quotes.
 *
 * @param goal of the chunk; formats other than `es` may hold what modules forbid
 * @param fill fetches what a slot needs; what it returns makes the JavaScript that takes the slot's place, and is called
 * in the order of the chunk, so that nothing it emits depends on which download ends first
 * @returns undefined when there is no token
 */
export async function fillTokens(
  code: string,
  goal: 'module' | 'script',
  fill: (slot: Slot) => Promise<() => string>,
): Promise<MagicString | undefined> {
  if (!TOKEN.test(code)) return undefined
  const text = new MagicString(code)
  const literals = findLiterals(code, goal)
  const fillers = await Promise.all(literals.map(({ slots }) => Promise.all(slots.map(fill))))
  for (const [at, { start, end, texts, template }] of literals.entries()) {
    const expressions = (fillers[at] ?? []).map((make) => make())
    text.update(start, end, template ? fillTemplate(texts, expressions) : fillString(texts, expressions))
  }
  if (TOKEN.test(text.toString())) throw new SyntaxError('A chunk that uses content-space: modules could not be parsed')
  return text
}

interface LiteralWithTokens {
  start: number
  end: number
  slots: Slot[]
  /** What stands around the slots: one more than there are slots. */
  texts: string[]
  template: boolean
}

function findLiterals(code: string, sourceType: 'module' | 'script'): LiteralWithTokens[] {
  const found: LiteralWithTokens[] = []
  const add = (text: string, { start, end }: { start: number; end: number }, template: boolean) => {
    const parts = text.split(TOKEN)
    if (parts.length === 1) return
    const slots = parts.filter((_, at) => at % 2 === 1).map(slotOf)
    found.push({ start, end, slots, texts: parts.filter((_, at) => at % 2 === 0), template })
  }
  new Visitor({
    Literal: (node) => typeof node.value === 'string' && add(node.value, node, false),
    TemplateElement: (node) => add(node.value.raw, node, true),
  }).visit(parseSync('chunk.js', code, { sourceType, lang: 'js' }).program)
  return found
}

function fillString(texts: string[], expressions: string[]): string {
  const terms = texts.flatMap((text, at) => [text === '' ? '' : JSON.stringify(text), expressions[at] ?? ''])
  const written = terms.filter((term) => term !== '')
  return written.length === 1 ? written.join() : `(${written.join(' + ')})`
}

function fillTemplate(texts: string[], expressions: string[]): string {
  return texts.map((text, at) => text + (at < expressions.length ? `\${${expressions[at]}}` : '')).join('')
}
