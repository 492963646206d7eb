import { oneLine } from './display.js'

/** An invisible character that keeps GitHub and GitLab from linking `@name`, `#1` and `&1`. A backslash does not. */
const joiner = '&NoBreak;'

const escapes: Readonly<Record<string, string>> = {
  '&': `&amp;${joiner}`,
  '<': '&lt;',
  '>': '&gt;',
  '@': `\\@${joiner}`,
  '#': `\\#${joiner}`,
}

/**
 * Escapes a text of a service: no Markdown, HTML, links or mentions. It stays on one line, without hidden characters.
 */
export function escape(text: string): string {
  return oneLine(text)
    .replaceAll(/[&<>\\`*_~|:$@#!%^[\]]|(?<=www)\./gi, (mark) => escapes[mark] ?? `\\${mark}`)
    .replaceAll(commits, (hash) => hash.replaceAll(/(?<=^(?:.{6})+)(?=.)/g, joiner))
    .replaceAll(/(?<=\bGH-)(?=\d)/gi, joiner)
}

/** GitHub links this text if it is the hash of a commit, or the beginning of one. */
const commits = /(?<![\da-z])(?=[a-f]*\d)[\da-f]{7,40}(?![\da-z])/gi

/** Renders a code span, enclosed in more backticks than the text has in a row. */
export function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  const space = longest > 0 ? ' ' : ''
  return fence + space + oneLine(text) + space + fence
}
