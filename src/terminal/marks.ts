import isUnicodeSupported from 'is-unicode-supported'
import { paint, type Line } from '../text/display.js'
import type { Terminal } from './terminal.js'

/** Puts a check mark or a cross in front of a command's final line if the terminal supports Unicode. */
export function ended(text: string, well: boolean, { columns }: Pick<Terminal, 'columns'>): Line {
  if (columns === undefined || !isUnicodeSupported()) return text
  return [well ? paint('green', '✓') : paint('red', '✗'), ` ${text}`]
}

/** Formats changed lines of files, each with its location. */
export function lineChanges(lines: readonly { file: string; line: number; before: string; after: string }[]): Line[] {
  return lines.flatMap(({ file, line, before, after }) => [
    `${file}:${line}`,
    changedLine(`- ${before}`),
    changedLine(`+ ${after}`),
  ])
}

/** Formats a line of a diff, with colors for `- removed` and `+ added`. */
export function changedLine(line: string): Line {
  if (!/^[+-] /.test(line)) return line
  return ['  ', paint(line.startsWith('+') ? 'green' : 'red', line)]
}
