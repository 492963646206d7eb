import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import lockfile from 'proper-lockfile'
import writeFileAtomic from 'write-file-atomic'
import { ContentSpaceError } from '../errors.js'
import { emptyLock, formatLock, parseLock, type Lock } from './schema.js'
import { mergeLocks } from './merge.js'

/**
 * Reads the lock of a project; an empty one where there is none.
 * @throws ContentSpaceError `invalidLock`, or `fileSystem` when the file is there and cannot be read
 */
export async function readLock(path: string): Promise<Lock> {
  const text = await readText(path)
  return text === undefined ? emptyLock : parseLock(text, path)
}

/**
 * Writes what a run has made of the lock, joined with what other processes wrote meanwhile.
 * Each state of the file is whole, and a file that would not change is not touched.
 * @param base the lock as this run read it
 * @returns whether the file has changed
 * @throws ContentSpaceError `invalidLock` when the file cannot be understood any more: it is left as it is
 */
export async function writeLock(path: string, lock: Lock, base: Lock): Promise<boolean> {
  if (formatLock(lock) === (await readText(path))) return false
  try {
    await mkdir(dirname(path), { recursive: true })
    const release = await lockfile.lock(path, {
      realpath: false,
      retries: { retries: 60, minTimeout: 50, maxTimeout: 500 },
    })
    try {
      return await writeMerged(path, lock, base)
    } finally {
      // another process may have taken over after this one slept: what it wrote was merged all the same
      await release().catch(() => undefined)
    }
  } catch (cause) {
    if (cause instanceof ContentSpaceError) throw cause
    throw new ContentSpaceError('fileSystem', `${path} cannot be written.`, { cause })
  }
}

async function writeMerged(path: string, lock: Lock, base: Lock): Promise<boolean> {
  const before = await readText(path)
  const merged = before === undefined ? lock : mergeLocks(base, lock, parseLock(before, path))
  const text = formatLock(merged)
  if (text === before) return false
  // two processes can have given one name to two assets: never write what would be refused when read
  parseLock(text, path)
  await writeFileAtomic(path, text)
  return true
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw new ContentSpaceError('fileSystem', `${path} cannot be read.`, { cause })
  }
}
