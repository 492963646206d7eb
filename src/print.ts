import { WriteStream } from 'node:tty'
import { styleText } from 'node:util'
import { oneLine, safeLines, type Line, type Part, type Swatch } from './text/display.js'

/** The only module that writes to stdout, stderr or the console, so that every text of a service is made safe first. */

type Stream = 'stdout' | 'stderr'

/** Prints a line. Styles are applied if the stream is a terminal. */
export function printLine(stream: Stream, line: Line): void {
  process[stream].write(`${render(line, process[stream])}\n`)
}

/** Prints lines at once: a list may have thousands, and each write takes time. */
export function printLines(stream: Stream, lines: readonly Line[]): void {
  process[stream].write(lines.map((line) => `${render(line, process[stream])}\n`).join(''))
}

/** Prints a text of several lines, such as the help of a command. */
export function printText(stream: Stream, text: string): void {
  process[stream].write(safeLines(text))
}

/** Prints JSON to stdout. @param json from `jsonText` */
export function printJson(json: string): void {
  process.stdout.write(`${json}\n`)
}

/** Runs code of the project, and sends what it writes to stdout to stderr: stdout has only the result of a command. */
export async function withoutStdout<T>(work: () => Promise<T>): Promise<T> {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  // The console calls this function, too.
  stdout.write = stderr.write.bind(stderr)
  try {
    return await work()
  } finally {
    stdout.write = write
  }
}

function render(line: Line, stream: NodeJS.WriteStream): string {
  const parts = typeof line === 'string' ? [line] : line
  const text = parts.map((part) => renderPart(part, stream)).join('')
  // Without styles between them, two safe parts can form a command together.
  return text.includes('\u001B') ? text : oneLine(text)
}

function renderPart(part: Part, stream: NodeJS.WriteStream): string {
  if (typeof part === 'string') return oneLine(part)
  if ('style' in part) return styleText(part.style, oneLine(part.text), { stream })
  return renderSwatch(part, stream)
}

/** Node derives the number of colors from `FORCE_COLOR`, `COLORTERM`, `TERM` and the like. */
function renderSwatch({ codes, text }: Swatch, stream: NodeJS.WriteStream): string {
  const safe = oneLine(text)
  if (!hasColors(stream)) return safe
  const depth = WriteStream.prototype.getColorDepth.call(stream, process.env)
  const chosen = depth >= 24 ? codes[24] : depth >= 8 ? codes[8] : codes[4]
  return `\u001B[${chosen.map(Number).join(';')}m${safe}\u001B[39m`
}

/** Calls `report` when the reader of stdout closes it, as `| head` does. */
export function onOutputError(report: (error: NodeJS.ErrnoException) => void): void {
  process.stdout.on('error', report)
}

/** Returns where a progress bar can be drawn: stderr, if it is an interactive terminal of known width. */
export function screenOf(env: NodeJS.ProcessEnv): NodeJS.WriteStream | undefined {
  const isInteractive = !env['CI'] && env['TERM'] !== 'dumb'
  return process.stderr.isTTY && process.stderr.columns > 0 && isInteractive ? process.stderr : undefined
}

/** Whether a stream shows styles: Node decides by `NO_COLOR`, `FORCE_COLOR` and whether it is a terminal. */
export function hasColors(stream: NodeJS.WriteStream = process.stdout): boolean {
  return styleText('red', 'x', { stream }) !== 'x'
}

/** Returns a text in a style, for a line that a bundler prints. It stays as it is if stdout shows no styles. */
export function styled(style: Parameters<typeof styleText>[0], text: string): string {
  return styleText(style, text, { stream: process.stdout })
}

/** Returns the number of columns of stdout. Undefined for a pipe, whose lines are never cut. */
export function columnsOf(): number | undefined {
  return process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : undefined
}

/** The logger for bundlers without a logger. */
export const consoleLog = {
  info: (message: string): void => console.info(safeLines(message)),
  warn: (message: string): void => console.warn(safeLines(message)),
  error: (message: string): void => console.error(safeLines(message)),
}
