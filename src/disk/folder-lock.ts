import { folderLockPath } from './cache-layout.js'
import { takeLock } from './process-lock.js'

/**
 * Runs work on a folder while no other process works on it, to avoid duplicate work and wrong reports. If the lock
 * can't be taken, runs the work anyway, which is safe because each file is replaced as a whole.
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
