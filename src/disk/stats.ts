import { lstatSync, type Stats } from 'node:fs'
import { attempt } from '../async/attempt.js'
import { ignoreErrno } from './file-error.js'

/** Returns the stats of a path without following a link; undefined if the path doesn't exist. */
export function statsOf(path: string): Stats | undefined {
  // Throwing an error for each missing file would take several times as long. ENOTDIR: a file exists where a folder
  // should be.
  return attempt(() => lstatSync(path, { throwIfNoEntry: false }), ignoreErrno('ENOTDIR'))
}
