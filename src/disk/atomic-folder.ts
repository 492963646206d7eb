import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ContentSpaceError } from '../errors.js'
import { fileError, ignoreErrno } from './errors.js'
import { isAbandoned, keepAlive, ownerTag, thisProcess } from './process.js'

/**
 * Resolves a link to a folder, so that the folder itself is renamed or written.
 * @throws ContentSpaceError `fileSystem`, also for a broken link
 */
export async function resolveFolderLink(folder: string): Promise<string> {
  try {
    const real = await realpath(folder).catch(ignoreErrno('ENOENT'))
    const isLink = real === undefined && (await lstat(folder).catch(ignoreErrno('ENOENT'))) !== undefined
    if (!isLink) return real ?? folder
  } catch (error) {
    throw fileError(error, folder)
  }
  throw new ContentSpaceError('fileSystem', `${folder} is a broken symbolic link.`, {
    hint: 'Create its target, or remove the link.',
  })
}

/** Whether a folder is empty or missing. */
export async function isEmptyFolder(folder: string): Promise<boolean> {
  try {
    const names = await readdir(folder).catch(ignoreErrno('ENOENT'))
    return names === undefined || names.length === 0
  } catch (error) {
    throw fileError(error, folder)
  }
}

/**
 * Fills a staging folder, and renames it to its final path in one step. On failure everything is removed.
 * @param fill writes into the staging folder, which is next to the final one: a rename stays within one file system
 * @returns the result of `fill`, or undefined when another run was faster or the rename is not possible
 */
export async function createFolderAtomically<T>(
  folder: string,
  fill: (stage: string) => Promise<T>,
): Promise<T | undefined> {
  const parent = dirname(folder)
  const prefix = join(parent, `.${basename(folder)}.pull-`)
  const stage = `${prefix}${ownerTag(thisProcess())}-${randomUUID()}`
  const created = await makeFolder(parent)
  try {
    await removeAbandoned(prefix)
    await makeFolder(stage)
    const signs = keepAlive(stage)
    const filled = await fill(stage).finally(signs.stop)
    const renamed = await rename(stage, folder).then(
      () => true,
      ignoreErrno('ENOTEMPTY', 'EEXIST', 'EPERM', 'EBUSY', 'ENOTDIR', 'EXDEV'),
    )
    return renamed ? filled : undefined
  } finally {
    await rm(stage, { recursive: true, force: true })
    if (created !== undefined) await removeEmpty(parent, created)
  }
}

/** Creates a folder and its parents. @returns the topmost folder that was created */
async function makeFolder(path: string): Promise<string | undefined> {
  return mkdir(path, { recursive: true }).catch((error: unknown) => {
    throw fileError(error, path)
  })
}

/** Removes staging folders of interrupted runs. */
async function removeAbandoned(prefix: string): Promise<void> {
  const [folder, start] = [dirname(prefix), basename(prefix)]
  const names = await readdir(folder).catch(() => [])
  const abandoned = names.filter(
    (name) => name.startsWith(start) && isAbandoned(join(folder, name), name.slice(start.length)),
  )
  await Promise.all(abandoned.map((name) => rm(join(folder, name), { recursive: true, force: true })))
}

/** Removes a folder and its parents up to `first`, as long as they are empty. */
async function removeEmpty(folder: string, first: string): Promise<void> {
  for (let place = folder; place.length >= first.length; place = dirname(place)) {
    const removed = await rmdir(place).then(
      () => true,
      () => false,
    )
    if (!removed) return
  }
}
