import { statSync } from 'node:fs'
import { attempt } from '../async/attempt.js'

/** Longer than the steps of time in file systems. */
const stepMilliseconds = 2000

/**
 * Returns a text that changes with the file. Undefined for a file that may change without it, and for one that can't be
 * found. Every change and every rename sets `ctime`, but file systems count it in steps, some by a clock that differs
 * from the clock of this machine.
 */
export function stateOfFile(path: string, readAt: number): string | undefined {
  const stats = attempt(() => statSync(path))
  if (stats === undefined || stats.ctimeMs >= readAt - stepMilliseconds) return undefined
  return [stats.ctimeMs, stats.mtimeMs, stats.size, stats.ino].join(' ')
}
