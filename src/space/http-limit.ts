import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lock } from 'proper-lockfile'
import * as v from 'valibot'
import writeFileAtomic from 'write-file-atomic'

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
}

/** Downloads by the time at which they were let go, in milliseconds, as all processes of this user see them. */
const entries = v.array(v.tuple([v.number(), v.number()]))
type Entries = v.InferOutput<typeof entries>

/** Milliseconds by which a request may reach the service later than its grant was written: half of them in hand, half on its way. */
const margin = 1000

/**
 * Never lets more downloads go than the rate in any rolling window. The account is a file in the cache folder,
 * `rate/<key>.json`, that all processes share; where it cannot be written, this process counts for itself alone.
 */
export function createLimiter({ requests, seconds, cacheDir, key, onWait, now = Date.now }: LimiterOptions): Limiter {
  const folder = join(cacheDir, 'rate')
  const path = join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 16)}.json`)
  const window = seconds * 1000 + margin
  const waiting: ((permit: Permit) => void)[] = []
  /** When permits were granted that were not used. */
  let returned: number[] = []
  let own: Entries = []
  let draining = false

  /** What the account allows now. `wait` is the milliseconds until it allows more. */
  function grant(account: Entries): { account: Entries; permit: Permit; granted: ((permit: Permit) => void)[]; wait: number } {
    const time = now()
    const current = takeBack(account, returned).filter(([at]) => at > time - window && at <= time + window)
    const free = Math.max(0, requests - current.reduce((sum, [, count]) => sum + count, 0))
    const granted = waiting.splice(0, free)
    const permit = { at: time, isGood: () => now() - time <= margin / 2 }
    const oldest = Math.min(...current.map(([at]) => at))
    // Who comes later was not refused, and need not wait.
    const wait = waiting.length === 0 ? 0 : Math.max(oldest + window - time, 10)
    return { account: [...current, [time, granted.length]], permit, granted, wait }
  }

  /** A grant is written before it is used: who is killed in between has counted too much, never too little. */
  async function settle(): Promise<number> {
    const release = await takeLock(folder, path)
    const { account, permit, granted, wait } = grant(release ? await readAccount(path) : own)
    if (granted.length > 0) {
      own = account
      returned = []
      // Not flushed: it need not outlive the machine.
      if (release) await writeFileAtomic(path, JSON.stringify(account), { fsync: false }).catch(() => {})
    }
    await release?.().catch(() => {})
    for (const go of granted) go(permit)
    return wait
  }

  async function drain(): Promise<void> {
    if (draining) return
    draining = true
    while (waiting.length > 0) {
      const wait = await settle()
      if (wait > 0) onWait(wait)
      if (waiting.length > 0) await sleep(Math.min(wait, 1000))
    }
    draining = false
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
  return unused.reduce((left, time) => {
    const place = left.findIndex(([at, count]) => at === time && count > 0)
    return left.map(([at, count], index) => [at, index === place ? count - 1 : count])
  }, account)
}

/** @returns undefined where nothing can be written */
async function takeLock(folder: string, path: string): Promise<(() => Promise<void>) | undefined> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return await lock(path, {
      realpath: false,
      // It is held for milliseconds: whoever was killed with it holds up the rest no longer than that.
      stale: 2000,
      // Left alone, proper-lockfile throws outside of every promise when this process was too busy to renew the lock.
      onCompromised: () => undefined,
      retries: { retries: 200, minTimeout: 5, maxTimeout: 100 },
    })
  } catch {
    return undefined
  }
}

/** An account that cannot be read is begun anew: the service has its own. */
async function readAccount(path: string): Promise<Entries> {
  try {
    return v.parse(entries, JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return []
  }
}
