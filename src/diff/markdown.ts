import { plain } from '../display.js'
import type { Diff, DiffEntry } from './entry.js'
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
  return breaks.map(({ file, line, specifier }) => `- ${code(`${file}:${line}`)}: ${escape(entry.from?.name ?? entry.name)} of ${code(specifier)}`)
}

/** What GitHub reads as more than text: a backslash takes it back, and where none does, as in `@name` and `#1`, a word joiner. */
function escape(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
  return plain(text)
    .replaceAll(/[&<>\\`*_~|:$@#![\]]|(?<=www)\./gi, (mark) => entities[mark] ?? `\\${mark}`)
    .replaceAll(/[@#]/g, '$&\u2060')
}

/** A span of code, between more backticks than it holds in a row. */
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  const space = longest > 0 ? ' ' : ''
  return fence + space + plain(text) + space + fence
}
