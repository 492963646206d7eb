import { oneLine } from '../../../text/display.js'
import type { Break } from '../breaks.js'
import type { Diff } from '../report.js'
import { details, groupsOf, titleOf, totals, wordOf, type Group, type ReleaseText } from './groups.js'

/** Renders differences as Markdown for a pull request. Names are escaped: no Markdown, HTML, links or mentions. */
export function diffMarkdown(diff: Diff): string {
  return [`**Content**: ${totals(diff)}`, ...groupsOf(diff).flatMap(groupMarkdown)].join('\n\n')
}

function groupMarkdown({ title, releases, entries, parts }: Group): string[] {
  const rows = entries.map(({ difference, entry }) => {
    const [names = '', file = ''] = details(difference, entry)
    return `| ${[wordOf(difference, entry), escape(titleOf(entry)), escape(names), escape(file)].join(' | ')} |`
  })
  const partRows = parts.map(({ word, what, title: name, names, value }) => {
    return `| ${[word, what, escape(name), escape(names), escape(value)].join(' | ')} |`
  })
  const breaks = [
    ...entries.flatMap(({ entry }) => breaksMarkdown(entry.breaks, entry.from?.name ?? entry.name)),
    ...parts.flatMap((part) => breaksMarkdown(part.breaks, part.title)),
  ]
  return [
    `### ${escape(title)}`,
    ...releases.flatMap(releaseMarkdown),
    ...(rows.length === 0 ? [] : [['| | asset | export | file |', '|---|---|---|---|', ...rows].join('\n')]),
    ...(partRows.length === 0
      ? []
      : [['| | | name | in imports | value |', '|---|---|---|---|---|', ...partRows].join('\n')]),
    ...(breaks.length === 0 ? [] : ['These imports would break:', breaks.join('\n')]),
  ]
}

/** A quotation, in which each line of the notes stays a line. */
function releaseMarkdown({ title, lines }: ReleaseText): string[] {
  if (lines.length === 0) return []
  return [[`> **${escape(title)}**`, ...lines.map((line) => `> ${escapeStart(escape(line))}`)].join('\\\n')]
}

/** Escapes what begins a list or underlines a heading, if it is the start of a line. */
function escapeStart(text: string): string {
  return text.replace(/^(?=[-+=])|(?<=^\d{1,9})(?=[.)])/, '\\')
}

function breaksMarkdown(breaks: readonly Break[], name: string): string[] {
  return breaks.map(
    ({ file, line, specifier }) => `- ${code(`${file}:${line}`)}: ${escape(name)} from ${code(specifier)}`,
  )
}

/** An invisible character that keeps GitHub and GitLab from linking `@name`, `#1` and `&1`. A backslash does not. */
const joiner = '&NoBreak;'

const escapes: Readonly<Record<string, string>> = {
  '&': `&amp;${joiner}`,
  '<': '&lt;',
  '>': '&gt;',
  '@': `\\@${joiner}`,
  '#': `\\#${joiner}`,
}

/** Escapes everything that GitHub or GitLab renders as more than text. */
function escape(text: string): string {
  return oneLine(text)
    .replaceAll(/[&<>\\`*_~|:$@#!%^[\]]|(?<=www)\./gi, (mark) => escapes[mark] ?? `\\${mark}`)
    .replaceAll(commits, (hash) => hash.replaceAll(/(?<=^(?:.{6})+)(?=.)/g, joiner))
    .replaceAll(/(?<=\bGH-)(?=\d)/gi, joiner)
}

/** What GitHub links if it is the hash of a commit, or the beginning of one. */
const commits = /(?<![\da-z])(?=[a-f]*\d)[\da-f]{7,40}(?![\da-z])/gi

/** Renders a code span, enclosed in more backticks than the text has in a row. */
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  const space = longest > 0 ? ' ' : ''
  return fence + space + oneLine(text) + space + fence
}
