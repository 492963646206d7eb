import { oneLine } from '../../../text/display.js'
import type { Diff, DiffEntry } from '../report.js'
import { facts, groupsOf, titleOf, totals, type Group } from './groups.js'

/** A difference as Markdown for a pull request. Nothing of a name is read as Markdown or HTML, or mentions anybody. */
export function diffMarkdown(diff: Diff): string {
  return [`**Content**: ${totals(diff)}`, ...groupsOf(diff).flatMap(groupMarkdown)].join('\n\n')
}

function groupMarkdown({ title, entries }: Group): string[] {
  const rows = entries.map(({ difference, entry }) => {
    const [names = '', file = ''] = facts(difference, entry)
    return `| ${[difference, escape(titleOf(entry)), escape(names), escape(file)].join(' | ')} |`
  })
  const breaks = entries.flatMap(({ entry }) => breaksMarkdown(entry))
  return [
    `### ${escape(title)}`,
    ['| | asset | export | file |', '|---|---|---|---|', ...rows].join('\n'),
    ...(breaks.length === 0 ? [] : ['These lines would break:', breaks.join('\n')]),
  ]
}

function breaksMarkdown({ breaks, ...entry }: DiffEntry): string[] {
  return breaks.map(
    ({ file, line, specifier }) =>
      `- ${code(`${file}:${line}`)}: ${escape(entry.from?.name ?? entry.name)} of ${code(specifier)}`,
  )
}

/** Shown as nothing, it ends what GitHub takes for `@name` or `#1`, which a backslash does not. */
const joiner = '&NoBreak;'

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '@': `\\@${joiner}`,
  '#': `\\#${joiner}`,
}

/** Takes back what GitHub reads as more than text. */
function escape(text: string): string {
  return oneLine(text).replaceAll(/[&<>\\`*_~|:$@#![\]]|(?<=www)\./gi, (mark) => escapes[mark] ?? `\\${mark}`)
}

/** A span of code, between more backticks than it holds in a row. */
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  const space = longest > 0 ? ' ' : ''
  return fence + space + oneLine(text) + space + fence
}
