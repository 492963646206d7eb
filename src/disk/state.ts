import { statSync } from 'node:fs'

/** Longer than the steps in which file systems count time. */
const stepMilliseconds = 2000

/**
 * Returns what shows that a file has changed. Undefined for one that may change without it, and for one that cannot be
 * found. Every change sets `ctime`, and so does a rename, but file systems count it in steps, some by a clock that
 * differs from that of this machine.
 * @param readAt when the file was read
 */
export function stateOf(path: string, readAt: number): string | undefined {
  try {
    const { ctimeMs, mtimeMs, size, ino } = statSync(path)
    return ctimeMs < readAt - stepMilliseconds ? [ctimeMs, mtimeMs, size, ino].join(' ') : undefined
  } catch {
    return undefined
  }
}
