import type { Line } from '../text/display.js'

/** The world as commands see it. */
export interface Terminal {
  /** A line of the result, to stdout. Whatever content is in it stays one line and is made safe. */
  print(this: void, line: Line): void
  /** The result as one JSON document, to stdout. */
  printJson(this: void, value: unknown): void
  /** A line beside the result, to stderr: progress, warnings. */
  note(this: void, line: Line): void
  /** Where a bar may be drawn: stderr, where that is a terminal that a person looks at. */
  screen: NodeJS.WriteStream | undefined
  /** Ends the command with exit code 1, when what is wrong has been said. */
  fail(this: void): void
  /** Aborted when the user interrupts: finish or give up within a second. */
  signal: AbortSignal
  /** Absolute: what relative paths start from. */
  cwd: string
}
