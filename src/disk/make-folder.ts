import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder of ours, also where something else is in its place or in that of a folder on the way.
 * @param root is made too, and is left alone where it is no folder
 */
export function makeFolder(root: string, folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const inTheWay = parents(root, folder).find((place) => isNoFolder(place))
    if (inTheWay === undefined) throw error
    rmSync(inTheWay)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }
}

/** A folder, and those on the way to it from `root`. */
function parents(root: string, folder: string): string[] {
  return folder.length > root.length ? [folder, ...parents(root, dirname(folder))] : []
}

function isNoFolder(path: string): boolean {
  try {
    return !lstatSync(path).isDirectory()
  } catch {
    return false
  }
}
