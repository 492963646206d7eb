import { expect, test } from 'vitest'
import { createPace } from '../../../../src/space/http/pace.js'

/** Returns a clock that advances only while a caller sleeps. */
function paced() {
  let time = 1000
  const waits: number[] = []
  const pace = createPace((wait) => waits.push(Math.round(wait)), {
    now: () => time,
    sleep: async (milliseconds) => void (time += milliseconds),
  })
  const take = async (count: number) => {
    for (let at = 0; at < count; at++) await pace.turn(new AbortController().signal)
    return time
  }
  return { pace, waits, take }
}

const headers = (limit: number, remaining: number, reset: string) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': reset,
})

test('requests are not delayed while many are left, and without the headers', async () => {
  const { pace, take } = paced()
  pace.observe({ 'retry-after': '10' })
  expect(await take(5)).toBe(1000)
  pace.observe(headers(1000, 500, '60'))
  expect(await take(100)).toBe(1000)
})

test('the last requests are spread over the time until the reset', async () => {
  const { pace, take, waits } = paced()
  pace.observe(headers(100, 9, '60'))
  expect(await take(9)).toBeLessThanOrEqual(61_000)
  expect(waits.every((wait) => wait >= 6000)).toBe(true)
  // No requests are left, so the next one waits for the reset.
  expect(await take(1)).toBe(61_000)
  // The window has ended, and the new limit is unknown.
  expect(await take(3)).toBe(61_000)
})

test('the lowest count of a window holds, in whatever order responses arrive', async () => {
  const { pace, take } = paced()
  pace.observe(headers(100, 0, '30'))
  pace.observe(headers(100, 40, '30'))
  expect(await take(1)).toBe(31_000)
})

test.each([
  ['seconds', '30', {}],
  ['a moment in seconds, by the clock of the service', '1000000030', { date: new Date(1e12).toUTCString() }],
  ['a moment in milliseconds', '1000000030000', { date: new Date(1e12).toUTCString() }],
  ['a date', new Date(1e12 + 30_000).toUTCString(), { date: new Date(1e12).toUTCString() }],
  ['a date of ISO 8601', new Date(1e12 + 30_000).toISOString(), { date: new Date(1e12).toUTCString() }],
])('the reset may be %s', async (_form, reset, date) => {
  const { pace, take } = paced()
  pace.observe({ ...headers(100, 0, reset), ...date })
  expect(await take(1)).toBe(31_000)
})

test.each(['', 'soon', '-5', 'NaN', '1e9'])('an invalid reset time is ignored: %s', async (reset) => {
  const { pace, take } = paced()
  pace.observe(headers(100, 0, reset))
  expect(await take(1)).toBe(1000)
})

test('the client waits at most a quarter of an hour unless the service requests more', async () => {
  const { pace, take } = paced()
  pace.observe(headers(100, 0, '7200'))
  expect(await take(1)).toBe(1000)
})
