import { createHmac, randomBytes } from 'node:crypto'
import { MagicString } from 'magic-string'
import { parseSync, Visitor } from 'oxc-parser'
import { ContentSpaceError } from '../errors.js'
import type { Expression, References } from '../modules/references.js'
import { readSlot, type Slot } from './descriptors.js'

export type { Slot } from './descriptors.js'

const TOKENS = /__CONTENT_SPACE_([\da-f]{64})__END/g
const BEGINNING = '__CONTENT_SPACE_'

/** Tells what a slot needs; what it returns makes the JavaScript that takes the slot's place. */
type Fill = (slot: Slot) => Promise<() => string>

/** Strings in generated code that something takes the place of once it is known which of them survive. */
export interface Tokens {
  /** References of bundlers that let us change chunks after tree-shaking. */
  references: References
  /**
   * Replaces the tokens of a chunk.
   *
   * The chunk is parsed, for bundlers fold constants: a token may stand inside a longer string, in any quotes.
   *
   * @param goal of the chunk; formats other than `es` may hold what modules forbid
   * @param fill is called for all slots at once; what it returns is called in the order of the chunk, so that nothing
   * it emits depends on which download ends first
   * @returns undefined when there is no token
   * @throws SyntaxError for a chunk that cannot be parsed
   */
  fill(code: string, goal: 'module' | 'script', fill: Fill): Promise<MagicString | undefined>
}

/**
 * Tokens that mean something to this object alone: each is a digest under a random key, and is looked up in a table of
 * the slots that were handed out. A text that looks like a token is not in the table, and stays as it is.
 */
export function openTokens(): Tokens {
  const key = randomBytes(32)
  const table: Table = new Map()
  const references = handingOut(table, key)
  return {
    references,
    fill: (code, goal, fill) => fillTokens(code, goal, (id) => table.get(id)?.slot, fill),
  }
}

/** Tokens for a bundler with a cache on disk that can hold modules which it does not load again. */
export interface LastingTokens extends Tokens {
  /** Every slot that was handed out, now or in the builds that `restore` knows of; for the cache of the bundler. */
  save(): string
  /** Takes what an earlier build saved. Entries that are damaged, or that no plan makes, are left out. */
  restore(saved: string): void
}

/**
 * Tokens that are the same in every build and on every machine, because the bundler names scripts by what they hold
 * before tokens are replaced. Their table belongs in the cache of the bundler, so that both are kept or lost together.
 *
 * `fill` throws ContentSpaceError `integrity` for a token that is not in the table: it comes from a cache, and its file
 * is not known. Content cannot hold one, see `contentLiteral`.
 */
export function openLastingTokens(): LastingTokens {
  const key = 'content-space'
  const table: Table = new Map()
  const references = handingOut(table, key)
  return {
    references,
    fill: (code, goal, fill) => fillTokens(code, goal, (id) => (table.get(id) ?? refuse()).slot, fill),
    save: () => JSON.stringify([...table.values()].map(({ text }) => text)),
    restore(saved) {
      for (const entry of readTable(saved)) table.set(idOf(entry.text, key), entry)
    },
  }
}

/** By the digest in the token: a slot, and the text that the digest is of. */
type Table = Map<string, { slot: Slot; text: string }>

function handingOut(table: Table, key: string | Uint8Array): References {
  const token = (slot: Slot): Expression => {
    const text = JSON.stringify(slot)
    const id = idOf(text, key)
    table.set(id, { slot, text })
    return { code: `"${BEGINNING}${id}__END"` }
  }
  return {
    address: (file) => token({ file }),
    value: (value) => Promise.resolve(token({ value })),
    layout: 'barrel',
  }
}

function idOf(slot: string, key: string | Uint8Array): string {
  return createHmac('sha256', key).update(slot).digest('hex')
}

function readTable(saved: string): { slot: Slot; text: string }[] {
  return readTexts(saved).flatMap((text) => {
    try {
      return [{ slot: readSlot(text), text }]
    } catch {
      // A token that refers to it is refused when a chunk holds it.
      return []
    }
  })
}

function readTexts(saved: string): string[] {
  try {
    const list: unknown = JSON.parse(saved)
    return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : []
  } catch {
    return []
  }
}

function refuse(): never {
  throw new ContentSpaceError('integrity', 'A cached script refers to a file that is not known.', {
    hint: 'Remove the cache of the bundler, and build again.',
  })
}

async function fillTokens(
  code: string,
  goal: 'module' | 'script',
  slotOf: SlotOf,
  fill: Fill,
): Promise<MagicString | undefined> {
  if (!code.includes(BEGINNING) || split(code, slotOf).slots.length === 0) return undefined
  const text = new MagicString(code)
  const literals = findLiterals(code, goal, slotOf)
  const fillers = await Promise.all(literals.map(({ slots }) => Promise.all(slots.map(fill))))
  for (const [at, { start, end, texts, template }] of literals.entries()) {
    const expressions = (fillers[at] ?? []).map((make) => make())
    text.update(start, end, template ? fillTemplate(texts, expressions) : fillString(texts, expressions))
  }
  if (split(text.toString(), slotOf).slots.length > 0) {
    throw new SyntaxError('A chunk that uses content-space: modules could not be parsed')
  }
  return text
}

/** @returns undefined for what is no token */
type SlotOf = (id: string) => Slot | undefined

interface Parts {
  slots: Slot[]
  /** What stands around the slots: one more than there are slots. */
  texts: string[]
}

function split(text: string, slotOf: SlotOf): Parts {
  const parts: Parts = { slots: [], texts: [] }
  let end = 0
  for (const { 0: token, 1: id = '', index } of text.matchAll(TOKENS)) {
    const slot = slotOf(id)
    if (slot === undefined) continue
    parts.slots.push(slot)
    parts.texts.push(text.slice(end, index))
    end = index + token.length
  }
  parts.texts.push(text.slice(end))
  return parts
}

interface LiteralWithTokens extends Parts {
  start: number
  end: number
  template: boolean
}

function findLiterals(code: string, sourceType: 'module' | 'script', slotOf: SlotOf): LiteralWithTokens[] {
  const found: LiteralWithTokens[] = []
  const add = (text: string, { start, end }: { start: number; end: number }, template: boolean) => {
    const parts = split(text, slotOf)
    if (parts.slots.length > 0) found.push({ start, end, ...parts, template })
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
