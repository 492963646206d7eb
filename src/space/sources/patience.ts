import { durationText } from '../../text/quantities.js'

/** The maximum duration of a timer. */
const longest = 2 ** 31 - 1

/**
 * Limits how long a source may be idle. Requests have their own limits, so don't count the time while the source waits
 * for a request. It doesn't count for any call, because several calls may wait for the same request. The timers keep
 * the process alive. Without them, it would exit without a message.
 */
export function openPatience(milliseconds: number) {
  const timers = new Set<NodeJS.Timeout>()
  let running = 0
  const renew = (): void => timers.forEach((timer) => timer.refresh())
  return {
    /** Restarts the time of all calls. */
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
