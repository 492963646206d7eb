import { paint, type Line, type Painted, type Style } from '../../../text/display.js'
import type { Break } from '../breaks.js'
import type { Difference } from '../compare.js'
import type { Diff, DiffEntry } from '../report.js'
import { details, fileText, groupsOf, titleOf, totals, wordOf, type ReleaseText } from './groups.js'
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
  const { names, files } = details(difference, entry)
  const word = wordOf(difference, entry)
  const line = [
    '  ',
    paint(styles[word], word.padEnd(7)),
    `  ${titleOf(entry)}  ${names.join(' → ')}`,
    ...detail(files.map(fileText)),
  ]
  return [line, ...breakLines(entry.breaks)]
}

function partText({ word, what, title, names, place, values, breaks }: PartText): Line[] {
  const shown = [`${what} ${title}`, names.join(' → ') + place].filter((text) => text !== '').join('  ')
  return [['  ', paint(styles[word], word.padEnd(7)), `  ${shown}`, ...detail(values)], ...breakLines(breaks)]
}

function breakLines(breaks: readonly Break[]): Line[] {
  return breaks.map(({ file, line, specifier }) => [`    ${file}:${line}`, ...detail([specifier])])
}

function detail(texts: readonly string[]): (string | Painted)[] {
  return texts.length === 0 ? [] : ['  ', paint(styles.detail, texts.join(' → '))]
}
