import { statSync } from 'node:fs'
import { attempt } from '../async/attempt.js'

/** Longer than the steps in which file systems count time. */
const stepMilliseconds = 2000

/**
 * Returns what shows that a file has changed. Undefined for one that may change without it, and for one that cannot be
 * found. Every change sets `ctime`, and so does a rename, but file systems count it in steps, some by a clock that
 * differs from that of this machine.
 */
export function stateOf(path: string, readAt: number): string | undefined {
  const stats = attempt(() => statSync(path))
  if (stats === undefined || stats.ctimeMs >= readAt - stepMilliseconds) return undefined
  return [stats.ctimeMs, stats.mtimeMs, stats.size, stats.ino].join(' ')
}
