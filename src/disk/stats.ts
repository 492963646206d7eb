import { lstatSync, type Stats } from 'node:fs'
import { ignoreErrno } from './file-error.js'

/** Returns the stats of a path, of a link itself; undefined if nothing is there. */
export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch (error) {
    return ignoreErrno('ENOENT', 'ENOTDIR')(error)
  }
}
