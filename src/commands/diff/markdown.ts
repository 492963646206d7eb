import { code, escape } from '../../text/markdown.js'
import type { Break } from '../shared/changes/breaks.js'
import type { Diff } from '../shared/changes/report.js'
import { groupsOf, totals, type FileText, type Group, type ReleaseText } from '../shared/changes/groups.js'

/**
 * Renders differences as Markdown for a pull request, starting with the lines that would break. Escapes names, so that
 * they can't become Markdown, HTML, links or mentions. GitHub and GitLab display a swatch for a color in a code span.
 */
export function diffMarkdown(diff: Diff): string {
  const groups = groupsOf(diff)
  const breaks = groups.flatMap(({ entries, parts }) => [
    ...entries.flatMap(({ entry }) => breaksMarkdown(entry.breaks, entry.from?.name ?? entry.name)),
    ...parts.flatMap((part) => breaksMarkdown(part.breaks, part.title)),
  ])
  return [
    `**Content**: ${totals(diff)}`,
    ...(breaks.length === 0 ? [] : ['These imports would break:', breaks.join('\n')]),
    ...groups.flatMap(groupMarkdown),
  ].join('\n\n')
}

function groupMarkdown({ title, releases, entries, parts }: Group): string[] {
  const rows = entries.map(({ word, title: name, names, files }) => {
    return `| ${[word, escape(name), codes(names), files.map(fileMarkdown).join(' → ')].join(' | ')} |`
  })
  const partRows = parts.map(({ word, what, title: name, names, place, values }) => {
    return `| ${[word, escape(what), escape(name), codes(names) + escape(place), codes(values)].join(' | ')} |`
  })
  return [
    `### ${escape(title)}`,
    ...releases.flatMap(releaseMarkdown),
    ...(rows.length === 0 ? [] : [['| | asset | export | file |', '|---|---|---|---|', ...rows].join('\n')]),
    ...(partRows.length === 0
      ? []
      : [['| | | name | in imports | value |', '|---|---|---|---|---|', ...partRows].join('\n')]),
  ]
}

function fileMarkdown({ about, value }: FileText): string {
  return [about && escape(about), value && codes([value])].filter(Boolean).join(', ')
}

/**
 * Joins strings as code spans for a table cell. Escapes strings with `|` or a backslash instead, because code spans in
 * tables would need extra escapes for them.
 */
function codes(texts: readonly string[]): string {
  return texts.map((text) => (/[|\\]/.test(text) ? escape(text) : code(text))).join(' → ')
}

/** Renders release notes as a quotation that preserves their lines. */
function releaseMarkdown({ title, lines }: ReleaseText): string[] {
  if (lines.length === 0) return []
  return [[`> **${escape(title)}**`, ...lines.map((line) => `> ${escapeStart(escape(line))}`)].join('\\\n')]
}

/** Escapes characters that would begin a list or underline a heading at the start of a line. */
function escapeStart(text: string): string {
  return text.replace(/^(?=[-+=])|(?<=^\d{1,9})(?=[.)])/, '\\')
}

function breaksMarkdown(breaks: readonly Break[], name: string): string[] {
  return breaks.map(
    ({ file, line, specifier }) => `- ${code(`${file}:${line}`)}: ${escape(name)} from ${code(specifier)}`,
  )
}
