import type { EngineCall } from '../engine.js'

/**
 * The number of concurrent requests: at the start, at least, and at most. The start is low so that ten runners can
 * start together.
 */
const [first, least, most] = [4, 2, 48]

/** In milliseconds. A slower response means that the engine is overloaded. */
const busyAfter = 400

/**
 * Limits the concurrent requests to an engine by its response time. Runners don't know about each other, so each one
 * watches response times, as TCP does: each quick response raises the limit, and a slow engine halves it once for all
 * requests that were open at that time.
 */
export function openGate(now: () => number = () => performance.now()) {
  const waiting: (() => void)[] = []
  let limit = first
  let open = 0
  let halvedAt = 0

  function adapt(start: number): void {
    const end = now()
    if (end - start <= busyAfter) limit = Math.min(most, limit + 1)
    else if (start >= halvedAt) {
      limit = Math.max(least, Math.floor(limit / 2))
      halvedAt = end
    }
  }

  function next(): void {
    while (open < limit && waiting.length > 0) {
      open++
      waiting.shift()?.()
    }
  }

  return {
    /**
     * Sends a request as soon as fewer requests than the limit are open.
     * @param isUrgent whether to send it before other waiting requests
     */
    async pass<T>({ signal, answered }: EngineCall, send: () => Promise<T>, isUrgent = false): Promise<T> {
      await new Promise<void>((resolve) => {
        if (isUrgent) waiting.unshift(resolve)
        else waiting.push(resolve)
        next()
      })
      const start = now()
      try {
        signal.throwIfAborted()
        return await send()
      } finally {
        adapt(start)
        answered()
        open--
        next()
      }
    },
  }
}
