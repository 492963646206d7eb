import { attempt } from '../async/attempt.js'
import { breathe } from '../async/breathe.js'
import { hasCode, isTooManyFiles } from '../disk/file-error.js'
import { randomUUID } from 'node:crypto'
import { lstatSync, renameSync, writeFileSync } from 'node:fs'
import { copyFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type CheckedFolders, contentPath, indexPath, unverifiedFolder } from '../disk/cache-layout.js'
import { checkContent, smallFile, type Content, type ContentInfo } from '../disk/content.js'
import { makeCacheFolder } from '../disk/make-folder.js'
import { retryWhileTooManyFiles } from '../disk/open-files.js'
import type { IndexEntry, StoreIndex } from './store-index.js'

/** A file of the store. Its hash is checked when it is read. */
type StoredFile = ContentInfo & { path: string }

export interface CacheFiles {
  /** Absolute path. */
  cacheDir: string
  index: StoreIndex
  checked: CheckedFolders
}

/*
 * These functions find and store content by key and by hash in the cache folder. They remove a folder that exists in
 * place of a file and vice versa.
 */

/**
 * Finds the content of a key. Returns undefined if the key isn't in the index, or if its file is missing or has another
 * size.
 */
export async function findByKey(files: CacheFiles, key: string): Promise<StoredFile | undefined> {
  const { cacheDir, index, checked } = files
  await breathe()
  const entry = await retryWhileTooManyFiles(async () => index.find(key)).catch(async (error: unknown) => {
    if (isTooManyFiles(error)) throw error
    await removeUnlessFile(indexPath(cacheDir, key, checked))
  })
  return entry ? findContent(files, entry.integrity, entry.size) : undefined
}

export async function addEntry({ cacheDir, index, checked }: CacheFiles, entry: IndexEntry): Promise<void> {
  try {
    index.add(entry)
  } catch (error) {
    if (isTooManyFiles(error)) throw error
    const path = indexPath(cacheDir, entry.key, checked)
    await removeUnlessFile(path)
    makeCacheFolder(cacheDir, dirname(path))
    index.add(entry)
  }
}

export async function removeIfDamaged({ cacheDir, checked }: CacheFiles, integrity: string): Promise<void> {
  const path = contentPath(cacheDir, integrity, checked)
  const stats = statOf(path)
  if (stats === undefined) return
  // Check first, because another process may have replaced the damaged file by now.
  await checkContent({ integrity, size: stats.size, path }).catch(() => remove(path))
}

/** @param size the expected size; by default, any size matches */
export async function findContent(
  { cacheDir, checked }: CacheFiles,
  integrity: string,
  size?: number,
): Promise<StoredFile | undefined> {
  const path = contentPath(cacheDir, integrity, checked)
  const stats = statOf(path)
  if (stats?.isFile() && (size === undefined || stats.size === size)) return { integrity, size: stats.size, path }
  if (stats) await remove(path)
  return undefined
}

export async function addContent({ cacheDir, checked }: CacheFiles, content: Content): Promise<StoredFile> {
  const { integrity, size } = content
  const path = contentPath(cacheDir, integrity, checked)
  const source = 'path' in content ? content.path : join(unverifiedFolder(cacheDir, checked), randomUUID())
  try {
    if ('bytes' in content) await inFolderOf(cacheDir, source, () => writeBytes(source, content.bytes))
    await inFolderOf(cacheDir, path, () => move(source, { integrity, size, path }))
  } catch (error) {
    if ('bytes' in content) await remove(source)
    throw error
  }
  return { integrity, size, path }
}

/** Runs work, and creates the folder of a path only if the work fails, because the folder almost always exists. */
async function inFolderOf(cacheDir: string, path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
    makeCacheFolder(cacheDir, dirname(path))
    await work()
  }
}

export function createUnverifiedFolder({ cacheDir, checked }: CacheFiles): string {
  const folder = unverifiedFolder(cacheDir, checked)
  makeCacheFolder(cacheDir, folder)
  return folder
}

async function writeBytes(path: string, bytes: Uint8Array): Promise<void> {
  const options = { flag: 'wx', mode: 0o600 }
  await retryWhileTooManyFiles(async () =>
    bytes.length < smallFile ? writeFileSync(path, bytes, options) : writeFile(path, bytes, options),
  )
}

/**
 * Moves a file into the store. Doesn't flush it to the disk, because reading detects content that was damaged by a
 * crash.
 */
async function move(source: string, target: StoredFile): Promise<void> {
  try {
    renameSync(source, target.path)
    return
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
    if (statOf(target.path)?.isDirectory()) {
      await remove(target.path)
      renameSync(source, target.path)
      return
    }
    if (hasCode(error, 'EXDEV')) {
      const copy = `${target.path}.${randomUUID()}`
      await copyFile(source, copy)
      await rename(copy, target.path)
    } else {
      // Windows can't replace a file that is being read, but an undamaged file doesn't need to be replaced.
      await checkContent(target).catch(() => {
        throw error
      })
    }
  }
  await rm(source, { force: true })
}

async function removeUnlessFile(path: string): Promise<void> {
  if (statOf(path)?.isFile() === false) await remove(path)
}

/** Removes a file. Ignores failures, because the next read detects the damage again and downloads the content. */
async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
}

/** Returns the stats of a file, without following links. Treats unreadable files as missing: the cache is optional. */
function statOf(path: string) {
  return attempt(() => lstatSync(path, { throwIfNoEntry: false }))
}
