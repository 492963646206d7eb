import { paint, type Line, type Painted, type Style } from '../../../text/display.js'
import type { Break } from '../breaks.js'
import type { Diff } from '../report.js'
import { fileText, groupsOf, totals, type ReleaseText, type ShownEntry } from './groups.js'
import type { PartText } from './parts.js'

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
    ...entries.flatMap(entryText),
    ...parts.flatMap(partText),
  ])
  return [...lines, totals(diff)]
}

function releaseLines({ title, lines }: ReleaseText): Line[] {
  if (lines.length === 0) return []
  return [`  ${title}:`, ...lines.map((line): Line => ['    ', paint(styles.detail, line)])]
}

function entryText({ word, title, names, files, entry }: ShownEntry): Line[] {
  const shown = `  ${title}  ${names.join(' → ')}`
  return [
    ['  ', paint(styles[word], word.padEnd(7)), shown, ...detail(files.map(fileText))],
    ...breakLines(entry.breaks),
  ]
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
