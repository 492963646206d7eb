import { unlinkSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import writeFileAtomic from 'write-file-atomic'
import { takeLock, type Release } from '../../disk/process-lock.js'
import { readRegularFileSync } from '../../disk/read-file.js'
import { statsOf } from '../../disk/stats.js'

const entry = v.tuple([
  v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
])

/** Downloads that were permitted at one time: `[milliseconds, count]`. */
export type Entry = v.InferOutput<typeof entry>

/**
 * Milliseconds, except for `attempts`. A process holds the lock for a few milliseconds. `silence` is for an owner in
 * another container; an owner that has ended on this machine is replaced at once. `attempts` are for failures other
 * than a lock that is held.
 */
const locking = { patience: 20_000, silence: 10_000, maxPause: 100, attempts: 3, pause: 20 }

/** Locks an account among processes. @returns undefined when the lock cannot be taken */
export async function lockAccount(path: string): Promise<Release | undefined> {
  const { patience, silence, maxPause, attempts, pause } = locking
  const start = performance.now()
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const release = await takeLock(`${path}.lock`, { patience, silence, maxPause })
    if (release || performance.now() - start > patience) return release
    await sleep(pause)
  }
  return undefined
}

/** Reads the valid entries of an account. A missing or damaged file is an empty account. A link is removed. */
export function readAccount(path: string): Entry[] {
  try {
    if (statsOf(path)?.isSymbolicLink()) unlinkSync(path)
    return v
      .parse(v.array(v.unknown()), JSON.parse(readRegularFileSync(path).toString()))
      .filter((one) => v.is(entry, one))
  } catch {
    return []
  }
}

/** Milliseconds. Windows refuses to replace a file that a virus scanner or another process has open. */
const replacing = { attempts: 4, pause: 20 }

/**
 * Replaces an account, or overwrites it where it cannot be replaced. It is not flushed: it need not survive a crash of
 * the machine. The account is short, so the synchronous calls take less time than the thread pool.
 * @returns whether the account was written
 */
export async function writeAccount(path: string, account: readonly Entry[]): Promise<boolean> {
  const text = JSON.stringify(account)
  for (let attempt = 1; attempt <= replacing.attempts; attempt++) {
    try {
      writeFileAtomic.sync(path, text, { fsync: false })
      return true
    } catch {
      if (attempt < replacing.attempts) await sleep(replacing.pause)
    }
  }
  try {
    writeFileSync(path, text)
    return true
  } catch {
    return false
  }
}

/** Removes downloads that were permitted at the given times and never sent. */
export function withoutUnused(account: readonly Entry[], unused: readonly number[]): Entry[] {
  return unused.reduce<Entry[]>(
    (left, time) => {
      const place = left.findIndex(([at]) => at === time)
      return left.flatMap(([at, count], index) =>
        index !== place ? [[at, count]] : count > 1 ? [[at, count - 1]] : [],
      )
    },
    [...account],
  )
}

/** Removes the entries of this process from an account, each once. */
export function withoutOwn(account: readonly Entry[], own: readonly Entry[]): Entry[] {
  const counts = new Map<string, number>()
  for (const one of own) counts.set(String(one), (counts.get(String(one)) ?? 0) + 1)
  return account.filter((one) => {
    const left = counts.get(String(one)) ?? 0
    counts.set(String(one), left - 1)
    return left <= 0
  })
}

export function countDownloads(account: readonly Entry[]): number {
  return account.reduce((sum, [, count]) => sum + count, 0)
}
