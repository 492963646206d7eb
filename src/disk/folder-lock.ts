import { folderLockPath } from './cache-layout.js'
import { takeLock } from './process-lock.js'

/**
 * Runs work on a folder after that of other processes on the same folder. This avoids duplicate work and keeps the
 * reports of both correct. Files do not depend on it: if the lock cannot be taken, each is still written whole.
 * @param cacheDir contains the lock, for all processes of this user
 */
export async function withFolderLock<T>(
  folder: string,
  cacheDir: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const release = await takeLock(folderLockPath(cacheDir, folder), { signal })
  try {
    return await work()
  } finally {
    release?.()
  }
}
