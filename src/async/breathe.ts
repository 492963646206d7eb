import { setImmediate as immediate } from 'node:timers/promises'

/** Milliseconds of work between two pauses. */
const interval = 5

/** The time of the last pause, and the pause that callers wait for. The process has one event loop, so all share it. */
let last = performance.now()
let pause: Promise<void> | undefined

/**
 * Await it between pieces of synchronous work. It pauses now and then, so that requests, signals and timers do not wait
 * for all of the work.
 */
export async function breathe(): Promise<void> {
  if (performance.now() - last < interval) return
  pause ??= immediate().then(() => {
    last = performance.now()
    pause = undefined
  })
  await pause
}
