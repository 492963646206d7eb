import { hash } from 'node:crypto'
import { join, posix } from 'node:path'
import { statsOf } from './stats.js'

/** File metadata that reveals whether files have changed, without reading them. */
export interface Stamps {
  /** A digest of the sizes, times and inodes. */
  digest: string
  /**
   * The paths of the most recently changed files. They must be read, because another change within the same clock tick
   * wouldn't change their times.
   */
  recent: string[]
}

/** In milliseconds. File system clocks advance in steps of up to 10 ms, or of 2 s if they only store seconds. */
const ticks = { fine: 100, coarse: 2500 }

/**
 * Reads the stamps of files. Uses the change time of inodes, which programs can't set.
 * @param folder absolute path
 * @param paths relative to the folder, with forward slashes
 * @returns undefined if one of them isn't a plain file, or is behind a link
 */
export function stampFiles(folder: string, paths: readonly string[]): Stamps | undefined {
  const folders = new Set(paths.flatMap(parentsOf))
  for (const path of folders) if (statsOf(join(folder, path))?.isDirectory() !== true) return undefined
  const lines: string[] = []
  const changes: number[] = []
  for (const path of paths) {
    const stats = statsOf(join(folder, path))
    if (stats?.isFile() !== true) return undefined
    const { size, mtimeMs, ctimeMs, ino } = stats
    lines.push(`${size} ${mtimeMs} ${ctimeMs} ${ino}\n`)
    changes.push(ctimeMs)
  }
  const last = changes.reduce((latest, one) => Math.max(latest, one), 0)
  const isCoarse = changes.every((one) => one % 1000 === 0)
  const limit = last - (isCoarse ? ticks.coarse : ticks.fine)
  const recent = paths.filter((_, at) => (changes[at] ?? 0) >= limit)
  return { digest: hash('sha256', lines.join(''), 'base64'), recent }
}

function parentsOf(path: string): string[] {
  const parent = posix.dirname(path)
  return parent === '.' ? [] : [...parentsOf(parent), parent]
}
