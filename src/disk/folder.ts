import { mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { succeeds } from '../async/attempt.js'
import { ContentSpaceError } from '../errors.js'
import { memoize } from '../async/memoize.js'
import { copyContent, hashFile, isBlank, isDamageError, isSmall, smallFile, type Content } from './content.js'
import { makeFolder } from './make-folder.js'
import { fileError, ignoreErrno, moveHint, type PathOption } from './file-error.js'
import { createFileLimiter, retryWhileHeld, retryWhileTooManyFiles } from './open-files.js'
import { statsOf } from './stats.js'

/** The result of `Folder.hash` for links, folders and paths behind a link. It never equals a hash. */
const notAFile = 'not a plain file'

export type Folder = ReturnType<typeof openFolder>

/** Opens the files of a folder by relative paths with forward slashes. Never follows links inside the folder. */
export function openFolder(root: string, option?: PathOption, shown = root) {
  const gate = createFileLimiter()
  const folders = makeFolders(root, option, shown)
  const isLinked = createLinkCheck(root)

  /** @param work on the absolute path of a file */
  async function on<T>(path: string, work: (file: string) => T | Promise<T>): Promise<T> {
    const file = join(root, path)
    try {
      return await work(file)
    } catch (error) {
      throw isDamageError(error) ? error : fileError(error, join(shown, path), option)
    }
  }

  return {
    path: root,
    /** Returns the `sha256-…` of a file, or undefined if the path doesn't exist. */
    hash: (path: string): Promise<string | undefined> =>
      on(path, (file) => {
        const stats = statsOf(file)
        if (stats === undefined) return undefined
        if (!stats.isFile() || isLinked(posix.dirname(path))) return notAFile
        return gate(() => hashFile(file, stats.size))
      }),
    /** Checks whether a file is empty or all zeros, which can happen if the power failed during a write. */
    isBlank: (path: string) => on(path, async (file) => statsOf(file)?.isFile() === true && gate(() => isBlank(file))),
    /**
     * Writes a new file and creates its folders.
     * @param flush whether to flush the file to disk, so that it can't be empty after a later rename and a power
     *   failure. Large files are always flushed. Flushing every small file would double the time of a run, and
     *   `isBlank` later detects small files that were lost this way.
     * @throws ContentSpaceError `fileSystem`; a damage error for content that doesn't match its hash
     */
    write: (path: string, content: Content, flush: boolean) =>
      on(path, async (file) => {
        await folders.get(posix.dirname(path))
        const flushed = flush || content.size >= smallFile
        const limit = isSmall(content) && !flushed ? retryWhileTooManyFiles : gate
        await limit(() => copyContent(content, file, flushed))
      }),
    /** Moves a file from elsewhere in the file system to its place, and creates its folders. */
    move: (from: string, path: string) =>
      on(path, async (file) => {
        await folders.get(posix.dirname(path))
        await retryWhileHeld(() => rename(from, file))
      }),
    /** Removes a file, and any folders that become empty. */
    async remove(this: void, path: string): Promise<void> {
      await on(path, (file) => rm(file, { force: true }))
      for (let parent = posix.dirname(path); parent !== '.'; parent = posix.dirname(parent)) {
        if (!(await removeEmptyFolder(join(root, parent)))) return
      }
    },
  }
}

/** @returns false if the folder isn't empty or can't be removed */
export function removeEmptyFolder(path: string): Promise<boolean> {
  return succeeds(rmdir(path))
}

/**
 * Creates a function that creates folders inside a folder, each once. A link or a file at a folder's path is an error.
 */
function makeFolders(root: string, option: PathOption | undefined, shown: string) {
  const created = memoize(async (path): Promise<void> => {
    if (path === '.') return void makeFolder(root, option, shown)
    await created.get(posix.dirname(path))
    await mkdir(join(root, path)).catch(ignoreErrno('EEXIST'))
    if (statsOf(join(root, path))?.isDirectory()) return
    throw new ContentSpaceError('fileSystem', `${join(root, path)} is not a folder.`, { hint: moveHint(option) })
  })
  return created
}

/** Returns a function that checks whether a path is behind a link, or behind anything else that isn't a folder. */
function createLinkCheck(root: string): (path: string) => boolean {
  const known = new Map<string, boolean>()
  return function isLinked(path): boolean {
    if (path === '.') return false
    const linked =
      known.get(path) ?? (statsOf(join(root, path))?.isDirectory() === false || isLinked(posix.dirname(path)))
    known.set(path, linked)
    return linked
  }
}
