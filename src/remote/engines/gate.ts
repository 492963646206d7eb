import type { EngineCall } from '../engine.js'

/** Requests at once: at the start, at least, and at most. Ten runners that start together do not ask for too much. */
const [first, least, most] = [4, 2, 48]

/** Milliseconds. A slower answer shows that the engine has too many requests. */
const busyAfter = 400

/**
 * Limits how many requests an engine has at once, by how long it takes to answer. Runners do not know of each other, so
 * each watches the time of answers, as TCP does: the limit grows with each quick answer, and halves once for all
 * requests that were open when the engine became slow.
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
     * Sends a request when fewer than the limit are open.
     * @param isUrgent whether it is sent before the others that wait
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
