import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { readlink, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fileError, hasCode, ignoreErrno, notOurs, throwFileError, type PathOption } from './file-error.js'
import { makeFolder } from './make-folder.js'
import { retryWhileHeld } from './open-files.js'
import { readRegularFile } from './read-file.js'

/**
 * Reads a text file. Normalizes line ends to `\n`, because git may have changed them.
 * @returns undefined if the file doesn't exist
 * @throws ContentSpaceError `fileSystem`
 */
export async function readText(path: string, option?: PathOption): Promise<string | undefined> {
  const bytes = await readRegularFile(path).catch(ignoreErrno('ENOENT')).catch(throwFileError(path, option))
  return bytes?.toString().replaceAll('\r\n', '\n')
}

/**
 * Writes a file beside its target and renames it, so that the target is complete at all times. Creates its folder,
 * follows a link, and keeps the owner of an existing file.
 * @param options.mode defaults to the mode of the existing file
 * @throws ContentSpaceError `fileSystem`
 */
export async function replaceFile(
  path: string,
  data: string | Buffer,
  { mode, option }: { mode?: number; option?: PathOption } = {},
): Promise<void> {
  // Load it only here, because most builds don't write anything.
  const { default: writeFileAtomic } = await import('write-file-atomic')
  try {
    makeFolder(dirname(path))
    const options = { ...whole(data), ...(mode !== undefined && { mode }) }
    const target = (await realpath(path).catch(ignoreErrno('ENOENT'))) ?? (await endOfLinks(path))
    await retryWhileHeld(() => writeFileAtomic(target, '', options))
  } catch (error) {
    throw fileError(error, path, option)
  }
}

/**
 * Returns the end of a chain of links even if it doesn't exist yet, because write-file-atomic would replace the first
 * link.
 */
async function endOfLinks(path: string): Promise<string> {
  const next = await readlink(path).catch(ignoreErrno('ENOENT', 'EINVAL'))
  return next === undefined ? path : endOfLinks(resolve(await realpath(dirname(path)), next))
}

/**
 * Returns the options that make write-file-atomic write all data. By itself, it writes only once, and replaces the file
 * even if a full disk has stored only part of the data.
 */
export function whole(data: string | Buffer): { tmpfileCreated: (temporary: string) => void } {
  return {
    tmpfileCreated(temporary) {
      // The temporary file has the mode of the file that it replaces, which may be read-only. The mode is set again
      // afterwards.
      const { mode } = statSync(temporary)
      if ((mode & 0o200) === 0) chmodSync(temporary, mode | 0o200)
      writeFileSync(temporary, data)
    },
  }
}

/**
 * Writes a file to a path that doesn't exist, not even as a broken link. Removes a partial file on failure.
 * @throws ContentSpaceError `fileSystem`
 */
export async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) await rm(path, { force: true })
    throw fileError(error, path)
  }
}

/**
 * Writes text to a file unless the file already contains it. Doesn't replace a file that this package didn't write.
 * @param isOurs checks whether this package wrote the existing text
 * @returns whether the file has changed
 * @throws ContentSpaceError `fileSystem`
 */
export async function replaceOwn(path: string, text: string, isOurs: (before: string) => boolean): Promise<boolean> {
  const before = await readText(path)
  if (before === text) return false
  if (before !== undefined && before.trim() !== '' && !isOurs(before)) throw notOurs(path)
  await replaceFile(path, text)
  return true
}
