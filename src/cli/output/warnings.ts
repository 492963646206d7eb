import type { Terminal } from '../terminal.js'

/** Prints warnings to stderr. A warning may contain a list, one entry per line. */
export function printWarnings(warnings: readonly string[], { note }: Pick<Terminal, 'note'>): void {
  for (const warning of warnings) for (const line of `warning: ${warning}`.split('\n')) note(line)
}
