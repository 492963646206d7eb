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
    const readAt = Date.now()
    const known = withoutContent.get(path)
    if (known !== undefined && known === stateOf(path, readAt)) continue
    const code = await readSource(path)
    if (!code.includes('content-space:')) {
      const state = stateOf(path, readAt)
      if (state !== undefined) withoutContent.set(path, state)
      continue
    }
    const uses = await derived.get(usesKind, [file, code], async () => (await import('./uses.js')).usesOf(code, file))
    found.push(...uses.map((use) => ({ ...use, file })))
  }
  return found
}

/**
 * Files that contain nothing to find, by path, with their state after this process had read them. A bundler that
 * watches looks for imports after each edit, and would read all other files again.
 */
const withoutContent = new Map<string, string>()

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
