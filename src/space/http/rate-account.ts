import { randomUUID } from 'node:crypto'
import { renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { completes } from '../../async/attempt.js'
import { takeLock, type Release } from '../../disk/process-lock.js'
import { readRegularFileSync } from '../../disk/read-file.js'
import { statsOf } from '../../disk/stats.js'

const entry = v.tuple([
  v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  v.optional(v.string(), ''),
])

/** Downloads that one process was permitted at one time: `[milliseconds, count, process]`. */
type Entry = v.InferOutput<typeof entry>

/**
 * Opens the file in which all processes of a user count their downloads. This process also remembers its own downloads,
 * which count even if the file can't be written, is damaged or is removed.
 * @param window milliseconds after which a download no longer counts
 */
export function openAccount(path: string, window: number, now: () => number) {
  const id = randomUUID()
  let own: Entry[] = []
  let writable = true
  let hasReturned = false

  const isCurrent = ([at, count]: Entry) => count > 0 && at > now() - window
  /** Treats an entry from the future as an entry from now, because it was written before the clock was set back. */
  const withKnownTime = ([at, count, process]: Entry): Entry => [Math.min(at, now()), count, process]

  return {
    /** Removes a permit that was granted at the given time and not used. The next `record` writes the change. */
    takeBack(at: number): void {
      const granted = own.find(([time, count]) => time === at && count > 0)
      if (granted) granted[1]--
      hasReturned = true
    },
    /** Locks and reads the file. Call `record` to write it and release the lock. */
    async open() {
      const release = await lockAccount(path)
      const written = readAccount(path)
      const time = now()
      const hasFuture = written.some(([at]) => at > time)
      const canWrite = release !== undefined && writable
      // If the file can't be written, ignore entries from the future, because they would never expire.
      const others = written
        .filter((one) => one[2] !== id && isCurrent(one) && (canWrite || one[0] <= time))
        .map(withKnownTime)
      own = own.map(withKnownTime).filter(isCurrent)
      return {
        time,
        /** Downloads of all processes that still count. */
        current: [...others, ...own],
        /**
         * Writes the file. Permits are recorded before they are used, so a process that is killed in between has
         * counted too many downloads rather than too few.
         */
        async record(this: void, granted: number): Promise<void> {
          if (granted > 0) own.push([time, granted, id])
          const hasChanged = granted > 0 || hasFuture || hasReturned
          hasReturned = false
          if (release && hasChanged) writable = await writeAccount(path, [...others, ...own.filter(isCurrent)])
          release?.()
        },
      }
    },
  }
}

/**
 * In milliseconds, except for `attempts`. A process holds the lock for a few milliseconds. `silence` is for an owner in
 * another container; an owner on this machine that has ended is replaced immediately. `attempts` limits retries after
 * any failure other than a held lock.
 */
const locking = { patience: 20_000, silence: 10_000, maxPause: 100, attempts: 3, pause: 20 }

/** Locks the file against other processes. @returns undefined if the lock can't be taken */
async function lockAccount(path: string): Promise<Release | undefined> {
  const { patience, silence, maxPause, attempts, pause } = locking
  const start = performance.now()
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const release = await takeLock(`${path}.lock`, { patience, silence, maxPause })
    if (release || performance.now() - start > patience) return release
    await sleep(pause)
  }
  return undefined
}

/** Reads the valid entries of a file. Treats a missing or damaged file as empty. Removes a symbolic link. */
function readAccount(path: string): Entry[] {
  try {
    if (statsOf(path)?.isSymbolicLink()) unlinkSync(path)
    const list = v.parse(v.array(v.unknown()), JSON.parse(readRegularFileSync(path).toString()))
    return list.map((one) => v.safeParse(entry, one)).flatMap(({ success, output }) => (success ? [output] : []))
  } catch {
    return []
  }
}

/** In milliseconds. Windows refuses to replace a file that a virus scanner or another process has open. */
const replacing = { attempts: 4, pause: 20 }

/**
 * Replaces the file, or overwrites it if it can't be replaced. Doesn't flush it, because it doesn't need to survive a
 * crash of the machine. The file is short, so synchronous calls are faster than the thread pool.
 * @returns whether the file was written
 */
async function writeAccount(path: string, account: readonly Entry[]): Promise<boolean> {
  const text = JSON.stringify(account)
  for (let attempt = 1; attempt <= replacing.attempts; attempt++) {
    const temporary = `${path}.${randomUUID()}`
    const isReplaced = completes(() => {
      writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 })
      renameSync(temporary, path)
    })
    if (isReplaced) return true
    completes(() => rmSync(temporary, { force: true }))
    if (attempt < replacing.attempts) await sleep(replacing.pause)
  }
  return completes(() => writeFileSync(path, text))
}
