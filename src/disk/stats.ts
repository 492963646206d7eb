import { lstatSync, type Stats } from 'node:fs'

/** Returns the stats of a path, of a link itself; undefined if nothing is there. */
export function statsOf(path: string): Stats | undefined {
  // An error for each missing file would take several times as long.
  return lstatSync(path, { throwIfNoEntry: false })
}
