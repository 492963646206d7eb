import { makingLockPath } from '../disk/cache-layout.js'
import { takeLock, type LockOptions, type Release } from '../disk/process-lock.js'

/** Locks for what is downloaded or converted, so that several processes do not do the same work at once. */
export interface MakingLocks {
  /** Runs work under a lock. Callers of this process share it; other processes wait. */
  run<T>(name: string, options: Pick<LockOptions, 'signal' | 'isActive'>, work: () => Promise<T>): Promise<T>
}

/** Milliseconds to wait for other processes. After that, the work is done twice. */
const patience = 300_000

export function openMakingLocks(cacheDir: string): MakingLocks {
  const held = new Map<string, { users: number; lock: Promise<Release | undefined> }>()
  return {
    async run(name, options, work) {
      const entry = held.get(name) ?? {
        users: 0,
        lock: takeLock(makingLockPath(cacheDir, name), { ...options, patience }),
      }
      held.set(name, entry)
      entry.users++
      try {
        await entry.lock
        return await work()
      } finally {
        entry.users--
        if (entry.users === 0) {
          held.delete(name)
          await entry.lock.then(
            (release) => release?.(),
            () => {},
          )
        }
      }
    },
  }
}
