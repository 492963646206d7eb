import { oneLine } from './display.js'

/**
 * An invisible character that keeps GitHub and GitLab from linking `@name`, `#1` and `&1`. A backslash doesn't prevent
 * that.
 */
const joiner = '&NoBreak;'

const escapes: Readonly<Record<string, string>> = {
  '&': `&amp;${joiner}`,
  '<': '&lt;',
  '>': '&gt;',
  '@': `\\@${joiner}`,
  '#': `\\#${joiner}`,
}

/**
 * Escapes a string from a service, so that it doesn't become Markdown, HTML, a link or a mention. Keeps it on one line,
 * without hidden characters.
 */
export function escape(text: string): string {
  return oneLine(text)
    .replaceAll(/[&<>\\`*_~|:$@#!%^[\]]|(?<=www)\./gi, (mark) => escapes[mark] ?? `\\${mark}`)
    .replaceAll(commits, (hash) => hash.replaceAll(/(?<=^(?:.{6})+)(?=.)/g, joiner))
    .replaceAll(/(?<=\bGH-)(?=\d)/gi, joiner)
}

/** Matches text that GitHub would link as the hash of a commit, or as the beginning of one. */
const commits = /(?<![\da-z])(?=[a-f]*\d)[\da-f]{7,40}(?![\da-z])/gi

/** Renders a code span, enclosed in more backticks than occur consecutively in the text. */
export function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  const space = longest > 0 ? ' ' : ''
  return fence + space + oneLine(text) + space + fence
}
