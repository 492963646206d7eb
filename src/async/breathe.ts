import { setImmediate as immediate } from 'node:timers/promises'

/** Milliseconds of work between two pauses. */
const interval = 5

/**
 * The time at which the last pause ended, and the pause that is in progress. All callers share them, because a process
 * has only one event loop.
 */
let last = performance.now()
let pause: Promise<void> | undefined

/** Pauses from time to time between pieces of synchronous work, so that requests, signals, and timers get a turn. */
export async function breathe(): Promise<void> {
  if (performance.now() - last < interval) return
  pause ??= immediate().then(() => {
    last = performance.now()
    pause = undefined
  })
  await pause
}
