import isUnicodeSupported from 'is-unicode-supported'
import { paint, type Line } from '../text/display.js'
import type { Terminal } from './terminal.js'

/** Puts a mark in front of a line that says how a command has ended, in terminals that can show it. */
export function ended(text: string, well: boolean, { columns }: Pick<Terminal, 'columns'>): Line {
  if (columns === undefined || !isUnicodeSupported()) return text
  return [well ? paint('green', '✓') : paint('red', '✗'), ` ${text}`]
}

/** Formats changed lines of files, each with its place. */
export function lineChanges(lines: readonly { file: string; line: number; before: string; after: string }[]): Line[] {
  return lines.flatMap(({ file, line, before, after }) => [
    `${file}:${line}`,
    changedLine(`- ${before}`),
    changedLine(`+ ${after}`),
  ])
}

/** Formats a line of a diff: `- removed` and `+ added` have a color. */
export function changedLine(line: string): Line {
  if (!/^[+-] /.test(line)) return line
  return ['  ', paint(line.startsWith('+') ? 'green' : 'red', line)]
}
