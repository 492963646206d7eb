import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { soon } from '../../../support/long.js'
import type { Recipe } from '../../../../src/files/recipe.js'
import { contentOf } from '../../../../src/disk/content.js'
import { converters, endConverters } from '../../../support/converters.js'
import { halves } from '../../../support/pictures.js'

const recipe: Recipe = { kind: 'raster', format: 'png', fit: 'scale' }
const bytes = await halves(9, 6).png().toBuffer()

function pool(size: number) {
  const opened = openPool(size)
  onTestFinished(() => opened.close())
  return opened
}

let openPool: typeof import('../../../../src/files/convert/pool.js').openPool

beforeEach(async () => {
  await endConverters()
  ;({ openPool } = await import('../../../../src/files/convert/pool.js'))
})

let count = 0
/** Returns work with a different source for each task. */
const work = (read = async (): Promise<Uint8Array> => bytes) => ({ source: String(count++), recipe, read })

describe('openPool', () => {
  test('runs at most as many tasks as it has places, and loads the bytes of only one more', async () => {
    const { convert } = pool(2)
    let [open, most] = [0, 0]
    const all = Array.from({ length: 6 }, async () => {
      await convert(
        work(async () => {
          most = Math.max(most, ++open)
          return bytes
        }),
      )
      open--
    })
    await Promise.all(all)
    expect(most).toBeLessThanOrEqual(3)
    expect(converters().length).toBeLessThanOrEqual(2)
  })

  test('decodes pixels once for tasks that wait together, with the same bytes as separate tasks', async () => {
    const formats = ['webp', 'jpg', 'avif', 'png']
    const asked = (source: string) =>
      formats.map((format) => ({ source, recipe: { kind: 'raster', fit: 'scale', width: 5, format } as const }))
    const alone = pool(1)
    const expected: Uint8Array[] = []
    for (const one of asked('alone')) expected.push(await alone.convert({ ...one, read: async () => bytes }))
    let reads = 0
    const read = async () => {
      reads++
      return bytes
    }
    const together = pool(1)
    const [, ...made] = await Promise.all([
      together.convert(work()),
      ...asked('same').map((one) => together.convert({ ...one, read })),
    ])
    expect(made).toEqual(expected)
    expect(reads).toBe(1)
  })

  test('replaces a child that was killed', async () => {
    const { convert } = pool(1)
    await convert(work())
    const [first] = converters()
    if (first === undefined) throw new Error('no child runs')
    const killed = convert(
      work(async () => {
        process.kill(first, 'SIGKILL')
        return bytes
      }),
    )
    await expect(killed).rejects.toThrow(/ended|channel|closed/i)
    expect((await convert(work())).length).toBeGreaterThan(0)
    expect(converters()).not.toContain(first)
  })

  test('shares a child without work with other pools, and ends it after ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const opened = pool(1)
    await opened.convert(work())
    const [first] = converters()
    await turn()
    opened.close()
    await pool(2).convert(work())
    expect(converters()).toEqual([first])
    await turn()
    vi.advanceTimersByTime(10_000)
    vi.useRealTimers()
    await vi.waitFor(() => expect(converters()).toEqual([]))
    expect((await pool(1).convert(work())).length).toBeGreaterThan(0)
  })

  test('waits for a child that gets no time from a busy machine', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { convert } = pool(1)
    await convert(work())
    const [child = 0] = converters()
    const converted = convert(
      work(async () => {
        process.kill(child, 'SIGSTOP')
        return bytes
      }),
    )
    for (let turns = 0; turns < 20; turns++) await turn()
    vi.advanceTimersByTime(10 * 60_000)
    process.kill(child, 'SIGCONT')
    expect((await converted).length).toBeGreaterThan(0)
    expect(converters()).toEqual([child])
  })

  test('continues when bytes cannot be loaded', async () => {
    const { convert } = pool(1)
    await expect(convert(work(() => Promise.reject(new Error('no bytes'))))).rejects.toThrow('no bytes')
    expect((await convert(work())).length).toBeGreaterThan(0)
  })

  test('rejects waiting tasks when it is closed', async () => {
    const opened = pool(1)
    const all = Promise.allSettled(Array.from({ length: 4 }, () => opened.convert(work())))
    opened.close()
    const aborted = { status: 'rejected', reason: { code: 'aborted' } }
    expect(await all).toMatchObject([aborted, aborted, aborted, aborted])
  })

  test('rejects running tasks and checks when it is closed, and does not blame their files', async () => {
    const opened = pool(2)
    const size = { width: 16_000, height: 8000 }
    const picture = await sharp({ create: { ...size, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    const running = Promise.allSettled([
      opened.convert({ ...work(async () => picture), recipe: { ...recipe, format: 'avif' } }),
      opened.check(contentOf(picture)),
    ])
    await vi.waitUntil(() => converters().length === 2, soon)
    opened.close()
    const aborted = { status: 'rejected', reason: { code: 'aborted' } }
    expect(await running).toMatchObject([aborted, aborted])
    await vi.waitFor(() => expect(converters()).toEqual([]))
  })

  test("immediately explains why a child can't be started", async () => {
    const { execPath } = process
    onTestFinished(() => void (process.execPath = execPath))
    const { convert, check } = pool(1)
    for (const [path, code] of [
      ['/nowhere/node', 'ENOENT'],
      [import.meta.filename, 'EACCES'],
    ] as const) {
      process.execPath = path
      const message = `The process that converts files cannot be started: spawn ${path} ${code}.`
      const error = { code: 'conversionStopped', summary: message, cause: { code } }
      await expect(convert(work())).rejects.toMatchObject(error)
      await expect(check(contentOf(bytes))).rejects.toMatchObject(error)
    }
    process.execPath = execPath
    expect((await convert(work())).length).toBeGreaterThan(0)
  })

  test('passes no secret to its children', async () => {
    process.env['CONTENT_SPACE_TOKEN'] = 'canary'
    onTestFinished(() => void delete process.env['CONTENT_SPACE_TOKEN'])
    const { convert } = pool(1)
    await convert(work())
    const [pid] = converters()
    expect(pid).toBeDefined()
    expect(execFileSync('ps', ['eww', '-p', String(pid)]).toString()).not.toContain('canary')
  })

  // svgo takes minutes for this drawing, and an encoder for this picture.
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg">${'<path d="M0 0h9v9z"/>'.repeat(100_000)}</svg>`
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const

  test.each([
    ['drawing', { kind: 'svg', policy: 'trust', svgo: true }, async () => Buffer.from(drawing)],
    [
      'picture',
      { kind: 'raster', format: 'avif', fit: 'scale' },
      () =>
        sharp({ create: { width: 5000, height: 5000, channels: 3, background: '#888', noise } })
          .jpeg()
          .toBuffer(),
    ],
  ] as const)('ends with its parent, even while it converts a %s', async (_, slow, make) => {
    const source = (await make()).toString('base64')
    const code = `
      import { openPool } from ${JSON.stringify(import.meta.resolve('../../../../build/files/convert/pool.js'))}
      const bytes = Buffer.from(${JSON.stringify(source)}, 'base64')
      openPool(1).convert({ source: 'a', recipe: ${JSON.stringify(slow)}, read: async () => bytes })
    `
    const parent = spawn(process.execPath, ['--input-type=module'], { stdio: ['pipe', 'ignore', 'inherit'] })
    parent.stdin.end(code)
    const [child = 0] = await vi.waitUntil(() => {
      const found = converters(parent.pid)
      return found.length > 0 && found
    }, soon)
    await sleep(2000)
    parent.kill('SIGKILL')
    await once(parent, 'close')
    await vi.waitFor(() => expect(() => process.kill(child, 0)).toThrow('ESRCH'), soon)
  })
})
