import type { Readable } from 'node:stream'
import { colorDepth, printJson, printLines, type Output } from '../print.js'
import { jsonText, shortLines, type Line } from '../text/display.js'

/** Everything that the command line needs from its process. Tests provide their own. */
export interface TerminalProcess {
  stdout: Output
  stderr: Output
  env: Readonly<Record<string, string | undefined>>
  /** The absolute path to which relative paths are resolved. */
  cwd: string
  /** Aborted when the user interrupts the process. The command must then end within a second. */
  signal: AbortSignal
  /** The input, for a command that is controlled by another program. */
  stdin?: Readable
  /** Asks the user a question. Absent without a user. */
  ask?: (question: string, secret: boolean, signal: AbortSignal) => Promise<string>
}

/** The only interface between a command and its process. */
export interface Terminal extends Pick<TerminalProcess, 'env' | 'cwd' | 'signal' | 'stdin'> {
  /** Prints a line of the result to stdout. Sanitizes content and keeps it on one line. */
  print(this: void, line: Line): void
  printAll(this: void, lines: readonly Line[]): void
  printJson(this: void, value: unknown): void
  /** Prints a line to stderr, such as progress. */
  note(this: void, line: Line): void
  /** Prints a warning to stderr, once. It may contain a list, one entry per line. */
  warn(this: void, warning: string): void
  /** The width of stdout in columns, if it's a terminal. Undefined for a pipe, where lines are never truncated. */
  columns: number | undefined
  colors: boolean
  /** Draws progress on stderr. Undefined if stderr isn't an interactive terminal. */
  screen: Screen | undefined
  /** Asks the user for a line and trims it. Undefined without an interactive terminal. */
  ask: ((this: void, question: string, secret?: boolean) => Promise<string>) | undefined
  /** Makes the process exit with code 1 when it ends. Call it after printing the problem. */
  fail(this: void): void
  hasFailed(this: void): boolean
  /** Erases the lines that are drawn on the screen. Call it before the process ends. */
  close(this: void): void
}

/** A terminal whose last lines can be redrawn in place. */
export interface Screen {
  readonly columns: number
  write(this: void, text: string): unknown
  /** The lines that are currently drawn. They are erased before anything else is printed. */
  readonly drawn: Set<DrawnLine>
}

export interface DrawnLine {
  erase(this: void): void
  clear(this: void): void
}

export function openTerminal({ stdin, stdout, stderr, env, cwd, signal, ask }: TerminalProcess): Terminal {
  const screen = screenOf(stderr, env)
  const warnings = new Set<string>()
  let failed = false
  const to = (output: Output): Output => {
    for (const line of screen?.drawn ?? []) line.erase()
    return output
  }
  const note: Terminal['note'] = (line) => printLines(to(stderr), [line], env)
  return {
    ...(stdin && { stdin }),
    env,
    cwd,
    signal,
    screen,
    columns: columnsOf(stdout),
    colors: colorDepth(stdout, env) > 0,
    print: (line) => printLines(to(stdout), [line], env),
    printAll: (lines) => printLines(to(stdout), lines, env),
    printJson: (value) => printJson(to(stdout), jsonText(value)),
    ask: ask && screen && (async (question, secret = false) => (await ask(question, secret, signal)).trim()),
    note,
    warn(warning) {
      if (!warnings.has(warning)) shortLines(`warning: ${warning}`).split('\n').forEach(note)
      warnings.add(warning)
    },
    fail: () => void (failed = true),
    hasFailed: () => failed,
    close: () => screen?.drawn.forEach((line) => line.clear()),
  }
}

function screenOf(stderr: Output, env: TerminalProcess['env']): Screen | undefined {
  const isInteractive = !env['CI'] && env['TERM'] !== 'dumb'
  if (columnsOf(stderr) === undefined || !isInteractive) return undefined
  return {
    drawn: new Set(),
    // Read the width each time, because the user may resize the window.
    get columns() {
      return columnsOf(stderr) ?? 0
    },
    write: (text) => stderr.write(text),
  }
}

function columnsOf({ isTTY, columns = 0 }: Output): number | undefined {
  return isTTY && columns > 0 ? columns : undefined
}
