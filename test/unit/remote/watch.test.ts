import { expect, test } from 'vitest'
import type { RemoteEngine } from '../../../src/remote/engine.js'
import { openWatch } from '../../../src/remote/watch.js'

/** Returns a clock whose pauses end immediately, and an engine that answers after `delay` milliseconds. */
function setUp(delay = 0) {
  let time = 0
  const held = new Set<string>()
  const asked: string[][] = []
  const pauses: number[] = []
  const leases = {
    take: async () => false,
    renew: async () => false,
    release: async () => {},
    async held(names: readonly string[]) {
      asked.push([...names])
      time += delay
      return held
    },
  }
  const { signal } = new AbortController()
  const engine = { leases } satisfies Partial<RemoteEngine>
  const watch = openWatch({
    duration: 4000,
    clock: {
      now: () => time,
      async sleep(milliseconds) {
        pauses.push(milliseconds)
        time += milliseconds
        await new Promise((resolve) => setImmediate(resolve))
      },
    },
    // The watch doesn't use anything else of an engine.
    connection: {
      signal,
      ask: (work) => work(Object.assign(Object.create(null), engine), { signal, progress() {}, answered() {} }),
    },
  })
  return { watch, held, asked, pauses }
}

test('checks all leases together, and frees those without a holder', async () => {
  const { watch, held, asked } = setUp()
  held.add('a').add('b')
  const done: string[] = []
  const waits = ['a', 'b', 'c'].map((name) => watch.untilFree(name, 60_000).then(() => done.push(name)))
  await waits[2]
  expect(done).toEqual(['c'])
  expect(asked[0]).toEqual(['a', 'b', 'c'])
  held.delete('a')
  await waits[0]
  held.clear()
  await Promise.all(waits)
  expect(done).toEqual(['c', 'a', 'b'])
  const looks = asked.length
  await watch.untilFree('d', 60_000)
  expect(asked).toHaveLength(looks + 1)
})

test('ends a wait after its limit', async () => {
  const { watch, held } = setUp()
  held.add('a').add('b')
  await Promise.race([watch.untilFree('a', 5000), watch.untilFree('b', 600_000)])
})

test('polls a slow engine less often', async () => {
  const [fast, slow] = [setUp(), setUp(500)]
  for (const { watch, held } of [fast, slow]) {
    held.add('a')
    await watch.untilFree('a', 20_000)
  }
  expect(Math.max(...fast.pauses)).toBeLessThanOrEqual(800)
  expect(slow.asked.length).toBeLessThan(fast.asked.length / 2)
})
