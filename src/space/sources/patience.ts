import { durationText } from '../../text/quantities.js'

/** The longest time of a timer. */
const longest = 2 ** 31 - 1

/**
 * Limits the time in which a source does nothing. While a request of it runs, which has limits of its own, the time of
 * none of its calls counts, because several may wait for one request. The timers keep the process running, which would
 * end without a message otherwise.
 */
export function openPatience(milliseconds: number) {
  const timers = new Set<NodeJS.Timeout>()
  let running = 0
  const renew = (): void => timers.forEach((timer) => timer.refresh())
  return {
    /** Starts the time of all calls again. */
    renew,
    /** Starts the time of a call. */
    start() {
      const late = new AbortController()
      const problem = `it did nothing for ${durationText(milliseconds / 1000)}, which option timeout limits`
      const giveUp = () => running === 0 && late.abort(new Error(problem))
      const timer = setTimeout(giveUp, Math.min(milliseconds, longest))
      timers.add(timer)
      const stop = (): void => {
        timers.delete(timer)
        clearTimeout(timer)
      }
      return { late: late.signal, stop }
    },
    async during<T>(request: Promise<T>): Promise<T> {
      running++
      try {
        return await request
      } finally {
        running--
        renew()
      }
    },
  }
}
