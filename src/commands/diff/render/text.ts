import { paint, type Line, type Painted, type Style } from '../../../text/display.js'
import type { Difference } from '../compare.js'
import type { Diff, DiffEntry } from '../report.js'
import { facts, groupsOf, titleOf, totals } from './groups.js'

/** How a terminal shows each kind of line. */
const colours = {
  added: 'green',
  removed: 'red',
  renamed: 'cyan',
  changed: 'yellow',
  kit: 'bold',
  beside: 'dim',
} as const satisfies Record<string, Style>

/** A difference as lines, its last one the totals. */
export function diffText(diff: Diff): Line[] {
  const lines = groupsOf(diff).flatMap(({ title, entries }): Line[] => [
    [paint(colours.kit, title)],
    ...entries.flatMap(({ difference, entry }) => entryText(difference, entry)),
  ])
  return [...lines, totals(diff)]
}

function entryText(difference: Difference, entry: DiffEntry): Line[] {
  const [names = '', ...more] = facts(difference, entry)
  const line = [
    '  ',
    paint(colours[difference], difference.padEnd(7)),
    `  ${titleOf(entry)}  ${names}`,
    ...more.flatMap(beside),
  ]
  return [
    line,
    ...entry.breaks.map(({ file, line: number, specifier }) => [`    ${file}:${number}`, ...beside(specifier)]),
  ]
}

function beside(text: string): (string | Painted)[] {
  return ['  ', paint(colours.beside, text)]
}
