import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { rateFolder } from '../../disk/cache-layout.js'
import {
  countDownloads,
  lockAccount,
  readAccount,
  withoutOwn,
  withoutUnused,
  writeAccount,
  type Entry,
} from './rate-account.js'
import { openRateShare, type SharedRate } from './rate-share.js'

/** Permission for one download, valid for a short time. An expired permit is exchanged for another. */
export interface Permit {
  /** When it was granted, in milliseconds. */
  at: number
  isGood(): boolean
}

/** Delays downloads to keep the rate limit. */
export interface Limiter {
  /**
   * Resolves when one more download may be sent. Rejects with the signal's reason.
   * @param unused an expired permit, which no longer counts
   */
  take(signal: AbortSignal, unused?: Permit): Promise<Permit>
  /** Tells other machines for how many milliseconds the service asks to wait. */
  pause(milliseconds: number): void
}

export interface LimiterOptions {
  /** At least 1. */
  requests: number
  seconds: number
  cacheDir: string
  /** Origin and space id: the service counts downloads of a space. */
  key: string
  /** Called every second with the milliseconds until more downloads may be sent. */
  onWait: (milliseconds: number) => void
  /** Counts the downloads of other machines, too. */
  shared?: SharedRate | undefined
  now?: () => number
  /** Waits for this number of milliseconds. */
  pause?: (milliseconds: number) => Promise<unknown>
}

/**
 * Milliseconds by which a download may reach the service later than its permit was recorded: half of them before it is
 * sent, half on the network.
 */
const margin = 1000

/**
 * Milliseconds between two changes of the account, after the first `downloads`: a change then grants several downloads
 * at once, and the account is locked and written less often.
 */
const batches = { downloads: 100, pause: 20 }

/**
 * Creates a limiter that never permits more downloads than the rate in any rolling window. All processes of a user
 * share an account of downloads, the file `rate/<key>.json` in the cache folder. Each process also remembers its own
 * downloads, which count even if the account cannot be written, is damaged or is removed.
 */
export function createLimiter({ requests, seconds, cacheDir, key, ...options }: LimiterOptions): Limiter {
  const { onWait, shared, now = Date.now, pause = sleep } = options
  const path = join(rateFolder(cacheDir), `${createHash('sha256').update(key).digest('hex').slice(0, 16)}.json`)
  const window = seconds * 1000 + margin
  const account = createAccount({ path, window, now })
  const share = openRateShare(shared, key, { requests, window }, now)
  const waiting: ((permit: Permit) => void)[] = []
  let draining = false
  let total = 0

  /** Grants as many of the waiting downloads as the account allows. Returns the milliseconds until it allows more. */
  async function grant(): Promise<number> {
    const { others, own, record } = await account.open()
    const time = now()
    const current = [...others, ...own]
    const free = Math.max(0, requests - countDownloads(current))
    const fromShare = await share.take(Math.min(free, waiting.length))
    const granted = waiting.splice(0, fromShare.granted)
    const oldest = current.reduce((least, [at]) => Math.min(least, at), time)
    const ownWait = free > 0 ? fromShare.wait : oldest + window - time
    // Computed before the account is written: a download that arrives during the write is tried again at once.
    const wait = waiting.length === 0 ? 0 : Math.max(ownWait, 10)
    await record(granted.length === 0 ? undefined : [time, granted.length])
    const permit = { at: time, isGood: () => now() >= time && now() - time <= margin / 2 }
    for (const resolve of granted) resolve(permit)
    total += granted.length
    return wait
  }

  async function drain(): Promise<void> {
    if (draining) return
    draining = true
    try {
      while (waiting.length > 0) {
        const wait = await grant()
        if (wait > 0) onWait(wait)
        if (waiting.length > 0) await pause(Math.min(wait, 1000))
        if (total > batches.downloads) await sleep(batches.pause)
      }
    } finally {
      draining = false
    }
  }

  return {
    pause: share.pause,
    take(signal, unused) {
      if (signal.aborted) return Promise.reject(signal.reason)
      if (unused) account.takeBack(unused.at)
      return new Promise((resolve, reject) => {
        const leave = () => {
          const at = waiting.indexOf(receive)
          if (at !== -1) waiting.splice(at, 1)
          reject(signal.reason)
        }
        const receive = (permit: Permit) => {
          signal.removeEventListener('abort', leave)
          resolve(permit)
        }
        signal.addEventListener('abort', leave, { once: true })
        waiting.push(receive)
        void drain()
      })
    },
  }
}

/** The shared account, together with what this process knows of its own downloads. */
interface Account {
  /** Locks and reads the account. Call `record` to write it and release the lock. */
  open(this: void): Promise<LockedAccount>
  /** Removes a permit that was granted at a time and not used. */
  takeBack(this: void, at: number): void
}

interface LockedAccount {
  /** Current downloads of other processes. */
  others: Entry[]
  /** Current downloads of this process. */
  own: Entry[]
  /**
   * Writes the account. A permit is recorded before it is used: a process that is killed in between has counted too
   * many downloads, never too few.
   */
  record(this: void, granted: Entry | undefined): Promise<void>
}

interface AccountOptions {
  path: string
  /** Milliseconds. */
  window: number
  now: () => number
}

function createAccount({ path, window, now }: AccountOptions): Account {
  let own: Entry[] = []
  /** The part of `own` that the account contains. */
  let saved: Entry[] = []
  let unused: number[] = []
  let writable = true

  const isCurrent = ([at]: Entry) => at > now() - window
  /** An entry with a time in the future was written before the clock was set back. It counts as an entry of now. */
  const withKnownTime = ([at, count]: Entry): Entry => [Math.min(at, now()), count]

  return {
    takeBack: (at) => void unused.push(at),
    async open() {
      const release = await lockAccount(path)
      const written = readAccount(path)
      const time = now()
      const future = new Set(written.filter(([at]) => at > time))
      const canWrite = release !== undefined && writable
      // If the account cannot be written, entries of the future are ignored: they would never expire.
      const others = withoutOwn(written, saved)
        .filter((one) => isCurrent(one) && (canWrite || !future.has(one)))
        .map(withKnownTime)
      own = withoutUnused(own, unused).map(withKnownTime).filter(isCurrent)
      unused = []
      return {
        others,
        own,
        async record(granted) {
          if (granted) own = [...own, granted]
          if (release && (granted || future.size > 0)) {
            writable = await writeAccount(path, [...others, ...own])
            if (writable) saved = own
          }
          release?.()
        },
      }
    },
  }
}
