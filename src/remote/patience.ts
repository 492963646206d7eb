import type { Clock } from '../async/clock.js'

interface PatienceOptions {
  clock: Clock
  /** Milliseconds without progress, summed over a run. */
  limit: () => number
  onSpent: () => void
}

/** Milliseconds. A shorter pause between answers is the latency of a network and does not count. */
const latency = 200

/** Milliseconds between looks at the progress. */
const interval = 50

/** Bytes. Fewer in one interval of `latency` are not progress, so that an engine cannot send single bytes forever. */
const leastBytes = 16 * 1024

/** A pause of so many limits ends the patience even if this process is never idle. */
const busyFactor = 3

/** Milliseconds. A longer time between looks is own work of this process, or the machine slept. */
const longestLook = 1000

/**
 * Measures how long a run has waited for the engine without progress, at short intervals. Time counts only while this
 * process is idle: while it is busy with its own work, answers may be waiting in the socket. But an engine can keep the
 * process busy with bytes that never become an answer, so a pause is bounded in any case.
 */
export function openPatience({ clock, limit, onSpent }: PatienceOptions) {
  let waits = 0
  let stop: (() => void) | undefined
  let last = 0
  let received = 0
  let quiet = 0
  let spent = 0
  let lastLook = 0
  /** Milliseconds since the last progress, idle or not. */
  let pause = 0

  function progress(): void {
    quiet = 0
    pause = 0
    received = 0
  }

  function tick(): void {
    const now = clock.waited()
    // A process that was stopped, or a machine that slept, has not waited for the engine.
    const passed = Math.min(now - last, 2 * interval)
    last = now
    pause += Math.min(clock.now() - lastLook, longestLook)
    lastLook = clock.now()
    const before = quiet
    quiet += passed
    // Up to `latency`, a pause does not count. When it is longer, all of it counts.
    if (quiet > latency) spent += before > latency ? passed : quiet
    if (spent < limit() && pause < busyFactor * limit()) return
    stop?.()
    onSpent()
  }

  return {
    /** Counts a wait as long as the work runs. Waits at the same time count once. */
    async during<T>(this: void, work: () => Promise<T>): Promise<T> {
      if (waits++ === 0) {
        progress()
        last = clock.waited()
        lastLook = clock.now()
        stop = clock.every(interval, tick)
      }
      try {
        return await work()
      } finally {
        if (--waits === 0) stop?.()
      }
    },
    bytes(this: void, count: number): void {
      received += count
      if (received >= leastBytes) progress()
    },
    answered(this: void): void {
      // A busy engine answers many requests after a pause. Each is worth the latency that would not have counted.
      if (quiet <= latency) spent = Math.max(0, spent - latency)
      progress()
    },
  }
}
