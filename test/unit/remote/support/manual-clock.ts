import type { Clock } from '../../../../src/async/clock.js'

/**
 * Returns a clock that a test advances.
 * @param interval milliseconds between two ticks
 */
export function manualClock(interval: number) {
  let time = 0
  let tick: (() => void) | undefined
  const clock: Clock = {
    now: () => time,
    waited: () => time,
    every(_, callback) {
      tick = callback
      return () => (tick = undefined)
    },
    sleep: async () => {},
  }
  return {
    clock,
    pass(this: void, milliseconds: number) {
      for (let passed = 0; passed < milliseconds; passed += interval) {
        time += interval
        tick?.()
      }
    },
  }
}
