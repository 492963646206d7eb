import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once, setMaxListeners } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runs, soon, timeFor } from '../../../support/long.js'
import { createLimiter, type Limiter, type Permit } from '../../../../src/space/http/rate-limit.js'

const root = mkdtempSync(join(tmpdir(), 'content-space-account-'))
const module = JSON.stringify(import.meta.resolve('../../../../build/space/http/rate-limit.js'))
const { signal } = new AbortController()
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Creates a cache folder, and returns it with the path of the account file for key `a`. */
function folder(): { cacheDir: string; account: string } {
  const cacheDir = mkdtempSync(join(root, 'cache-'))
  mkdirSync(join(cacheDir, 'rate'))
  return {
    cacheDir,
    account: join(cacheDir, 'rate', `${createHash('sha256').update('a').digest('hex').slice(0, 16)}.json`),
  }
}

interface Counting {
  limiter: Limiter
  /** The reported waits in milliseconds. */
  waits: number[]
}

function counting(cacheDir: string, now = Date.now): Counting {
  const waits: number[] = []
  return {
    waits,
    limiter: createLimiter({
      requests: 10,
      seconds: 3600,
      cacheDir,
      key: 'a',
      now,
      onWait: (wait) => waits.push(wait),
    }),
  }
}

/** Returns how many permits are granted before the limiter reports a wait. */
async function grantedOf({ limiter, waits }: Counting, wanted = 30): Promise<number> {
  const call = new AbortController()
  setMaxListeners(0, call.signal)
  const granted: Permit[] = []
  const told = waits.length
  const all = Promise.all(
    Array.from({ length: wanted }, () =>
      limiter.take(call.signal).then(
        (permit) => granted.push(permit),
        () => 0,
      ),
    ),
  )
  await expect.poll(() => granted.length === wanted || waits.length > told, soon).toBe(true)
  call.abort()
  await all
  return granted.length
}

describe('the account of downloads', () => {
  const broken: [string, (place: { cacheDir: string; account: string }) => void][] = [
    ['cannot be replaced', ({ account }) => mkdirSync(account)],
    [
      'has no folder',
      ({ cacheDir }) => {
        rmSync(join(cacheDir, 'rate'), { recursive: true })
        writeFileSync(join(cacheDir, 'rate'), '')
      },
    ],
    [
      'cannot be locked',
      ({ account }) => {
        mkdirSync(join(`${account}.lock`, 'in-the-way'), { recursive: true })
        utimesSync(`${account}.lock`, 0, 0)
      },
    ],
  ]
  test.each(broken)('that %s makes the process count on its own', async (_, damage) => {
    const place = folder()
    damage(place)
    const limiter = counting(place.cacheDir)
    expect(await grantedOf(limiter)).toBe(10)
    expect(await grantedOf(limiter)).toBe(0)
  })

  test('that is removed or damaged during a run still counts the downloads of the process itself', async () => {
    for (const damage of [(path: string) => rmSync(path), (path: string) => writeFileSync(path, '[[12')]) {
      const { cacheDir, account } = folder()
      const limiter = counting(cacheDir)
      expect(await grantedOf(limiter, 7)).toBe(7)
      damage(account)
      expect(await grantedOf(limiter)).toBe(3)
    }
  })

  test('may contain invalid entries: valid entries count, and no download waits forever', async () => {
    const { cacheDir, account } = folder()
    writeFileSync(
      account,
      `[[${Date.now()},4],[1e999,5],[${Date.now()},1e999],[${Date.now()},-1000000],[-5,1],["x",1],[1,2,3],null,{}]`,
    )
    const limiter = counting(cacheDir)
    expect(await grantedOf(limiter)).toBe(6)
    for (const wait of limiter.waits) expect(wait).toBeLessThanOrEqual(3_602_000)
  })

  test('counts the entries that a process wrote before the clock was set back', async () => {
    const { cacheDir, account } = folder()
    writeFileSync(account, JSON.stringify([[Date.now() + 36e6, 4]]))
    expect(await grantedOf(counting(cacheDir))).toBe(6)
    const [[at]]: [[number, number]] = JSON.parse(readFileSync(account, 'utf8'))
    // From now on, the entry ages.
    expect(at).toBeLessThanOrEqual(Date.now())
  })

  test('counts the downloads of the process itself before the clock was set back', async () => {
    const { cacheDir } = folder()
    let time = Date.now()
    const limiter = counting(cacheDir, () => time)
    expect(await grantedOf(limiter, 4)).toBe(4)
    time -= 36e6
    expect(await grantedOf(limiter)).toBe(6)
  })

  test('contains a returned permit only once, for every reader', async () => {
    const { cacheDir } = folder()
    let time = Date.now()
    const limiter = counting(cacheDir, () => time)
    const unused = await limiter.limiter.take(signal)
    time += 5000
    limiter.limiter.giveBack(unused)
    await limiter.limiter.take(signal)
    expect(await grantedOf(counting(cacheDir, () => time))).toBe(9)
    expect(await grantedOf(limiter)).toBe(0)
  })

  test(
    'is exact with many processes, one of which is killed',
    async () => {
      const processes = runs(8, 50)
      const { cacheDir } = folder()
      const code = `
      import { createLimiter } from ${module}
      const limiter = createLimiter({ requests: 20, seconds: 2, cacheDir: ${JSON.stringify(cacheDir)}, key: 'a', onWait: () => {} })
      const { signal } = new AbortController()
      await Promise.all(Array.from({ length: 8 }, async () => {
        await limiter.take(signal)
        console.log(Date.now())
      }))
    `
      const times: number[] = []
      const children = Array.from({ length: processes }, () =>
        spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: ['ignore', 'pipe', 'inherit'] }),
      )
      for (const child of children)
        child.stdout.on('data', (lines: Buffer) => times.push(...String(lines).trim().split('\n').map(Number)))
      const [first] = children
      first?.stdout.once('data', () => first.kill('SIGKILL'))
      await Promise.all(children.map((child) => once(child, 'close')))
      expect(times.length).toBeGreaterThanOrEqual(8 * (processes - 1))
      for (const time of times)
        expect(times.filter((other) => other >= time && other < time + 2000).length).toBeLessThanOrEqual(20)
    },
    timeFor(runs(1, 5)),
  )
})
