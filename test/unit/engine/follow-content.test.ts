import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followContent } from '../../../src/engine/follow-content.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

async function follow(refresh: number) {
  const begin = performance.now()
  const state = { checks: [] as number[], hasChanged: false, isShown: true }
  const options = { space: { url: 'https://space.example' }, refresh, lockfile: false } as const
  const following = await followContent(
    Object(options),
    () => state.isShown,
    async () => {
      state.checks.push((performance.now() - begin) / 1000)
      return state.hasChanged
    },
  )
  const pass = async (seconds: number): Promise<number[]> => {
    state.checks = []
    await vi.advanceTimersByTimeAsync(seconds * 1000)
    return state.checks
  }
  return { state, pass, ...following }
}

test('a service is polled less and less often while nothing changes, but at least every five minutes', async () => {
  const { state, pass, stop } = await follow(30)
  expect(await pass(1100)).toEqual([30, 90, 210, 450, 750, 1050])
  state.hasChanged = true
  expect(await pass(340)).toEqual([1350, 1380, 1410, 1440])
  state.hasChanged = false
  expect(await pass(100)).toEqual([1470, 1530])
  await stop()
  expect(await pass(1000)).toEqual([])
})

test.each([
  [1, [1, 3, 7, 15, 25, 35, 45]],
  [600, [600, 1200, 1800]],
])('the pauses of an option refresh of %d end at ten times of it, unless it is longer', async (refresh, times) => {
  const { pass, stop } = await follow(refresh)
  expect(await pass(times.at(-1) ?? 0)).toEqual(times)
  await stop()
})

test('who is at work sees new content at once, and every 30 seconds again', async () => {
  const { pass, wake, stop, state } = await follow(30)
  await pass(1040)
  state.checks = []
  wake()
  expect(state.checks).toEqual([1040])
  // Not every key press sends a request.
  for (const seconds of [10, 10]) {
    wake()
    expect(await pass(seconds)).toEqual([])
  }
  wake()
  expect(await pass(100)).toEqual([1070, 1130])
  await stop()
})

test("without an open page, the service isn't polled; opening a page polls it immediately", async () => {
  const { pass, wake, stop, state } = await follow(30)
  state.isShown = false
  expect(await pass(1000)).toEqual([])
  wake()
  expect(await pass(5)).toEqual([])
  state.isShown = true
  wake()
  expect(state.checks).toEqual([1005])
  expect(await pass(60)).toEqual([1065])
  await stop()
})
