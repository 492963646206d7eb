import { statSync } from 'node:fs'
import { attempt } from '../async/attempt.js'

/** Longer than a clock tick of any file system. */
const stepMilliseconds = 2000

/**
 * Returns a fingerprint that changes with the file. Returns undefined if the file is missing, or if it changed too
 * recently for a reliable fingerprint. Every change and rename sets `ctime`, but file systems round it, and some use a
 * clock that differs from this machine's.
 */
export function stateOfFile(path: string, readAt: number): string | undefined {
  const stats = attempt(() => statSync(path))
  if (stats === undefined || stats.ctimeMs >= readAt - stepMilliseconds) return undefined
  return [stats.ctimeMs, stats.mtimeMs, stats.size, stats.ino].join(' ')
}
