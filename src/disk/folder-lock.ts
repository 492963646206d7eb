import { folderLockPath } from './cache-layout.js'
import { takeLock } from './process-lock.js'

/**
 * Runs that are about one folder work one after the other. This saves work and keeps the reports of both true; it
 * guards nothing: where no lock can be had, or one is lost, each file is whole all the same.
 * @param cacheDir where the lock is, for all processes of this user
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
