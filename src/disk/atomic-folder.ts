import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ContentSpaceError } from '../errors.js'
import { fileError, ignoreErrno } from './folder.js'
import { isAbandoned, keepAlive, ownerTag, thisProcess } from './process.js'

/**
 * Where a link leads: what is renamed or written is the folder itself.
 * @throws ContentSpaceError `fileSystem`, also for a link that leads nowhere
 */
export async function resolveFolderLink(folder: string): Promise<string> {
  try {
    const real = await realpath(folder).catch(ignoreErrno('ENOENT'))
    const isLink = real === undefined && (await lstat(folder).catch(ignoreErrno('ENOENT'))) !== undefined
    if (!isLink) return real ?? folder
  } catch (error) {
    throw fileError(error, folder)
  }
  throw new ContentSpaceError('fileSystem', `${folder} is a link that leads nowhere.`, {
    hint: 'Make the folder that it leads to, or remove it.',
  })
}

export async function isEmptyFolder(folder: string): Promise<boolean> {
  try {
    const names = await readdir(folder).catch(ignoreErrno('ENOENT'))
    return names === undefined || names.length === 0
  } catch (error) {
    throw fileError(error, folder)
  }
}

/**
 * Fills a folder aside and lets it appear with one rename. Whatever fails, nothing is left behind.
 * @param fill gets a folder beside the one that is to be, for a rename works on one file system alone
 * @returns undefined when another run was faster, or the place cannot be renamed to
 */
export async function createFolderAtomically<T>(
  folder: string,
  fill: (stage: string) => Promise<T>,
): Promise<T | undefined> {
  const parent = dirname(folder)
  const prefix = join(parent, `.${basename(folder)}.pull-`)
  const stage = `${prefix}${ownerTag(thisProcess())}-${randomUUID()}`
  const made = await makeFolder(parent)
  try {
    await sweep(prefix)
    await makeFolder(stage)
    const beat = keepAlive(stage)
    const filled = await fill(stage).finally(beat.stop)
    const appeared = await rename(stage, folder).then(
      () => true,
      ignoreErrno('ENOTEMPTY', 'EEXIST', 'EPERM', 'EBUSY', 'ENOTDIR', 'EXDEV'),
    )
    return appeared ? filled : undefined
  } finally {
    await rm(stage, { recursive: true, force: true })
    if (made !== undefined) await removeEmpty(parent, made)
  }
}

/** @returns the first folder that was made */
async function makeFolder(path: string): Promise<string | undefined> {
  return mkdir(path, { recursive: true }).catch((error: unknown) => {
    throw fileError(error, path)
  })
}

/** Removes what runs have left that were killed. */
async function sweep(prefix: string): Promise<void> {
  const [folder, start] = [dirname(prefix), basename(prefix)]
  const names = await readdir(folder).catch(() => [])
  const left = names.filter(
    (name) => name.startsWith(start) && isAbandoned(join(folder, name), name.slice(start.length)),
  )
  await Promise.all(left.map((name) => rm(join(folder, name), { recursive: true, force: true })))
}

/** Up to the first folder that was made. */
async function removeEmpty(folder: string, first: string): Promise<void> {
  for (let place = folder; place.length >= first.length; place = dirname(place)) {
    if (
      !(await rmdir(place).then(
        () => true,
        () => false,
      ))
    )
      return
  }
}
