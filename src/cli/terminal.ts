import type { styleText } from 'node:util'

/** The world as commands see it. */
export interface Terminal {
  /** A line of the result, to stdout. */
  print(this: void, line: string): void
  /** A line beside the result, to stderr: progress, warnings. */
  note(this: void, line: string): void
  /** Colours a part of a result, where people look at it. */
  paint(this: void, style: Parameters<typeof styleText>[0], text: string): string
  /** Where a bar may be drawn: stderr, where that is a terminal that a person looks at. */
  screen: NodeJS.WriteStream | undefined
  /** Ends the command with exit code 1, when what is wrong has been said. */
  fail(this: void): void
  /** Aborted when the user interrupts: finish or give up within a second. */
  signal: AbortSignal
  /** Absolute: what relative paths start from. */
  cwd: string
}
