import { createHash } from 'node:crypto'
import { join, posix } from 'node:path'
import { statsOf } from './stats.js'

/** The file system's facts about files. They show, without reading the files, that none has changed. */
export interface Stamps {
  /** A digest of the sizes, times and inodes. */
  digest: string
  /**
   * The paths of the files that were changed last. A change within the same tick of the clock of the file system would
   * leave their times as they are, so these files have to be read.
   */
  recent: string[]
}

/**
 * Milliseconds. The clocks of file systems advance in steps of up to 10 ms, some that know only seconds in steps of
 * 2 s.
 */
const ticks = { fine: 100, coarse: 2500 }

/**
 * Reads the stamps of files. The time of the last change of an inode counts, which programs cannot set.
 * @param folder absolute path
 * @param paths relative to the folder, with forward slashes
 * @returns undefined if one of them is not a plain file, or is behind a link
 */
export function stampFiles(folder: string, paths: readonly string[]): Stamps | undefined {
  const folders = new Set(paths.flatMap(parentsOf))
  for (const path of folders) if (statsOf(join(folder, path))?.isDirectory() !== true) return undefined
  const digest = createHash('sha256')
  const changes: number[] = []
  for (const path of paths) {
    const stats = statsOf(join(folder, path))
    if (stats?.isFile() !== true) return undefined
    const { size, mtimeMs, ctimeMs, ino } = stats
    digest.update(`${size} ${mtimeMs} ${ctimeMs} ${ino}\n`)
    changes.push(ctimeMs)
  }
  const last = changes.reduce((latest, one) => Math.max(latest, one), 0)
  const isCoarse = changes.every((one) => one % 1000 === 0)
  const limit = last - (isCoarse ? ticks.coarse : ticks.fine)
  return { digest: digest.digest('base64'), recent: paths.filter((_, at) => (changes[at] ?? 0) >= limit) }
}

function parentsOf(path: string): string[] {
  const parent = posix.dirname(path)
  return parent === '.' ? [] : [...parentsOf(parent), parent]
}
