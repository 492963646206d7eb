import { paint, type Line, type Painted, type Style } from '../../../text/display.js'
import type { Diff } from './report.js'
import { groupsOf, totals, type ReleaseText } from './groups.js'
import type { PartText } from './describe-parts.js'

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
    ...[...entries, ...parts].flatMap(partText),
  ])
  return [...lines, totals(diff)]
}

function releaseLines({ title, lines }: ReleaseText): Line[] {
  if (lines.length === 0) return []
  return [`  ${title}:`, ...lines.map((line): Line => ['    ', paint(styles.detail, line)])]
}

function partText({ word, what, title, names, place, values, breaks }: PartText): Line[] {
  const shown = [(what && `${what} `) + title, names.join(' → ') + place].filter((text) => text !== '').join('  ')
  const lines = breaks.map(({ file, line, specifier }): Line => [`    ${file}:${line}`, ...detail([specifier])])
  return [['  ', paint(styles[word], word.padEnd(7)), `  ${shown}`, ...detail(values)], ...lines]
}

function detail(texts: readonly string[]): (string | Painted)[] {
  return texts.length === 0 ? [] : ['  ', paint(styles.detail, texts.join(' → '))]
}
