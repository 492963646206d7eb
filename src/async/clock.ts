import { performance } from 'node:perf_hooks'
import { setTimeout as timeout } from 'node:timers/promises'

/** Time as requests and the remote cache see it. Tests replace it where real pauses would take minutes. */
export interface Clock {
  /** Milliseconds since some moment. Never goes back, also when the clock of the machine is set. */
  now(this: void): number
  /** Milliseconds that this process has waited, as opposed to worked, since some moment. */
  waited(this: void): number
  /** Calls back once per interval. The returned function ends it. */
  every(this: void, milliseconds: number, tick: () => void): () => void
  /** Resolves after a time, or early, without an error, when the signal is aborted. */
  sleep(this: void, milliseconds: number, signal: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => performance.now(),
  waited() {
    const { idle, active } = performance.eventLoopUtilization()
    // Runtimes other than Node may not measure it.
    return idle === 0 && active === 0 ? performance.now() : idle
  },
  every(milliseconds, tick) {
    const timer = setInterval(tick, milliseconds)
    return () => clearInterval(timer)
  },
  sleep: (milliseconds, signal) => timeout(milliseconds, undefined, { signal }).catch(() => {}),
}
