import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { noDerived, type Derived } from '../disk/derived.js'
import { ContentSpaceError } from '../errors.js'
import { compareStrings } from '../text/compare.js'
import { findFiles } from './find-files.js'
import { usesKind, type Use } from './use.js'

export type { Use } from './use.js'

/**
 * Finds every use of a `content-space:` module in the source files of a project.
 * @param globs option `scan`
 * @param derived the parser is loaded only for files whose uses it does not have
 * @returns sorted by file and line
 * @throws ContentSpaceError `fileSystem` for a file that cannot be read
 */
export async function scanSources(
  root: string,
  globs: readonly string[],
  derived: Derived = noDerived,
): Promise<Use[]> {
  const files = await findFiles(root, globs)
  const found: Use[] = []
  for (const [file, path] of [...files].toSorted(([a], [b]) => compareStrings(a, b))) {
    const uses = await usesIn(file, path, derived)
    found.push(...uses.map((use) => ({ ...use, file })))
  }
  return found
}

async function usesIn(file: string, path: string, derived: Derived): Promise<readonly Use[]> {
  const readAt = Date.now()
  const known = scanned.get(path)
  // Values that are derived are kept while they are asked for.
  if (known && (known.uses.length === 0 || derived === noDerived) && known.state === stateOf(path, readAt))
    return known.uses
  const code = await readSource(path)
  const make = async () => (await import('./uses.js')).usesOf(code, file)
  const uses = code.includes('content-space:') ? await derived.get(usesKind, [file, code], make) : []
  const state = stateOf(path, readAt)
  if (state !== undefined) scanned.set(path, { state, uses })
  return uses
}

/** What files contain, by path, with their state. A bundler that watches looks for imports after each edit. */
const scanned = new Map<string, { state: string; uses: readonly Use[] }>()

/** Longer than the steps in which file systems count time. */
const stepMilliseconds = 2000

/**
 * Returns what shows that a file has changed. Undefined for one that may change without it. Every change sets `ctime`,
 * and so does a rename, but file systems count it in steps, some by a clock that differs from that of this machine.
 * @param readAt when the file was read
 */
export function stateOf(path: string, readAt: number): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined || stats.ctimeMs >= readAt - stepMilliseconds) return undefined
  return [stats.ctimeMs, stats.mtimeMs, stats.size, stats.ino].join(' ')
}

async function readSource(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    // An editor that saves a file may remove it for a moment.
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return ''
    throw new ContentSpaceError('fileSystem', `${path} cannot be read.`, { cause, hint: String(cause) })
  }
}
