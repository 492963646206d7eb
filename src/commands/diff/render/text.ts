import { paint, type Line, type Painted, type Style } from '../../../text/display.js'
import type { Difference } from '../compare.js'
import type { Diff, DiffEntry } from '../report.js'
import { details, groupsOf, titleOf, totals } from './groups.js'

/** Terminal styles of the parts of a line. */
const styles = {
  added: 'green',
  removed: 'red',
  renamed: 'cyan',
  changed: 'yellow',
  kit: 'bold',
  detail: 'dim',
} as const satisfies Record<string, Style>

/** Renders differences as lines. The last line contains the totals. */
export function diffText(diff: Diff): Line[] {
  const lines = groupsOf(diff).flatMap(({ title, entries }): Line[] => [
    [paint(styles.kit, title)],
    ...entries.flatMap(({ difference, entry }) => entryText(difference, entry)),
  ])
  return [...lines, totals(diff)]
}

function entryText(difference: Difference, entry: DiffEntry): Line[] {
  const [names = '', ...more] = details(difference, entry)
  const line = [
    '  ',
    paint(styles[difference], difference.padEnd(7)),
    `  ${titleOf(entry)}  ${names}`,
    ...more.flatMap(detail),
  ]
  return [
    line,
    ...entry.breaks.map(({ file, line: number, specifier }) => [`    ${file}:${number}`, ...detail(specifier)]),
  ]
}

function detail(text: string): (string | Painted)[] {
  return ['  ', paint(styles.detail, text)]
}
