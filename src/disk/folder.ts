import { lstatSync, writeFileSync, type Stats } from 'node:fs'
import { mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { ContentSpaceError } from '../errors.js'
import { copyContent, hashFile, isBlank, isDamageError, smallFile, type Content } from './content.js'
import { isTooManyFiles, createFileLimiter, tooManyFilesHint, retryWhileTooManyFiles } from './open-files.js'
import { memoize } from '../async/memoize.js'

/** What a pulled folder says of itself, and of what was written there. */
export const manifestName = 'manifest.json'

/** What `Folder.look` gives for a link, a folder, and whatever lies behind a link: no hash is equal to it. */
const noFile = 'no plain file'

/** The files of one folder, by paths that are relative to it, with forward slashes. No link in it is followed. */
export interface Folder {
  readonly path: string
  /** Whether there may be anything in it, and others may look. */
  readonly live: boolean
  /** The `sha256-…` of a file; undefined where nothing is. */
  hash(this: void, path: string): Promise<string | undefined>
  /**
   * Whether a file has no bytes, or none but zeros: a machine that lost its power leaves such files of those it was
   * writing.
   */
  isBlank(this: void, path: string): Promise<boolean>
  /**
   * A rename that outlives a loss of power must not show a file that does not, so files are flushed to the disk. Not so
   * small ones of a folder that nobody knows yet, which are as good as lost or whole then: the manifest tells (see
   * `isBlank`), and flushing each would cost as much as all the rest.
   * @param aside absolute path on the same file system: where the file is written until it is whole
   * @throws ContentSpaceError `fileSystem`; a damage error for content that is not what its hash says: nothing is
   *   written then
   */
  write(this: void, path: string, data: string | Content, aside?: string): Promise<void>
  /** Removes a file, and the folders that are empty then. */
  remove(this: void, path: string): Promise<void>
}

/** @param live false for a folder that is new, and that nobody knows */
export function openFolder(root: string, live: boolean): Folder {
  const gate = createFileLimiter()

  /** Makes each folder on the way. */
  const made = memoize(async (path): Promise<void> => {
    if (path === '.') return void (await mkdir(root, { recursive: true }))
    await made.get(posix.dirname(path))
    await mkdir(join(root, path)).catch(ignoreErrno('EEXIST'))
    if (statsOf(join(root, path))?.isDirectory()) return
    throw new ContentSpaceError('fileSystem', `${join(root, path)} is not a folder.`, {
      hint: 'Remove it, or choose another --out.',
    })
  })

  const links = new Map<string, boolean>()

  /** Whether a folder is one in name only, or lies in such a one. */
  function isLinked(path: string): boolean {
    if (path === '.') return false
    const known =
      links.get(path) ?? (statsOf(join(root, path))?.isDirectory() === false || isLinked(posix.dirname(path)))
    links.set(path, known)
    return known
  }

  return {
    path: root,
    live,
    async hash(path) {
      if (!live) return undefined
      const file = join(root, path)
      try {
        const stats = statsOf(file)
        if (stats === undefined) return undefined
        if (!stats.isFile() || isLinked(posix.dirname(path))) return noFile
        return await gate(() => hashFile(file, stats.size))
      } catch (error) {
        throw fileError(error, file)
      }
    },
    async isBlank(path) {
      return statsOf(join(root, path))?.isFile() === true && gate(() => isBlank(join(root, path)))
    },
    async write(path, data, aside) {
      const file = join(root, path)
      try {
        await made.get(posix.dirname(path))
        const flush =
          aside !== undefined ||
          path === manifestName ||
          (typeof data === 'string' ? data.length : data.size) >= smallFile
        if (typeof data === 'string' && !flush)
          return await retryWhileTooManyFiles(async () => writeFileSync(file, data, { flag: 'wx' }))
        await gate(async () => {
          if (typeof data === 'string') await writeFile(aside ?? file, data, { flag: 'wx', flush })
          else await copyContent(data, aside ?? file, { flush })
          if (aside !== undefined) await rename(aside, file)
        })
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
      for (let parent = posix.dirname(path); parent !== '.'; parent = posix.dirname(parent)) {
        if (
          !(await rmdir(join(root, parent)).then(
            () => true,
            () => false,
          ))
        )
          return
      }
    },
  }
}

/** Of a link itself. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch (error) {
    return ignoreErrno('ENOENT', 'ENOTDIR')(error)
  }
}

/** For errors that mean something else than a failure. */
export function ignoreErrno(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Error && 'code' in error && codes.includes(String(error.code))) return undefined
    throw error
  }
}

export function fileError(cause: unknown, path: string): unknown {
  if (cause instanceof ContentSpaceError || !(cause instanceof Error)) return cause
  return new ContentSpaceError('fileSystem', `${path} could not be read or written: ${cause.message}`, {
    hint: fileHint(cause),
    cause,
  })
}

function fileHint(cause: Error): string {
  const code = 'code' in cause ? cause.code : ''
  if (isTooManyFiles(cause)) return tooManyFilesHint
  if (code === 'ENOTDIR') return 'A file stands where a folder is wanted: choose another --out.'
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return 'The disk is full: free some space and run it again, which goes on where this run ended.'
  return 'Check free space and permissions.'
}
