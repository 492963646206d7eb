import type { Break } from '../breaks.js'
import type { PartEntry, TokenSide } from '../parts.js'
import type { Diff } from '../report.js'
import type { ComparedVersions } from '../versions.js'

/** A section, a heading, a token, or an asset that has moved, as every rendering shows it. */
export interface PartText {
  word: PartWord
  what: 'section' | 'heading' | 'asset' | TokenSide['type']
  /** `Logos`, or `Logos → Marks`. */
  title: string
  /** The names that imports use, and the sections: `logos → marks`. */
  names: string
  /** The value of a token: `#e5603f → #d4552f`. */
  value: string
  /** The colors of both sides as CSS, if it is a color. */
  colors: string[]
  breaks: Break[]
}

type PartWord = 'removed' | 'renamed' | 'moved' | 'changed' | 'added'

/** Differences that break imports are first. */
const words = ['removed', 'renamed', 'moved', 'changed', 'added'] as const satisfies PartWord[]

/** A part with the kit and the versions that it belongs to. */
export interface PlacedPart {
  kit: string
  versions: ComparedVersions
  part: PartText
}

/** Returns all parts, in the order in which they are shown. */
export function partTexts(diff: Diff): PlacedPart[] {
  const { sections, headings, tokens, moved = [] } = diff
  const parts = [
    ...placed(sections, ({ from, to }) => ({ what: 'section', names: change(from?.slug, to?.slug) })),
    ...placed(headings, ({ from, to }) => {
      const slugs = change(from?.slug, to?.slug)
      return { what: 'heading', names: `${slugs} in ${change(from?.section, to?.section)}` }
    }),
    ...placed({ moved }, ({ from, to }) => {
      const sides = [from, to].map((side) => side?.sections.join(', '))
      return { what: 'asset', names: `${change(from?.export, to?.export)}: ${change(sides[0], sides[1])}` }
    }),
    ...placed(tokens, tokenText),
  ]
  return words.flatMap((word) => parts.filter(({ part }) => part.word === word))
}

function tokenText({ from, to }: PartEntry<TokenSide>): Shown {
  const colors = [from, to].flatMap((side) => (side?.type === 'color' ? [side.value] : []))
  return {
    what: to?.type ?? from?.type ?? 'color',
    names: change(from?.export, to?.export),
    value: change(from?.value, to?.value),
    colors: [...new Set(colors)],
  }
}

type Shown = Pick<PartText, 'what' | 'names'> & Partial<Pick<PartText, 'value' | 'colors'>>

function placed<T extends { name: string }>(
  lists: Partial<Record<PartWord, PartEntry<T>[]>> = {},
  show: (entry: PartEntry<T>) => Shown,
): PlacedPart[] {
  return words.flatMap((word) =>
    (lists[word] ?? []).map((entry) => {
      const { kit, versions, from, to, breaks } = entry
      const part = { word, title: change(from?.name, to?.name), value: '', colors: [], breaks, ...show(entry) }
      return { kit, versions, part }
    }),
  )
}

/** `a → b`, or only one of them if the other is the same or missing. */
function change(from: string | undefined, to: string | undefined): string {
  return [...new Set([from, to])].filter((text) => text !== undefined).join(' → ')
}

/** `; sections: 1 removed; tokens: 2 changed`, as parts. */
export function partTotals({ sections, headings, tokens, moved = [], kits }: Diff): string[] {
  return [
    ...countsOf('assets', { moved }),
    ...countsOf('sections', sections),
    ...countsOf('headings', headings),
    ...countsOf('tokens', tokens),
    ...countsOf('kits', kits),
  ]
}

function countsOf(name: string, lists: Partial<Record<PartWord | 'updated', readonly unknown[]>> = {}): string[] {
  const texts = [...words, 'updated' as const].flatMap((word) =>
    lists[word]?.length ? [`${lists[word].length} ${word}`] : [],
  )
  return texts.length === 0 ? [] : [`${name}: ${texts.join(', ')}`]
}
