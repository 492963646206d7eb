import { createHash } from 'node:crypto'
import { mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lock } from 'proper-lockfile'
import * as v from 'valibot'
import writeFileAtomic from 'write-file-atomic'
import { rateFolder } from '../../disk/cache-layout.js'

/** Good for one download, now. One that was not used in time is exchanged for another. */
export interface Permit {
  /** When it was granted, in milliseconds. */
  at: number
  isGood(): boolean
}

/** Lets downloads begin, as many as the rate allows. */
export interface Limiter {
  /**
   * Resolves when one more download may be sent. Rejects with the signal's reason.
   * @param unused a permit that has grown old, and counts no more
   */
  take(signal: AbortSignal, unused?: Permit): Promise<Permit>
}

export interface LimiterOptions {
  requests: number
  seconds: number
  cacheDir: string
  /** Origin and space id: what the service counts by. */
  key: string
  /** Told every second of the milliseconds until more downloads may be sent. */
  onWait: (milliseconds: number) => void
  now?: () => number
  /** Waits so many milliseconds. */
  pause?: (milliseconds: number) => Promise<unknown>
}

/** Downloads by the time at which they were let go, in milliseconds, as all processes of this user see them. */
const entry = v.tuple([
  v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
])
type Entries = v.InferOutput<typeof entry>[]

/**
 * Milliseconds by which a request may reach the service later than its grant was written: half of them in hand, half
 * on its way.
 */
const margin = 1000

/**
 * Never lets more downloads go than the rate in any rolling window. The account is a file in the cache folder,
 * `rate/<key>.json`, that all processes share. What this process has let go it knows itself, too: that counts even
 * where the account cannot be written, is damaged, or is removed.
 * @param options `requests` is at least 1
 */
export function createLimiter({
  requests,
  seconds,
  cacheDir,
  key,
  onWait,
  now = Date.now,
  pause = sleep,
}: LimiterOptions): Limiter {
  const folder = rateFolder(cacheDir)
  const path = join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 16)}.json`)
  const window = seconds * 1000 + margin
  const waiting: ((permit: Permit) => void)[] = []
  /** When permits were granted that were not used. */
  let returned: number[] = []
  let own: Entries = []
  /** What the account has of that. */
  let saved: Entries = []
  let writable = true
  let draining = false

  const isCurrent = ([at]: Entries[number]) => at > now() - window
  /** What lies ahead was written before the clock was set back: when it was is not known, so it counts as just now. */
  const dated = ([at, count]: Entries[number]): Entries[number] => [Math.min(at, now()), count]

  /** What the account allows now. `wait` is the milliseconds until it allows more. */
  function grant(others: Entries): {
    account: Entries
    permit: Permit
    granted: ((permit: Permit) => void)[]
    wait: number
  } {
    const time = now()
    const current = [...others, ...own]
    const free = Math.max(0, requests - current.reduce((sum, [, count]) => sum + count, 0))
    const granted = waiting.splice(0, free)
    const permit = { at: time, isGood: () => now() >= time && now() - time <= margin / 2 }
    const oldest = current.reduce((least, [at]) => Math.min(least, at), time)
    // Who comes later was not refused, and need not wait.
    const wait = waiting.length === 0 ? 0 : Math.max(oldest + window - time, 10)
    if (granted.length > 0) own = [...own, [time, granted.length]]
    return { account: [...others, ...own], permit, granted, wait }
  }

  /** A grant is written before it is used: who is killed in between has counted too much, never too little. */
  async function settle(): Promise<number> {
    const release = await takeLock(folder, path)
    const written = await readAccount(path)
    const time = now()
    const ahead = new Set(written.filter(([at]) => at > time))
    // Where nothing can be written, what lies ahead would count as just now for ever.
    const others = without(written, saved).filter((one) => isCurrent(one) && ((release && writable) || !ahead.has(one)))
    own = takeBack(own, returned).map(dated).filter(isCurrent)
    returned = []
    const { account, permit, granted, wait } = grant(others.map(dated))
    if (release && (granted.length > 0 || ahead.size > 0)) {
      writable = await writeAccount(path, account)
      if (writable) saved = own
    }
    await release?.().catch(() => {})
    for (const go of granted) go(permit)
    return wait
  }

  async function drain(): Promise<void> {
    if (draining) return
    draining = true
    try {
      while (waiting.length > 0) {
        const wait = await settle()
        if (wait > 0) onWait(wait)
        if (waiting.length > 0) await pause(Math.min(wait, 1000))
      }
    } finally {
      draining = false
    }
  }

  return {
    take(signal, unused) {
      if (signal.aborted) return Promise.reject(signal.reason)
      if (unused) returned.push(unused.at)
      return new Promise((resolve, reject) => {
        const leave = () => {
          const at = waiting.indexOf(go)
          if (at !== -1) waiting.splice(at, 1)
          reject(signal.reason)
        }
        const go = (permit: Permit) => {
          signal.removeEventListener('abort', leave)
          resolve(permit)
        }
        signal.addEventListener('abort', leave, { once: true })
        waiting.push(go)
        void drain()
      })
    },
  }
}

/** The account without downloads that were never sent. */
function takeBack(account: Entries, unused: readonly number[]): Entries {
  return unused.reduce<Entries>((left, time) => {
    const place = left.findIndex(([at]) => at === time)
    return left.flatMap(([at, count], index) => (index !== place ? [[at, count]] : count > 1 ? [[at, count - 1]] : []))
  }, account)
}

/** The entries of other processes. */
function without(account: Entries, own: Entries): Entries {
  const left = own.map(String)
  return account.filter((one) => {
    const place = left.indexOf(String(one))
    if (place !== -1) left.splice(place, 1)
    return place === -1
  })
}

/** Milliseconds, and tries where a lock fails for another reason than that somebody has it. */
const locking = { patience: 20_000, stale: 2000, longest: 100, tries: 3 }

/** @returns undefined where no lock can be had: then this process counts for itself */
async function takeLock(folder: string, path: string): Promise<(() => Promise<void>) | undefined> {
  const start = Date.now()
  for (let [tries, failures] = [1, 0]; ; tries++) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return await lock(path, {
        realpath: false,
        // It is held for milliseconds: whoever was killed with it holds up the rest no longer than that.
        stale: locking.stale,
        // Left alone, proper-lockfile throws outside of every promise when this process was too busy to renew the lock.
        onCompromised: () => undefined,
      })
    } catch (error) {
      const held = error instanceof Error && 'code' in error && error.code === 'ELOCKED'
      if (!held) failures++
      if (failures === locking.tries || Date.now() - start > locking.patience) return undefined
      if (Date.now() - start > locking.stale) await expire(`${path}.lock`)
      await sleep(Math.random() * Math.min(locking.longest, 5 * 2 ** Math.min(tries, 10)))
    }
  }
}

/** A lock of the future is of a process from before the clock was set back. It would hold until then. */
async function expire(path: string): Promise<void> {
  const taken = await stat(path).catch(() => undefined)
  if (taken && taken.mtimeMs > Date.now() + locking.stale) await utimes(path, 0, 0).catch(() => {})
}

/** An account that cannot be read is begun anew: the service has its own. Of a damaged one, what makes sense counts. */
async function readAccount(path: string): Promise<Entries> {
  try {
    return v.parse(v.array(v.unknown()), JSON.parse(await readFile(path, 'utf8'))).filter((one) => v.is(entry, one))
  } catch {
    return []
  }
}

/** Milliseconds. Windows refuses to replace a file that a virus scanner or another process has open just then. */
const replacing = { tries: 4, pause: 20 }

/**
 * Replaces the account, or writes into it where it cannot be replaced.
 * Not flushed: it need not outlive the machine.
 * @returns whether the account is as it should be
 */
async function writeAccount(path: string, account: Entries): Promise<boolean> {
  const text = JSON.stringify(account)
  for (let tries = 1; ; tries++) {
    try {
      await writeFileAtomic(path, text, { fsync: false })
      return true
    } catch {
      if (tries === replacing.tries) break
      await sleep(replacing.pause)
    }
  }
  return writeFile(path, text).then(
    () => true,
    () => false,
  )
}
