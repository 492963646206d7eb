import type { Break } from './breaks.js'
import type { ItemEntry, PartEntry, PartWord, TokenSide } from './parts.js'
import type { Diff } from './report.js'

/** A difference, as strings that every rendering uses. */
export interface PartText {
  word: PartWord | 'replaced'
  /** `section`, `color`, or the type of an item. Empty if an asset itself differs. */
  what: string
  /** `Logos`, or `Logos → Marks`. */
  title: string
  /** The names that imports use: a single name, or one for each side. */
  names: string[]
  /** The position in the kit: ` in Logos`, or `: Logos → Marks`. */
  place: string
  /** The files of an asset, the values of a token, or the cuts: a single one, or one for each side. */
  values: string[]
  /** The colors of both sides as CSS, for a color. */
  colors?: { from?: string | undefined; to?: string | undefined }
  breaks: Break[]
  entry: Pick<PartEntry<unknown>, 'uuid' | 'kit' | 'versions'>
}

/** Differences that break imports come first. */
const words = ['removed', 'renamed', 'moved', 'changed', 'added'] as const satisfies PartWord[]

/** Returns all parts in display order. */
export function partTexts(diff: Diff): PartText[] {
  const { sections, headings, tokens, cuts, items, moved = [], kits } = diff
  const parts = [
    ...placed({ renamed: kits?.renamed ?? [] }, () => ({ what: 'kit' })),
    ...placed(sections, ({ from, to }) => ({ what: 'section', names: both(from?.slug, to?.slug) })),
    ...placed(headings, ({ from, to }) => {
      const place = ` in ${change(from?.section, to?.section)}`
      return { what: 'heading', names: both(from?.slug, to?.slug), place }
    }),
    ...placed(cuts, ({ from }) => ({ what: 'cut', names: both(from?.export), values: both(from?.cuts.join(', ')) })),
    ...placed({ moved }, ({ from, to }) => {
      const [left, now] = [from, to].map((side) => side?.sections.join(', '))
      return { what: 'asset', names: both(from?.export, to?.export), place: `: ${change(left, now)}` }
    }),
    ...placed(tokens, tokenText),
    ...placed(items, itemShown),
  ]
  return words.flatMap((word) => parts.filter((part) => part.word === word))
}

function tokenText({ from, to }: PartEntry<TokenSide>): Shown {
  const [before, after] = [from, to].map((side) => (side?.type === 'color' ? side.value : undefined))
  return {
    what: to?.type ?? from?.type ?? 'color',
    names: both(from?.export, to?.export),
    values: both(from?.value, to?.value),
    ...(before === undefined && after === undefined ? {} : { colors: { from: before, to: after } }),
  }
}

type Shown = Pick<PartText, 'what'> & Partial<Pick<PartText, 'title' | 'names' | 'place' | 'values' | 'colors'>>

/** The maximum number of characters of a string to display. */
const maxText = 80

/** Describes an item by its text, if that differs, and by the assets that only one side has. */
function itemShown({ type, from, to }: ItemEntry): Shown {
  const [was, is] = [from?.assets ?? [], to?.assets ?? []]
  const assets = [
    ...is.filter((name) => !was.includes(name)).map((name) => `+ ${name}`),
    ...was.filter((name) => !is.includes(name)).map((name) => `- ${name}`),
  ]
  const [before = '', after = ''] = [from?.text, to?.text]
  const values = before === after ? [] : both(...excerpts(before, after))
  const title = excerpt(Array.from(to?.name || (from?.name ?? '')), 0)
  return {
    what: type,
    title,
    place: assets.length === 0 ? '' : `: ${assets.join(', ')}`,
    // A note's title is its text.
    values: from && to ? values : values.filter((value) => value !== title),
  }
}

/** Shortens two strings so that their first difference remains visible. */
function excerpts(from: string, to: string): [string, string] {
  const [a, b] = [Array.from(from), Array.from(to)]
  const other = b.findIndex((character, at) => character !== a[at])
  const same = other === -1 ? b.length : other
  const start = from === '' || to === '' || same < maxText / 2 ? 0 : same - maxText / 4
  return [excerpt(a, start), excerpt(b, start)]
}

function excerpt(characters: readonly string[], start: number): string {
  const end = start + maxText
  return `${start > 0 ? '…' : ''}${characters.slice(start, end).join('')}${characters.length > end ? '…' : ''}`
}

function placed<T extends { name: string }, E extends PartEntry<T>>(
  lists: Partial<Record<PartWord, (E & PartEntry<T>)[]>> = {},
  show: (entry: E & PartEntry<T>) => Shown,
): PartText[] {
  return words.flatMap((word) =>
    (lists[word] ?? []).map((entry) => {
      const { from, to, breaks } = entry
      const title = change(from?.name, to?.name)
      return { word, title, names: [], place: '', values: [], breaks, entry, ...show(entry) }
    }),
  )
}

/** Returns `a → b`, or only one of them if the other is the same or missing. */
function change(from: string | undefined, to: string | undefined): string {
  return both(from, to).join(' → ')
}

/** Returns both strings, but leaves out a missing, empty or repeated one. */
function both(from = '', to = ''): string[] {
  return [...new Set([from, to])].filter((text) => text !== '')
}

/** Returns the parts of a summary such as `; sections: 1 removed; tokens: 2 changed`. */
export function partTotals({ sections, headings, tokens, cuts, items, moved = [], kits }: Diff): string[] {
  type Lists = Partial<Record<PartWord | 'updated', readonly unknown[]>> | undefined
  const all: Record<string, Lists> = { assets: { moved }, sections, headings, tokens, cuts, items, kits }
  return Object.entries(all).flatMap(([name, lists]) => {
    const counts = [...words, 'updated' as const].map((word) => ({ word, count: lists?.[word]?.length ?? 0 }))
    const texts = counts.flatMap(({ word, count }) => (count === 0 ? [] : [`${count} ${word}`]))
    return texts.length === 0 ? [] : [`${name}: ${texts.join(', ')}`]
  })
}
