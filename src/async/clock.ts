import { performance } from 'node:perf_hooks'
import { setTimeout as timeout } from 'node:timers/promises'

/** The clock of requests and the remote cache. Tests replace it where real pauses would take minutes. */
export interface Clock {
  /** Milliseconds since an arbitrary time. Never goes back, even if the machine's clock is set. */
  now(this: void): number
  /** The milliseconds that this process has spent waiting rather than working, since an arbitrary time. */
  waited(this: void): number
  /** Calls `tick` once per interval. The returned function stops this. */
  every(this: void, milliseconds: number, tick: () => void): () => void
  /** Resolves after a time, or earlier if the signal is aborted. Doesn't throw on abort. */
  sleep(this: void, milliseconds: number, signal: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => performance.now(),
  waited() {
    const { idle, active } = performance.eventLoopUtilization()
    // Runtimes other than Node may not measure idle time.
    return idle === 0 && active === 0 ? performance.now() : idle
  },
  every(milliseconds, tick) {
    const timer = setInterval(tick, milliseconds)
    return () => clearInterval(timer)
  },
  sleep: (milliseconds, signal) => timeout(milliseconds, undefined, { signal }).catch(() => {}),
}
