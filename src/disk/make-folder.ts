import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder of the cache, and its parents. A file below `root` that has the path of one of these folders
 * is removed.
 * @param root is created as well. A file in its place is an error.
 */
export function makeFolder(root: string, folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const obstacle = parents(root, folder).find((place) => isOther(place))
    if (obstacle === undefined) throw error
    rmSync(obstacle)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }
}

/** Returns a folder and its parents below `root`. */
function parents(root: string, folder: string): string[] {
  return folder.length > root.length ? [folder, ...parents(root, dirname(folder))] : []
}

/** Whether something that is not a folder is at a path. */
function isOther(path: string): boolean {
  try {
    return !lstatSync(path).isDirectory()
  } catch {
    return false
  }
}
