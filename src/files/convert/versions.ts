import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import type { Task } from '../recipe.js'

const require = createRequire(import.meta.url)

/** What makes each kind of file. A picture is not made again because a library for drawings changed. */
const makers: Readonly<Record<Task['kind'], readonly string[]>> = {
  raster: ['sharp'],
  svg: ['svgo', 'css-tree', 'parse5', 'saxes'],
  check: ['parse5', 'saxes'],
}

/**
 * The versions of what makes files, for cache keys: another version may give other bytes for the same recipe.
 * Read from their package.json, so that a build whose files are all made loads none of them.
 */
export function engineVersions(kind: Task['kind']): string {
  return makers[kind].map((name) => `${name}@${versionOf(name)}`).join(' ')
}

function versionOf(name: string): string {
  const main = require.resolve(name)
  const folder = join('node_modules', name)
  const end = main.lastIndexOf(folder + sep)
  const root = end === -1 ? dirname(main) : main.slice(0, end + folder.length)
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return version
}
