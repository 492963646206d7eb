/** The world as commands see it. */
export interface Terminal {
  /** A line of the result, to stdout. */
  print(line: string): void
  /** A line beside the result, to stderr: progress, warnings. */
  note(line: string): void
  /** Aborted when the user interrupts: finish or give up within two seconds. */
  signal: AbortSignal
  /** Absolute: what relative paths start from. */
  cwd: string
}
