import { abortable } from '../async/abortable.js'
import { makingLockPath } from '../disk/cache-layout.js'
import { takeLock, type LockOptions, type Release } from '../disk/process-lock.js'

/** Milliseconds to wait for other processes. After that, the work is done twice. */
const patience = 300_000

/** Locks for what is downloaded or converted, so that several processes do not do the same work at once. */
export function openMakingLocks(cacheDir: string) {
  const held = new Map<string, { users: number; unused: AbortController; lock: Promise<Release | undefined> }>()

  function open(name: string, options: LockOptions) {
    const unused = new AbortController()
    const lock = takeLock(makingLockPath(cacheDir, name), { ...options, signal: unused.signal, patience })
    return { users: 0, unused, lock }
  }

  return {
    /**
     * Runs work under a lock. Callers of this process share it; other processes wait.
     * @throws ContentSpaceError `aborted` when the signal is aborted during the wait
     */
    async run<T>(
      this: void,
      name: string,
      options: Pick<LockOptions, 'signal' | 'isActive'>,
      work: () => Promise<T>,
    ): Promise<T> {
      const entry = held.get(name) ?? open(name, options)
      held.set(name, entry)
      entry.users++
      try {
        await abortable(entry.lock, options.signal)
        return await work()
      } finally {
        entry.users--
        if (entry.users === 0) {
          held.delete(name)
          // Ends the wait if all callers have aborted theirs. Without a reason, an error would be made for each file.
          entry.unused.abort(null)
          await entry.lock.then(
            (release) => release?.(),
            () => {},
          )
        }
      }
    },
  }
}
