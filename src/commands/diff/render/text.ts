import { paint, type Line, type Painted, type Style } from '../../../text/display.js'
import type { Break } from '../breaks.js'
import type { Difference } from '../compare.js'
import type { Diff, DiffEntry } from '../report.js'
import { details, groupsOf, titleOf, totals, wordOf, type ReleaseText } from './groups.js'
import type { PartText } from './parts.js'

/** Terminal styles of the parts of a line. */
const styles = {
  added: 'green',
  removed: 'red',
  renamed: 'cyan',
  moved: 'cyan',
  changed: 'yellow',
  replaced: 'yellow',
  kit: 'bold',
  detail: 'dim',
} as const satisfies Record<string, Style>

/** Renders differences as lines. The last line contains the totals. */
export function diffText(diff: Diff): Line[] {
  const lines = groupsOf(diff).flatMap(({ title, releases, entries, parts }): Line[] => [
    [paint(styles.kit, title)],
    ...releases.flatMap(releaseLines),
    ...entries.flatMap(({ difference, entry }) => entryText(difference, entry)),
    ...parts.flatMap(partText),
  ])
  return [...lines, totals(diff)]
}

function releaseLines({ title, lines }: ReleaseText): Line[] {
  if (lines.length === 0) return []
  return [`  ${title}:`, ...lines.map((line): Line => ['    ', paint(styles.detail, line)])]
}

function entryText(difference: Difference, entry: DiffEntry): Line[] {
  const [names = '', ...more] = details(difference, entry)
  const word = wordOf(difference, entry)
  const line = ['  ', paint(styles[word], word.padEnd(7)), `  ${titleOf(entry)}  ${names}`, ...more.flatMap(detail)]
  return [line, ...breakLines(entry.breaks)]
}

function partText({ word, what, title, names, value, breaks }: PartText): Line[] {
  const line = ['  ', paint(styles[word], word.padEnd(7)), `  ${what} ${title}  ${names}`]
  return [[...line, ...(value === '' ? [] : detail(value))], ...breakLines(breaks)]
}

function breakLines(breaks: readonly Break[]): Line[] {
  return breaks.map(({ file, line, specifier }) => [`    ${file}:${line}`, ...detail(specifier)])
}

function detail(text: string): (string | Painted)[] {
  return ['  ', paint(styles.detail, text)]
}
