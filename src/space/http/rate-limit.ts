import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { rateFolder } from '../../disk/cache-layout.js'
import { openAccount } from './rate-account.js'
import { openRateShare, type SharedRate } from './rate-share.js'

/** Permission for one download, valid for a short time. If it has expired, give it back and take another. */
export interface Permit {
  /** When the permit was granted, in milliseconds. */
  at: number
  /** Whether the permit counts on all machines. */
  isShared: boolean
  isGood(): boolean
}

interface LimiterOptions {
  /** At least 1. */
  requests: number
  seconds: number
  cacheDir: string
  /** Origin and space id, because the service counts downloads per space. */
  key: string
  /** Called every second with the milliseconds until more downloads are allowed. */
  onWait: (milliseconds: number) => void
  shared?: SharedRate | undefined
  now?: () => number
  pause?: (milliseconds: number) => Promise<unknown>
}

/**
 * A download may reach the service up to this many milliseconds after its permit was recorded: half of them may pass
 * before it is sent, the other half on the network.
 */
const margin = 1000

/**
 * After the first `downloads`, the file changes at most once per `pause` milliseconds. Each change then grants several
 * downloads, so the file is locked and written less often.
 */
const batches = { downloads: 100, pause: 20 }

export type Limiter = ReturnType<typeof createLimiter>

/**
 * Creates a limiter that never permits more downloads than the rate in any rolling window. All processes of a user
 * share their count in the file `rate/<key>.json` in the cache folder.
 */
export function createLimiter({ requests, seconds, cacheDir, key, ...options }: LimiterOptions) {
  const { onWait, shared, now = Date.now, pause = sleep } = options
  const path = join(rateFolder(cacheDir), `${createHash('sha256').update(key).digest('hex').slice(0, 16)}.json`)
  const window = seconds * 1000 + margin
  const account = openAccount(path, window, now)
  const share = openRateShare(shared, key, { requests, window }, now)
  const waiting: ((permit: Permit) => void)[] = []
  let draining = false
  let returning: Promise<void> | undefined
  /** The number of permits to give back to all machines. */
  let unused = 0
  let total = 0

  /** Grants as many of the waiting downloads as the rate allows. Returns the milliseconds until it allows more. */
  async function grant(): Promise<number> {
    const { time, current, record } = await account.open()
    const free = Math.max(0, requests - current.reduce((sum, [, count]) => sum + count, 0))
    const fromShare = await share.take(Math.min(free, waiting.length))
    const { isShared } = fromShare
    const granted = waiting.splice(0, fromShare.granted)
    // Downloads may have been aborted in the meantime.
    if (isShared) share.giveBack(fromShare.granted - granted.length)
    const oldest = current.reduce((least, [at]) => Math.min(least, at), time)
    const ownWait = free > 0 ? fromShare.wait : oldest + window - time
    // Computed before the file is written, so that a download that arrives during the write is retried immediately.
    const wait = waiting.length === 0 ? 0 : ownWait
    await record(granted.length)
    const permit = { at: time, isShared, isGood: () => now() >= time && now() - time <= margin / 2 }
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
        if (waiting.length > 0) await pause(Math.min(Math.max(wait, 10), 1000))
        if (total > batches.downloads) await sleep(batches.pause)
      }
    } finally {
      draining = false
    }
  }

  /** Writes the file without the permits that were given back, because many may be given back at once. */
  async function writeReturned(): Promise<void> {
    await Promise.resolve()
    returning = undefined
    share.giveBack(unused)
    unused = 0
    const { record } = await account.open()
    await record(0)
  }

  /** Gives back a permit whose download wasn't sent, so that neither this process nor another one waits for it. */
  function giveBack({ at, isShared }: Permit): void {
    account.takeBack(at)
    if (isShared) unused++
    returning ??= writeReturned()
  }

  return {
    /** Tells other machines how many milliseconds the service asks us to wait. */
    pause: share.pause,
    giveBack,
    /** Resolves when another download may be sent. Rejects with the signal's reason. */
    take(signal: AbortSignal): Promise<Permit> {
      if (signal.aborted) return Promise.reject(signal.reason)
      return new Promise((resolve, reject) => {
        const leave = () => {
          const at = waiting.indexOf(receive)
          if (at !== -1) waiting.splice(at, 1)
          reject(signal.reason)
        }
        const receive = (permit: Permit) => {
          signal.removeEventListener('abort', leave)
          // The call may have been aborted while its permit was being recorded.
          if (signal.aborted) giveBack(permit)
          else resolve(permit)
        }
        signal.addEventListener('abort', leave, { once: true })
        waiting.push(receive)
        void drain()
      })
    },
  }
}
