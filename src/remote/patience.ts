import type { Clock } from '../async/clock.js'

interface PatienceOptions {
  clock: Clock
  /** In milliseconds without progress, summed over a run. */
  limit: () => number
  onSpent: () => void
}

/** In milliseconds. A shorter pause between responses is network latency and doesn't count. */
const latency = 200

/** Milliseconds between progress checks. */
const interval = 50

/**
 * In bytes. Fewer bytes per `latency` don't count as progress, so that an engine can't keep us waiting by sending
 * single bytes.
 */
const leastBytes = 16 * 1024

/** A pause of this many times the limit is too long, even if this process is never idle. */
const busyFactor = 3

/** In milliseconds. A longer time between checks means that this process was busy, or that the machine slept. */
const longestLook = 1000

/**
 * Measures, at short intervals, how long a run has waited for the engine without progress. Time counts only while this
 * process is idle, because responses may be waiting in the socket while it is busy. But an engine could keep the
 * process busy with bytes that never become a response, so pauses are limited in any case.
 */
export function openPatience({ clock, limit, onSpent }: PatienceOptions) {
  let waits = 0
  let stop: (() => void) | undefined
  let last = 0
  let received = 0
  let quiet = 0
  let spent = 0
  let lastLook = 0
  /** Milliseconds since the last progress, whether this process was idle or busy. */
  let pause = 0

  function progress(): void {
    quiet = 0
    pause = 0
    received = 0
  }

  function tick(): void {
    const now = clock.waited()
    // A stopped process or a sleeping machine wasn't waiting for the engine.
    const passed = Math.min(now - last, 2 * interval)
    last = now
    pause += Math.min(clock.now() - lastLook, longestLook)
    lastLook = clock.now()
    const before = quiet
    quiet += passed
    // A pause no longer than `latency` doesn't count. A longer pause counts in full.
    if (quiet > latency) spent += before > latency ? passed : quiet
    if (spent < limit() && pause < busyFactor * limit()) return
    stop?.()
    onSpent()
  }

  return {
    /** Counts a wait for as long as the work runs. Simultaneous waits count once. */
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
      // A busy engine may send many responses after one pause. Each response makes up for latency that wouldn't have
      // counted.
      if (quiet <= latency) spent = Math.max(0, spent - latency)
      progress()
    },
  }
}
