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
 * @param expression the JavaScript that takes the place of a slot
 * @returns undefined when there is no token
 */
export async function fillTokens(
  code: string,
  goal: 'module' | 'script',
  expression: (slot: Slot) => Promise<string>,
): Promise<MagicString | undefined> {
  if (!TOKEN.test(code)) return undefined
  const text = new MagicString(code)
  const literals = findLiterals(code, goal)
  await Promise.all(
    literals.map(async ({ start, end, parts, template }) => {
      const filled = await Promise.all(parts.map(async (part, at) => (at % 2 === 0 ? part : expression(slotOf(part)))))
      text.update(start, end, template ? fillTemplate(filled) : fillString(filled))
    }),
  )
  if (TOKEN.test(text.toString())) throw new SyntaxError('A chunk that uses content-space: modules could not be parsed')
  return text
}

interface LiteralWithTokens {
  start: number
  end: number
  /** Text and token payloads, taking turns. */
  parts: string[]
  template: boolean
}

function findLiterals(code: string, sourceType: 'module' | 'script'): LiteralWithTokens[] {
  const found: LiteralWithTokens[] = []
  new Visitor({
    Literal({ value, start, end }) {
      if (typeof value === 'string' && TOKEN.test(value)) found.push({ start, end, parts: value.split(TOKEN), template: false })
    },
    TemplateElement({ value, start, end }) {
      if (TOKEN.test(value.raw)) found.push({ start, end, parts: value.raw.split(TOKEN), template: true })
    },
  }).visit(parseSync('chunk.js', code, { sourceType, lang: 'js' }).program)
  return found
}

function fillString(parts: string[]): string {
  const terms = parts.flatMap((part, at) => {
    if (at % 2 === 1) return [part]
    return part === '' ? [] : [JSON.stringify(part)]
  })
  return terms.length === 1 ? terms.join('') : `(${terms.join(' + ')})`
}

function fillTemplate(parts: string[]): string {
  return parts.map((part, at) => (at % 2 === 1 ? `\${${part}}` : part)).join('')
}
