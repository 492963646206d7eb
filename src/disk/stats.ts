import { lstatSync, type Stats } from 'node:fs'
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
