import { setTimeout as timeout } from 'node:timers/promises'

/** Time as the remote cache sees it. Tests replace it. */
export interface Clock {
  /** Milliseconds since some moment. Never goes back. */
  now(this: void): number
  /** Calls back once per interval. The returned function ends it. */
  every(this: void, milliseconds: number, tick: () => void): () => void
  /** Resolves after a time, or when the signal is aborted. */
  sleep(this: void, milliseconds: number, signal: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => performance.now(),
  every(milliseconds, tick) {
    const timer = setInterval(tick, milliseconds)
    return () => clearInterval(timer)
  },
  sleep: (milliseconds, signal) => timeout(milliseconds, undefined, { signal }).catch(() => {}),
}
