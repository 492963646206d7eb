import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { createLimiter, type Limiter } from '../../../../src/space/http/rate-limit.js'

const cacheDir = mkdtempSync(join(tmpdir(), 'content-space-limit-'))
const { signal } = new AbortController()

afterAll(() => rmSync(cacheDir, { recursive: true, force: true }))

/** Returns the path of the account file for key `a`. */
function accountOf(folder: string): string {
  return join(folder, 'rate', `${createHash('sha256').update('a').digest('hex').slice(0, 16)}.json`)
}

/** Returns the number of downloads in the account file. */
function counted(folder: string): number {
  const account: [number, number][] = JSON.parse(readFileSync(accountOf(folder), 'utf8'))
  return account.reduce((sum, [, count]) => sum + count, 0)
}

/** Opens a limiter with the account file for key `a`. */
function open(folder: string, requests: number, now: () => number = Date.now): Limiter {
  return createLimiter({ requests, seconds: 3600, cacheDir: folder, key: 'a', onWait: () => {}, now })
}

describe('permits to download', () => {
  test('are granted immediately to a request that arrives while another one is served', async () => {
    // If the second request of each round waited for the rate limit, the rounds would exceed this test's time-out.
    for (let round = 0; round < 30; round++) {
      const folder = join(cacheDir, `at-once-${round}`)
      const limiter = open(folder, 1000)
      const first = limiter.take(signal)
      while (!existsSync(accountOf(folder))) await nextTurn()
      await Promise.all([first, limiter.take(signal)])
      expect(counted(folder)).toBe(2)
    }
  })

  test.each([0, 1, 2, 3])(
    'are given to a request that arrives %i turns after the previous one was served',
    async (turns) => {
      const limiter = open(join(cacheDir, `turns-${turns}`), 1000)
      await limiter.take(signal)
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      await limiter.take(signal)
      expect(counted(join(cacheDir, `turns-${turns}`))).toBe(2)
    },
  )

  test('are not reported as waiting when another request arrives while they are counted', async () => {
    const waits: number[] = []
    let second: Promise<unknown> | undefined
    const limiter = createLimiter({
      requests: 1000,
      seconds: 3600,
      cacheDir: join(cacheDir, 'no-wait'),
      key: 'a',
      onWait: (milliseconds) => waits.push(milliseconds),
      shared: {
        take(_key, wanted) {
          second ??= limiter.take(signal)
          return Promise.resolve({ granted: wanted, wait: 0 })
        },
        giveBack() {},
        pause() {},
      },
    })
    await limiter.take(signal)
    await second
    expect(waits).toEqual([])
  })

  test("aren't counted if they are old and unused", async () => {
    const folder = join(cacheDir, 'given-back')
    let time = 1_000_000
    const limiter = open(folder, 1, () => time)
    const old = await limiter.take(signal)
    time += 5000
    expect(old.isGood()).toBe(false)
    limiter.giveBack(old)
    const fresh = await limiter.take(signal)
    expect(fresh.isGood()).toBe(true)
    expect(counted(folder)).toBe(1)
  })

  test('no longer count when the call was aborted while they were recorded', async () => {
    const folder = join(cacheDir, 'aborted')
    // An account file that can't be written is retried several times, with pauses.
    mkdirSync(accountOf(folder), { recursive: true })
    const call = new AbortController()
    const limiter = createLimiter({
      requests: 1,
      seconds: 3600,
      cacheDir: folder,
      key: 'a',
      onWait: () => {},
      shared: {
        take: (_key, wanted) => {
          setImmediate(() => call.abort())
          return Promise.resolve({ granted: wanted, wait: 0 })
        },
        giveBack() {},
        pause() {},
      },
    })
    await expect(limiter.take(call.signal)).rejects.toThrow('aborted')
    expect((await limiter.take(signal)).isGood()).toBe(true)
  })

  test('are counted when they were used, at any age', async () => {
    const folder = join(cacheDir, 'used')
    let time = 1_000_000
    const limiter = open(folder, 1, () => time)
    await limiter.take(signal)
    time += 5000
    const granted: number[] = []
    const second = limiter.take(signal).then(() => granted.push(time))
    await sleep(200)
    time += 3_600_000
    await second
    expect(granted).toEqual([time])
  })
})
