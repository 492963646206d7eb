import { lstatSync, writeFileSync, type Stats } from 'node:fs'
import { mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { memoize } from '../async/memoize.js'
import { ContentSpaceError } from '../errors.js'
import { copyContent, hashFile, isBlank, isDamageError, smallFile, type Content } from './content.js'
import { fileError, ignoreErrno } from './errors.js'
import { createFileLimiter, retryWhileTooManyFiles, type FileLimiter } from './open-files.js'

/** Describes a pulled folder, and the files that were written to it. */
export const manifestName = 'manifest.json'

/** The result of `Folder.hash` for a link, a folder, and anything behind a link. It equals no hash. */
const notAFile = 'no plain file'

/** The files of one folder, by relative paths with forward slashes. Links in it are not followed. */
export interface Folder {
  readonly path: string
  /** False for a private staging folder: it starts empty, and no other process reads it. */
  readonly live: boolean
  /** Returns the `sha256-…` of a file, or undefined where there is nothing. */
  hash(this: void, path: string): Promise<string | undefined>
  /**
   * Whether a file is empty or contains zeros only, as files do that were being written when the machine lost power.
   */
  isBlank(this: void, path: string): Promise<boolean>
  /**
   * Writes a file. It is flushed to the disk, so that no rename survives a loss of power that the file does not. Small
   * files of a staging folder are not flushed, which would double the time of a pull: `isBlank` finds the lost ones.
   * @param aside absolute path on the same file system at which the file is written before it is renamed
   * @throws ContentSpaceError `fileSystem`
   * @throws a damage error for content that differs from its hash. Nothing is written then.
   */
  write(this: void, path: string, data: string | Content, aside?: string): Promise<void>
  /** Removes a file, and its parent folders if they are empty. */
  remove(this: void, path: string): Promise<void>
}

/** @param live see `Folder.live` */
export function openFolder(root: string, live: boolean): Folder {
  const limit = createFileLimiter()
  const ensureFolder = createFolderMaker(root)
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
        return await limit(() => hashFile(file, stats.size))
      } catch (error) {
        throw fileError(error, file)
      }
    },
    async isBlank(path) {
      return statsOf(join(root, path))?.isFile() === true && limit(() => isBlank(join(root, path)))
    },
    async write(path, data, aside) {
      const file = join(root, path)
      try {
        await ensureFolder(posix.dirname(path))
        const size = typeof data === 'string' ? data.length : data.size
        const flush = aside !== undefined || path === manifestName || size >= smallFile
        await writeData(data, { file, aside, flush, limit })
      } catch (error) {
        throw isDamageError(error) ? error : fileError(error, file)
      }
    },
    async remove(path) {
      try {
        await rm(join(root, path), { force: true })
      } catch (error) {
        throw fileError(error, join(root, path))
      }
      await removeEmptyParents(root, path)
    },
  }
}

interface WriteOptions {
  file: string
  aside: string | undefined
  flush: boolean
  limit: FileLimiter
}

async function writeData(data: string | Content, { file, aside, flush, limit }: WriteOptions): Promise<void> {
  if (typeof data === 'string' && !flush) {
    await retryWhileTooManyFiles(async () => writeFileSync(file, data, { flag: 'wx' }))
    return
  }
  await limit(async () => {
    if (typeof data === 'string') await writeFile(aside ?? file, data, { flag: 'wx', flush })
    else await copyContent(data, aside ?? file, { flush })
    if (aside !== undefined) await rename(aside, file)
  })
}

async function removeEmptyParents(root: string, path: string): Promise<void> {
  for (let parent = posix.dirname(path); parent !== '.'; parent = posix.dirname(parent)) {
    const removed = await rmdir(join(root, parent)).then(
      () => true,
      () => false,
    )
    if (!removed) return
  }
}

/** Creates a function that creates a relative folder and its parents, each once. A link in their place is an error. */
function createFolderMaker(root: string): (path: string) => Promise<void> {
  const folders = memoize(async (path): Promise<void> => {
    if (path === '.') return void (await mkdir(root, { recursive: true }))
    await folders.get(posix.dirname(path))
    await mkdir(join(root, path)).catch(ignoreErrno('EEXIST'))
    if (statsOf(join(root, path))?.isDirectory()) return
    throw new ContentSpaceError('fileSystem', `${join(root, path)} is not a folder.`, {
      hint: 'Remove it, or choose another --out.',
    })
  })
  return (path) => folders.get(path)
}

/** Creates a function that reports whether a relative folder is a link or a file, or is behind one. */
function createLinkCheck(root: string): (path: string) => boolean {
  const results = new Map<string, boolean>()
  return function isLinked(path: string): boolean {
    if (path === '.') return false
    const result: boolean =
      results.get(path) ?? (statsOf(join(root, path))?.isDirectory() === false || isLinked(posix.dirname(path)))
    results.set(path, result)
    return result
  }
}

/** Returns the stats of a link itself, or undefined where there is nothing. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch (error) {
    return ignoreErrno('ENOENT', 'ENOTDIR')(error)
  }
}
