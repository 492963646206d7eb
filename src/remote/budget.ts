import type { Clock } from '../async/clock.js'

interface BudgetOptions {
  clock: Clock
  /** In milliseconds, summed over a run. */
  limit: number
  signal: AbortSignal
  onSpent: () => void
}

/** Milliseconds between checks of the pending waits. */
const interval = 100

/** In milliseconds. Checks may be late in a busy process, but a longer pause means that the machine slept. */
const longestPause = 2000

export type Budget = ReturnType<typeof openBudget>

/** Limits the time that a run waits for the leases of other runners and for shared pauses. */
export function openBudget({ clock, limit, signal, onSpent }: BudgetOptions) {
  const waits = new Set<{ isWorking: () => boolean }>()
  let stop: (() => void) | undefined
  let last = 0
  let used = 0
  let resolve: (() => void) | undefined
  const spent = new Promise<void>((done) => (resolve = done))

  function pause(): void {
    stop?.()
    stop = undefined
  }

  function tick(): void {
    const now = clock.now()
    if ([...waits].some(({ isWorking }) => !isWorking())) used += Math.min(now - last, longestPause)
    last = now
    if (used < limit) return
    pause()
    resolve?.()
    onSpent()
  }

  signal.addEventListener('abort', pause, { once: true })
  return {
    /**
     * Starts a wait, which counts until the returned function is called. Simultaneous waits count once.
     * @param isWorking whether other work is in progress, so that the wait doesn't count
     */
    begin(isWorking: () => boolean = () => false): () => void {
      const wait = { isWorking }
      waits.add(wait)
      if (stop === undefined && used < limit && !signal.aborted) {
        last = clock.now()
        stop = clock.every(interval, tick)
      }
      return () => {
        waits.delete(wait)
        if (waits.size === 0) pause()
      }
    },
    isSpent: () => used >= limit,
    spent,
  }
}
