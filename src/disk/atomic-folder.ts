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
 * A folder that is filled beside its target and then renamed to it, so that the target is always complete. For the
 * target `content`, its name is `.content.pull-<process>-<uuid>`. The folder is beside its target because a rename
 * works only within one file system.
 */
export interface StagedFolder {
  /** Absolute path of the folder to fill. */
  readonly path: string
  /**
   * Moves the folder to its target if the target is missing or an empty folder.
   * @returns false if the target is occupied, or if the rename fails
   */
  appear(this: void): Promise<boolean>
  /** Moves the folder to its target and removes the former target. If that fails, the target doesn't change. */
  replace(this: void): Promise<void>
}

/**
 * Creates a staged folder for a target. Removes folders of interrupted runs first. After the work, whether it succeeds
 * or fails, removes the folder if it wasn't moved, and any empty parents that were created for it.
 * @param command part of the folder's name, so that commands don't remove each other's folders
 * @throws ContentSpaceError `fileSystem`; any error of the work
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

/** Matches the process, which follows the prefix in the path of a run's folder. */
const ofProcess = /^\d[\da-f.]*-/

/**
 * Returns the paths of all folders of runs, and separately the paths of folders whose run was interrupted.
 * @param prefix absolute
 */
export async function findRuns(prefix: string): Promise<{ runs: string[]; abandoned: string[] }> {
  const names = await readdir(dirname(prefix)).catch(() => [])
  const paths = names.map((name) => join(dirname(prefix), name))
  const runs = paths.filter((path) => path.startsWith(prefix) && ofProcess.test(path.slice(prefix.length)))
  return { runs, abandoned: runs.filter((path) => isAbandoned(path, path.slice(prefix.length))) }
}

/**
 * Resolves links to a folder, so that renames and writes affect the folder rather than a link.
 * @throws ContentSpaceError `fileSystem`, including for a broken link
 */
export async function realFolder(folder: string, option?: PathOption): Promise<string> {
  try {
    const real = await realpath(folder).catch(ignoreErrno('ENOENT'))
    // Another process may have created the folder in the meantime.
    const found = real === undefined ? await lstat(folder).catch(ignoreErrno('ENOENT')) : undefined
    if (found?.isSymbolicLink() !== true) return real ?? folder
  } catch (error) {
    throw fileError(error, folder, option)
  }
  throw new ContentSpaceError('fileSystem', `${folder} is a broken symbolic link.`, {
    hint: 'Create the folder that it points to, or remove the link.',
  })
}

/** Checks whether a folder is missing or empty. */
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

/** The suffix of a former target that was moved aside. */
const oldSuffix = '-old'

/** Removes folders of interrupted runs. Moves a former target back first if one of these runs had moved it aside. */
async function removeAbandoned(target: string, prefix: string): Promise<void> {
  const { abandoned } = await findRuns(prefix)
  for (const path of abandoned.filter((one) => one.endsWith(oldSuffix))) await succeeds(rename(path, target))
  await Promise.all(abandoned.map(removeFolder))
}

/** Removes a folder. Ignores failures, such as an open file on Windows, because a later run removes the rest. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
}

/** Removes empty folders upwards, ending with `first`. */
async function removeEmptyParents(folder: string, first: string): Promise<void> {
  for (let path = folder; path.length >= first.length; path = dirname(path)) {
    if (!(await removeEmptyFolder(path))) return
  }
}
