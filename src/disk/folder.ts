import { writeFileSync } from 'node:fs'
import { mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { ContentSpaceError } from '../errors.js'
import { memoize, type Memoized } from '../async/memoize.js'
import { copyContent, hashFile, isBlank, isDamageError, isSmall, smallFile, type Content } from './content.js'
import { fileError, ignoreErrno, moveHint } from './file-error.js'
import { makeFolder } from './make-folder.js'
import { createFileLimiter, retryWhileTooManyFiles, type FileLimiter } from './open-files.js'
import { statsOf } from './stats.js'

/** Returned by `Folder.hash` for links, for folders, and for paths behind a link. No hash has this value. */
const notAFile = 'not a plain file'

/** The files of one folder, by paths relative to it, with forward slashes. Links inside it are never followed. */
export interface Folder {
  readonly path: string
  /** Whether other processes can see the folder. False for a staging folder, which is new and empty. */
  readonly live: boolean
  /** Returns the `sha256-…` of a file, or undefined if nothing is there. */
  hash(this: void, path: string): Promise<string | undefined>
  /** Whether a file is empty or all zeros, as it can be if the power failed while it was written. */
  isBlank(this: void, path: string): Promise<boolean>
  /**
   * Writes a file and creates its folders.
   * @throws ContentSpaceError `fileSystem`; a damage error for content that does not match its hash, before the file
   *   appears
   */
  write(this: void, path: string, data: string | Content, options?: WriteOptions): Promise<void>
  /** Removes a file, and the folders that are empty afterwards. */
  remove(this: void, path: string): Promise<void>
}

interface WriteOptions {
  /** Absolute path on the same file system. The file is written and flushed there, then renamed to its place. */
  temporary?: string
  /**
   * Flushes the file to the disk, so that a later rename of its folder never shows an empty file after a loss of
   * power. Default: only large files. Flushing every small file would take as long as everything else, and a small
   * file that is lost this way is found later with `isBlank`.
   */
  flush?: boolean
}

/**
 * @param live false for a staging folder, which is new and empty
 * @param option the option of a command that names the folder, for errors
 */
export function openFolder(root: string, live: boolean, option?: '--out'): Folder {
  const gate = createFileLimiter()
  const folders = createFolders(root, option)
  const isLinked = createLinkCheck(root)
  return {
    path: root,
    live,
    async hash(path) {
      if (!live) return undefined
      const file = join(root, path)
      try {
        const stats = statsOf(file)
        if (stats === undefined) return undefined
        if (!stats.isFile() || isLinked(posix.dirname(path))) return notAFile
        return await gate(() => hashFile(file, stats.size))
      } catch (error) {
        throw fileError(error, file, option)
      }
    },
    async isBlank(path) {
      return statsOf(join(root, path))?.isFile() === true && gate(() => isBlank(join(root, path)))
    },
    async write(path, data, options = {}) {
      const file = join(root, path)
      try {
        await folders.get(posix.dirname(path))
        await writeData(file, data, options, gate)
      } catch (error) {
        throw isDamageError(error) ? error : fileError(error, file, option)
      }
    },
    async remove(path) {
      try {
        await rm(join(root, path), { force: true })
      } catch (error) {
        throw fileError(error, join(root, path), option)
      }
      for (let parent = posix.dirname(path); parent !== '.'; parent = posix.dirname(parent)) {
        if (!(await removeEmptyFolder(join(root, parent)))) return
      }
    },
  }
}

/** @returns false if the folder is not empty or cannot be removed */
export function removeEmptyFolder(path: string): Promise<boolean> {
  return rmdir(path).then(
    () => true,
    () => false,
  )
}

async function writeData(
  file: string,
  data: string | Content,
  { temporary, flush: flushed = false }: WriteOptions,
  gate: FileLimiter,
): Promise<void> {
  const size = typeof data === 'string' ? data.length : data.size
  const flush = flushed || temporary !== undefined || size >= smallFile
  if (typeof data === 'string' && !flush) {
    await retryWhileTooManyFiles(async () => writeFileSync(file, data, { flag: 'wx' }))
    return
  }
  const limit = typeof data !== 'string' && !flush && isSmall(data) ? retryWhileTooManyFiles : gate
  await limit(async () => {
    if (typeof data === 'string') await writeFile(temporary ?? file, data, { flag: 'wx', flush })
    else await copyContent(data, temporary ?? file, { flush })
    if (temporary !== undefined) await rename(temporary, file)
  })
}

/** Creates folders inside a folder, each once. A link or a file in the place of a folder is an error. */
function createFolders(root: string, option?: '--out'): Memoized<void> {
  const created = memoize(async (path): Promise<void> => {
    if (path === '.') return void makeFolder(root, option)
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
