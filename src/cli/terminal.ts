import type { Line } from '../text/display.js'

/** What a command gets from the process. */
export interface Terminal {
  /** Prints a line of the result to stdout. Content in it is made safe and stays on one line. */
  print(this: void, line: Line): void
  /** Prints many lines of the result at once. */
  printAll(this: void, lines: readonly Line[]): void
  /** Prints the result as one JSON document to stdout. */
  printJson(this: void, value: unknown): void
  /** Prints a line to stderr: progress, warnings. */
  note(this: void, line: Line): void
  /** Columns of stdout, if it is a terminal. Undefined for a pipe: lines are never cut then. */
  columns: number | undefined
  /** Whether stdout shows colors. */
  colors: boolean
  /** Called before each line is printed: they remove a status line, which shares the screen. */
  beforePrint: Set<() => void>
  /** Where a progress bar can be drawn: stderr, if it is an interactive terminal. */
  screen: NodeJS.WriteStream | undefined
  /** Makes the process end with exit code 1. Call it after the problem was printed. */
  fail(this: void): void
  /** Aborted when the user interrupts. A command must end within a second of that. */
  signal: AbortSignal
  /** Absolute path that relative paths start from. */
  cwd: string
}
