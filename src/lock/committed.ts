import { basename, dirname } from 'node:path'
import { git as run } from '../disk/git.js'
import { ContentSpaceError } from '../errors.js'
import type { Lock } from './schema.js'
import { parseOneSide } from './sides.js'

/**
 * Reads the lockfile of a project from a git commit. Returns undefined if the commit doesn't contain one.
 * @param commit a git revision: `HEAD`, `origin/main`, a hash
 * @throws ContentSpaceError `invalidOption` for an unknown commit, `invalidLock`
 */
export async function readCommittedLock(lockfile: string, commit: string): Promise<Lock | undefined> {
  const git = (...args: string[]) => run(dirname(lockfile), ...args)
  const hash = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`).catch(
    (cause: unknown) => Promise.reject(unknownCommit(commit, cause)),
  )
  // Git resolves paths that begin with `./` against the working directory.
  const path = `./${basename(lockfile)}`
  const listed = await git('ls-tree', '--name-only', hash.trim(), '--', path)
  return listed === '' ? undefined : parseOneSide(await git('show', `${hash.trim()}:${path}`), `${commit}:${path}`)
}

function unknownCommit(commit: string, cause: unknown): ContentSpaceError {
  return new ContentSpaceError('invalidOption', `Git cannot find the commit ${JSON.stringify(commit)}.`, {
    hint: 'Use a commit, tag or branch of this repository. A shallow clone may have to fetch it first.',
    cause,
  })
}
