import { lstatSync, statSync, type Stats } from 'node:fs'
import { ignoreErrno } from './file-error.js'

/** Returns the stats of a path, of a link itself; undefined if nothing is there. */
export function statsOf(path: string): Stats | undefined {
  try {
    // An error for each missing file would take several times as long.
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // A file is in the place of a folder of the path.
    return ignoreErrno('ENOTDIR')(error)
  }
}

/** Longer than the steps in which file systems count time. */
const stepMilliseconds = 2000

/**
 * Returns what shows that a file has changed. Undefined for one that may change without it. Every change sets `ctime`,
 * and so does a rename, but file systems count it in steps, some by a clock that differs from that of this machine.
 * @param readAt when the file was read
 */
export function stateOf(path: string, readAt: number): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined || stats.ctimeMs >= readAt - stepMilliseconds) return undefined
  return [stats.ctimeMs, stats.mtimeMs, stats.size, stats.ino].join(' ')
}
