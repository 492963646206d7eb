import { expect, test } from 'vitest'
import { openGate } from '../../../src/remote/engines/gate.js'

const call = { signal: new AbortController().signal, progress: () => {}, answered: () => {} }

/**
 * Sends requests through a gate to an engine that takes `latency` for each. Returns the maximum number of concurrent
 * requests in each round.
 */
async function rounds(count: number, latencies: number[]): Promise<number[]> {
  let time = 0
  const gate = openGate(() => time)
  const most: number[] = []
  for (const latency of latencies) {
    const open: (() => void)[] = []
    let largest = 0
    const all = Array.from({ length: count }, () =>
      gate.pass(call, () => new Promise<void>((resolve) => void open.push(resolve))),
    )
    for (let done = 0; done < count;) {
      await new Promise(setImmediate)
      largest = Math.max(largest, open.length)
      time += latency
      done += open.length
      for (const answer of open.splice(0)) answer()
    }
    await Promise.all(all)
    most.push(largest)
  }
  return most
}

test('sends more to an engine that answers at once, and less to one that is busy', async () => {
  const [start = 0, fast = 0, busy = 0, again = 0] = await rounds(60, [5, 5, 1000, 5])
  expect(start).toBeLessThan(fast)
  expect(fast).toBe(48)
  expect(busy).toBe(48)
  expect(again).toBeLessThan(40)
})

test('passes failures on, and lets the next request through', async () => {
  const gate = openGate()
  for (let count = 0; count < 100; count++)
    await expect(gate.pass(call, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(await gate.pass(call, async () => 'next')).toBe('next')
})

test('sends what is urgent before all that waits', async () => {
  const gate = openGate()
  const sent: number[] = []
  const all = Array.from({ length: 12 }, (_, at) => gate.pass(call, async () => void sent.push(at), at === 11))
  await Promise.all(all)
  expect(sent.indexOf(11)).toBe(4)
})
