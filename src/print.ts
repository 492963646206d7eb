import { Writable } from 'node:stream'
import { WriteStream } from 'node:tty'
import { styleText } from 'node:util'
import { oneLine, safeLines, type Line, type Part, type Swatch } from './text/display.js'

/**
 * Only this module writes to stdout, stderr or the console, so that it can first make every text from a service safe.
 */

/** Where lines are printed: a stream of the process, or the buffer of a test. */
export interface Output {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

type Environment = Readonly<Record<string, string | undefined>>

export function processOutputs(): { stdout: NodeJS.WriteStream; stderr: NodeJS.WriteStream } {
  const { stdout, stderr } = process
  return { stdout, stderr }
}

/**
 * Prints lines in one write, because a list may have thousands and each write takes time. Applies styles if the output
 * supports them.
 */
export function printLines(output: Output, lines: readonly Line[], env: Environment): void {
  const depth = colorDepth(output, env)
  output.write(lines.map((line) => `${render(line, depth)}\n`).join(''))
}

/** Prints several lines, such as the stack of an error. */
export function printText(output: Output, text: string): void {
  output.write(safeLines(text))
}

/** Prints JSON. @param json from `jsonText` */
export function printJson(output: Output, json: string): void {
  output.write(`${json}\n`)
}

/**
 * Runs code of the project, and redirects its stdout to stderr, because stdout contains only the result of a command.
 * @param work receives a stream that still writes to stdout
 */
export async function withoutStdout<T>(work: (stdout: Writable) => Promise<T>): Promise<T> {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  // The console calls this function, too.
  stdout.write = stderr.write.bind(stderr)
  try {
    return await work(new Writable({ write: (chunk: Uint8Array, _encoding, done) => void write(chunk, done) }))
  } finally {
    stdout.write = write
  }
}

/** Returns the text that a library prints to stdout instead of returning it. */
export function printedBy(work: () => void): string {
  const { stdout } = process
  const write = stdout.write.bind(stdout)
  let text = ''
  stdout.write = (chunk: Uint8Array | string) => {
    text += String(chunk)
    return true
  }
  try {
    work()
  } finally {
    stdout.write = write
  }
  return text
}

function render(line: Line, depth: number): string {
  const parts = typeof line === 'string' ? [line] : line
  const text = parts.map((part) => renderPart(part, depth)).join('')
  // Without styles in between, two safe parts can together form a terminal command.
  return text.includes('\u001B') ? text : oneLine(text)
}

function renderPart(part: Part, depth: number): string {
  if (typeof part === 'string') return oneLine(part)
  const text = oneLine(part.text)
  if (depth === 0) return text
  return 'style' in part ? styleText(part.style, text, { validateStream: false }) : renderSwatch(part, text, depth)
}

function renderSwatch({ codes }: Swatch, text: string, depth: number): string {
  const chosen = depth >= 24 ? codes[24] : depth >= 8 ? codes[8] : codes[4]
  return `\u001B[${chosen.map(Number).join(';')}m${text}\u001B[39m`
}

/**
 * Returns the color depth of an output in bits, or 0 if it doesn't support styles. Node derives the depth from
 * `NO_COLOR`, `FORCE_COLOR`, `COLORTERM`, `TERM` and similar variables.
 */
export function colorDepth({ isTTY = false }: Output, env: Environment): number {
  if (!isTTY && env['FORCE_COLOR'] === undefined) return 0
  const depth = WriteStream.prototype.getColorDepth(env)
  return depth > 2 ? depth : 0
}

/** Styles text for a line that a bundler prints. Returns it unchanged if stdout doesn't support styles. */
export function styled(style: Parameters<typeof styleText>[0], text: string): string {
  return styleText(style, text, { stream: process.stdout })
}

/** The logger for bundlers without a logger. */
export const consoleLog = {
  info: (message: string): void => console.info(safeLines(message)),
  warn: (message: string): void => console.warn(safeLines(message)),
  error: (message: string): void => console.error(safeLines(message)),
}
