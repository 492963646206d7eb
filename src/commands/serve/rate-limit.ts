export interface RateLimit {
  requests: number
  seconds: number
}

/**
 * Counts requests in a rolling window.
 * @param now milliseconds
 * @returns what takes one request: 0, or the seconds until there is room again
 */
export function createRateLimit({ requests, seconds }: RateLimit, now: () => number = Date.now): () => number {
  const taken: number[] = []
  return () => {
    const start = now() - seconds * 1000
    while (taken[0] !== undefined && taken[0] <= start) taken.shift()
    const [oldest] = taken
    if (oldest !== undefined && taken.length >= requests) return Math.max(1, Math.ceil((oldest - start) / 1000))
    taken.push(now())
    return 0
  }
}
