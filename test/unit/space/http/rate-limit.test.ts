import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { createLimiter } from '../../../../src/space/http/rate-limit.js'

const cacheDir = mkdtempSync(join(tmpdir(), 'content-space-limit-'))
const { signal } = new AbortController()

afterAll(() => rmSync(cacheDir, { recursive: true, force: true }))

/** Where the account of key `a` is. */
function accountOf(folder: string): string {
  return join(folder, 'rate', `${createHash('sha256').update('a').digest('hex').slice(0, 16)}.json`)
}

/** How many downloads it counts. */
function counted(folder: string): number {
  const account: [number, number][] = JSON.parse(readFileSync(accountOf(folder), 'utf8'))
  return account.reduce((sum, [, count]) => sum + count, 0)
}

describe('permits to download', () => {
  test('are given at once to those who come while others get theirs', async () => {
    // Were the second to wait for the rate, all together would last longer than this test may.
    for (let round = 0; round < 30; round++) {
      const folder = join(cacheDir, `at-once-${round}`)
      const limiter = createLimiter({ requests: 1000, seconds: 3600, cacheDir: folder, key: 'a', onWait: () => {} })
      const first = limiter.take(signal)
      while (!existsSync(accountOf(folder))) await nextTurn()
      await Promise.all([first, limiter.take(signal)])
      expect(counted(folder)).toBe(2)
    }
  }, 20_000)

  test.each([0, 1, 2, 3])('are given to who comes %i turns after the last one was served', async (turns) => {
    const limiter = createLimiter({
      requests: 1000,
      seconds: 3600,
      cacheDir: join(cacheDir, `turns-${turns}`),
      key: 'a',
      onWait: () => {},
    })
    await limiter.take(signal)
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    await limiter.take(signal)
    expect(counted(join(cacheDir, `turns-${turns}`))).toBe(2)
  })

  test('count no more when they have grown old and were not used', async () => {
    const folder = join(cacheDir, 'given-back')
    let time = 1_000_000
    const limiter = createLimiter({
      requests: 1,
      seconds: 3600,
      cacheDir: folder,
      key: 'a',
      onWait: () => {},
      now: () => time,
    })
    const old = await limiter.take(signal)
    time += 5000
    expect(old.isGood()).toBe(false)
    const fresh = await limiter.take(signal, old)
    expect(fresh.isGood()).toBe(true)
    expect(counted(folder)).toBe(1)
  })

  test('count when they were used, however old', async () => {
    const folder = join(cacheDir, 'used')
    let time = 1_000_000
    const limiter = createLimiter({
      requests: 1,
      seconds: 3600,
      cacheDir: folder,
      key: 'a',
      onWait: () => {},
      now: () => time,
    })
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
