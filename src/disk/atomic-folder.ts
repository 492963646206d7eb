import { randomUUID } from 'node:crypto'
import { lstat, readdir, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { succeeds } from '../async/attempt.js'
import { ContentSpaceError } from '../errors.js'
import { fileError, hasCode, ignoreErrno, throwFileError, type PathOption } from './file-error.js'
import { removeEmptyFolder } from './folder.js'
import { makeFolder } from './make-folder.js'
import { retryWhileHeld } from './open-files.js'
import { isAbandoned, keepAlive, ownerTag, thisProcess } from './process.js'

/**
 * A folder that is filled beside its target, as `.content.pull-<process>-<uuid>` beside `content`, and then renamed to
 * the target, so that the target is complete at every moment. It is beside the target because a rename works within one
 * file system only.
 */
export interface StagedFolder {
  /** Absolute path of the folder to fill. */
  readonly path: string
  /**
   * Moves the folder to its target if nothing, or an empty folder, is there.
   * @returns false if the target is occupied, or if the rename fails
   */
  appear(this: void): Promise<boolean>
  /** Moves the folder to its target and removes what was there. If that fails, the target is as it was. */
  replace(this: void): Promise<void>
}

/**
 * Creates a staged folder for a target. After the work, whether it succeeds or fails, a folder that was not moved is
 * removed, and so are parent folders that were created for it and are empty. Folders of interrupted runs are removed
 * first.
 * @param command part of the folder's name, so that commands do not remove each other's folders
 * @throws ContentSpaceError `fileSystem`, and what the work throws
 */
export async function withStagedFolder<T>(
  target: string,
  command: string,
  work: (staged: StagedFolder) => Promise<T>,
  option?: PathOption,
): Promise<T> {
  const parent = dirname(target)
  const prefix = join(parent, `.${basename(target)}.${command}-`)
  const path = runPath(prefix)
  const created = makeFolder(parent, option)
  try {
    await removeAbandoned(target, prefix)
    makeFolder(path, option, target)
    const heartbeat = keepAlive(path)
    return await work({
      path,
      appear: () => appear(path, target, option),
      replace: () => replace(path, target, option),
    }).finally(heartbeat.stop)
  } finally {
    await removeFolder(path)
    if (created !== undefined) await removeEmptyParents(parent, created)
  }
}

/** Returns a new path for the folder of a run: `<prefix><process>-<uuid>`. @param prefix absolute */
export function runPath(prefix: string): string {
  return `${prefix}${ownerTag(thisProcess())}-${randomUUID()}`
}

/** Matches the part of this path after the prefix. It begins with the process. */
const ofProcess = /^\d[\da-f.]*-/

/** Returns the paths of the folders of runs, and which of them were interrupted. @param prefix absolute */
export async function findRuns(prefix: string): Promise<{ runs: string[]; abandoned: string[] }> {
  const names = await readdir(dirname(prefix)).catch(() => [])
  const paths = names.map((name) => join(dirname(prefix), name))
  const runs = paths.filter((path) => path.startsWith(prefix) && ofProcess.test(path.slice(prefix.length)))
  return { runs, abandoned: runs.filter((path) => isAbandoned(path, path.slice(prefix.length))) }
}

/**
 * Follows links to the folder itself, so that renames and writes reach it and not a link.
 * @throws ContentSpaceError `fileSystem`, also for a broken link
 */
export async function realFolder(folder: string, option?: PathOption): Promise<string> {
  try {
    const real = await realpath(folder).catch(ignoreErrno('ENOENT'))
    // Another process can create the folder in the meantime.
    const found = real === undefined ? await lstat(folder).catch(ignoreErrno('ENOENT')) : undefined
    if (found?.isSymbolicLink() !== true) return real ?? folder
  } catch (error) {
    throw fileError(error, folder, option)
  }
  throw new ContentSpaceError('fileSystem', `${folder} is a broken symbolic link.`, {
    hint: 'Create the folder that it points to, or remove the link.',
  })
}

/** Whether a folder is missing or empty. */
export async function isEmpty(folder: string, option?: PathOption): Promise<boolean> {
  const names = await readdir(folder).catch(ignoreErrno('ENOENT')).catch(throwFileError(folder, option))
  return names === undefined || names.length === 0
}

async function appear(path: string, target: string, option?: PathOption): Promise<boolean> {
  try {
    await rename(path, target)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST', 'EPERM', 'EBUSY', 'ENOTDIR', 'EXDEV')) return false
    throw fileError(error, target, option)
  }
}

async function replace(path: string, target: string, option?: PathOption): Promise<void> {
  const old = `${path}${oldSuffix}`
  const moved = !(await removeEmptyFolder(target)) && (await succeeds(rename(target, old)))
  try {
    await retryWhileHeld(() => rename(path, target))
  } catch (error) {
    if (moved) await rename(old, target)
    throw fileError(error, target, option)
  }
  await removeFolder(old)
}

/** The end of the name that a former target gets when it is moved aside. */
const oldSuffix = '-old'

/**
 * Removes folders of interrupted runs. If one of these runs had moved a former target aside, the target is moved back
 * first.
 */
async function removeAbandoned(target: string, prefix: string): Promise<void> {
  const { abandoned } = await findRuns(prefix)
  for (const path of abandoned.filter((one) => one.endsWith(oldSuffix))) await succeeds(rename(path, target))
  await Promise.all(abandoned.map(removeFolder))
}

/** Ignores failures, such as of a file that is open on Windows. A later run removes what remains. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
}

/** Removes empty folders upwards, the last of them `first`. */
async function removeEmptyParents(folder: string, first: string): Promise<void> {
  for (let path = folder; path.length >= first.length; path = dirname(path)) {
    if (!(await removeEmptyFolder(path))) return
  }
}
