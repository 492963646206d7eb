import { plain } from '../display.js'
import type { Difference } from './compare.js'
import type { Diff, DiffEntry } from './entry.js'
import { facts, groupsOf, titleOf, totals } from './groups.js'

/** How a terminal shows each kind of line. */
const colours = { added: 'green', removed: 'red', renamed: 'cyan', changed: 'yellow', kit: 'bold', beside: 'dim' } as const

export type Colour = (typeof colours)[keyof typeof colours]

/**
 * A difference as lines, its last one the totals.
 * @param paint colours a text, where there is a terminal
 */
export function diffText(diff: Diff, paint: (colour: Colour, text: string) => string): string[] {
  const lines = groupsOf(diff).flatMap(({ title, entries }) => [
    paint(colours.kit, plain(title)),
    ...entries.flatMap(({ difference, entry }) => entryText(difference, entry, paint)),
  ])
  return [...lines, totals(diff)]
}

function entryText(difference: Difference, entry: DiffEntry, paint: (colour: Colour, text: string) => string): string[] {
  const [names = '', ...more] = facts(difference, entry).map(plain)
  const line = [`  ${paint(colours[difference], difference.padEnd(7))}`, plain(titleOf(entry)), names, ...more.map((text) => paint(colours.beside, text))]
  const breaks = entry.breaks.map(({ file, line: number, specifier }) => `    ${plain(`${file}:${number}`)}  ${paint(colours.beside, plain(specifier))}`)
  return [line.join('  '), ...breaks]
}
