import { styleText } from 'node:util'
import { oneLine, safeLines, type Line } from './text/display.js'

/** The only module that writes to stdout, stderr or the console, so that no text of a service gets there as it came. */

type Stream = 'stdout' | 'stderr'

/** Prints a line. */
export function printLine(stream: Stream, line: Line): void {
  process[stream].write(`${render(line, process[stream])}\n`)
}

/** Prints a text whose line feeds are meant, such as the help of a command. */
export function printText(stream: Stream, text: string): void {
  process[stream].write(safeLines(text))
}

/** @param json from `jsonText` */
export function printJson(json: string): void {
  process.stdout.write(`${json}\n`)
}

function render(line: Line, stream: NodeJS.WriteStream): string {
  const parts = typeof line === 'string' ? [line] : line
  const text = parts
    .map((part) => (typeof part === 'string' ? oneLine(part) : styleText(part.style, oneLine(part.text), { stream })))
    .join('')
  // Without colours between them, two harmless parts can be a command together.
  return text.includes('\u001B') ? text : oneLine(text)
}

/** Called when a reader of stdout goes away, such as `| head`. */
export function onOutputError(report: (error: NodeJS.ErrnoException) => void): void {
  process.stdout.on('error', report)
}

/** Returns where a progress bar can be drawn: stderr, if it is an interactive terminal of known width. */
export function screenOf(env: NodeJS.ProcessEnv): NodeJS.WriteStream | undefined {
  const isInteractive = !env['CI'] && env['TERM'] !== 'dumb'
  return process.stderr.isTTY && process.stderr.columns > 0 && isInteractive ? process.stderr : undefined
}

/** For bundlers that have no logger. */
export const consoleLog = {
  info: (message: string): void => console.info(safeLines(message)),
  warn: (message: string): void => console.warn(safeLines(message)),
  error: (message: string): void => console.error(safeLines(message)),
}
