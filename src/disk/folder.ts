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

/** Returned by `Folder.hash` for links, for folders, and for paths behind a link. No hash has this value. */
const notAFile = 'not a plain file'

export type Folder = ReturnType<typeof openFolder>

/** The files of one folder, by paths relative to it, with forward slashes. Links inside it are never followed. */
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
    /** Returns the `sha256-…` of a file, or undefined if nothing is there. */
    hash: (path: string): Promise<string | undefined> =>
      on(path, (file) => {
        const stats = statsOf(file)
        if (stats === undefined) return undefined
        if (!stats.isFile() || isLinked(posix.dirname(path))) return notAFile
        return gate(() => hashFile(file, stats.size))
      }),
    /** Whether a file is empty or all zeros, as it can be if the power failed while it was written. */
    isBlank: (path: string) => on(path, async (file) => statsOf(file)?.isFile() === true && gate(() => isBlank(file))),
    /**
     * Writes a file that does not exist, and creates its folders.
     * @param flush whether the file is flushed to the disk, so that a later rename of it, or of its folder, never shows
     *   an empty file after a loss of power. Large files always are. Flushing every small file would take as long as
     *   everything else, and a small file that is lost this way is found later with `isBlank`.
     * @throws ContentSpaceError `fileSystem`; a damage error for content that does not match its hash
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
    /** Removes a file, and the folders that are empty afterwards. */
    async remove(this: void, path: string): Promise<void> {
      await on(path, (file) => rm(file, { force: true }))
      for (let parent = posix.dirname(path); parent !== '.'; parent = posix.dirname(parent)) {
        if (!(await removeEmptyFolder(join(root, parent)))) return
      }
    },
  }
}

/** @returns false if the folder is not empty or cannot be removed */
export function removeEmptyFolder(path: string): Promise<boolean> {
  return succeeds(rmdir(path))
}

/** Creates folders inside a folder, each once. A link or a file in the place of a folder is an error. */
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

/** Returns a check whether a path inside a folder is, or is behind, a link or anything else that is not a folder. */
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
