import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { takeLock } from '../disk/process-lock.js'
import { makeFolder } from '../disk/make-folder.js'
import { readText, replaceFile } from '../disk/replace-file.js'
import { ContentSpaceError } from '../errors.js'
import { jsonOf } from '../text/json.js'
import { formatLock } from './format.js'
import { emptyLock, parseLock, requireUniqueNames, type Lock } from './schema.js'
import { mergeLocks } from './merge.js'
import { parseOneSide, parseSides } from './sides.js'
import { fromVersion1 } from './version-1.js'

/** Milliseconds to wait for other processes that are writing the same lockfile. */
const patience = 30_000

/**
 * Reads the lockfile of a project. Returns an empty lock if the file doesn't exist.
 * @throws ContentSpaceError `invalidLock`, even if the file contains both sides of a merge; `fileSystem` if the file
 *   exists but can't be read
 */
export async function readLock(path: string): Promise<Lock> {
  const text = await readText(path)
  return text === undefined ? emptyLock : parseOneSide(text, path)
}

/**
 * Writes the lock of a run, merged with the changes that other processes have written since the run read the file.
 * Replaces the whole file, and only if its content changes.
 * @param base the lockfile as this run read it
 * @returns whether the file has changed
 * @throws ContentSpaceError `invalidLock` if the file has become invalid, which leaves it unchanged; `fileSystem`
 */
export async function writeLock(path: string, lock: Lock, base: Lock): Promise<boolean> {
  const lockPath = `${path}.lock`
  if (formatLock(lock) === (await readText(path))) {
    // A killed process may have left its lock behind.
    if (existsSync(lockPath)) (await takeLock(lockPath, { patience: 0 }))?.()
    return false
  }
  makeFolder(dirname(path))
  const release = await takeLock(lockPath, { patience })
  if (release === undefined) {
    throw new ContentSpaceError('fileSystem', `${path} cannot be written.`, {
      hint: 'Check free space, the permissions of its folder, and whether another process is writing it.',
    })
  }
  try {
    return await writeMerged(path, lock, base)
  } finally {
    release()
  }
}

async function writeMerged(path: string, lock: Lock, base: Lock): Promise<boolean> {
  const before = await readText(path)
  const isReplaced = before === undefined || fromVersion1(jsonOf(before)) !== undefined
  const merged = isReplaced ? lock : mergeLocks(base, lock, parseSides(before, path).lock)
  const text = formatLock(merged)
  if (text === before) return false
  // Two processes may assign the same name to two assets. Reject the result now rather than on the next read.
  if (merged === lock) requireUniqueNames(lock, path)
  else parseLock(text, path)
  await replaceFile(path, text)
  return true
}
