import { folderLockPath } from './cache-layout.js'
import { takeLock } from './process-lock.js'

/**
 * Runs work on a folder when no other process works on it. This avoids duplicate work and keeps the reports of both
 * correct. If the lock cannot be taken, the work runs all the same: each file is replaced as a whole.
 * @param cacheDir contains the lock, for all processes of this user
 */
export async function withFolderLock<T>(
  folder: string,
  cacheDir: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const release = await takeLock(folderLockPath(cacheDir, folder), { signal })
  return work().finally(() => release?.())
}
