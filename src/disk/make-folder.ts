import { lstatSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { attempt } from '../async/attempt.js'
import { hasCode, throwFileError, type PathOption } from './file-error.js'

/** The number of attempts while another process removes empty parents. */
const maxAttempts = 10

/**
 * Creates a folder and its parents. Node's recursive `mkdir` isn't used, because it never ends for a folder whose
 * parent exists but can't contain it, such as `/proc/icons`.
 * @param shown the path that errors name
 * @returns the first folder that was created
 * @throws ContentSpaceError `fileSystem`
 */
export function makeFolder(path: string, option?: PathOption, shown = path): string | undefined {
  return attempt(() => make(path), throwFileError(shown, option))
}

/**
 * Creates a folder of the cache, and its parents, for this user only. Removes a file that has the path of one of these
 * folders below `cacheDir`. If `cacheDir` itself is a file, that's an error.
 */
export function makeCacheFolder(cacheDir: string, folder: string): void {
  try {
    make(folder, 0o700)
  } catch (error) {
    const obstacle = parents(cacheDir, folder).find((place) => attempt(() => lstatSync(place))?.isDirectory() === false)
    if (obstacle === undefined) throw error
    rmSync(obstacle)
    make(folder, 0o700)
  }
}

function make(path: string, mode?: number): string | undefined {
  const parent = dirname(path)
  let first: string | undefined
  for (let count = 1; ; count++) {
    try {
      mkdirSync(path, { mode })
      return first ?? path
    } catch (error) {
      if (attempt(() => statSync(path))?.isDirectory()) return first
      if (!hasCode(error, 'ENOENT') || parent === path || count === maxAttempts) throw error
      first = make(parent, mode) ?? first
    }
  }
}

function parents(root: string, folder: string): string[] {
  return folder.length > root.length ? [folder, ...parents(root, dirname(folder))] : []
}
