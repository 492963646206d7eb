export interface RateLimit {
  requests: number
  seconds: number
}

/**
 * Limits requests in a rolling window.
 * @returns a function that counts one request, and returns 0, or the seconds to wait when the limit is reached
 */
export function createRateLimit({ requests, seconds }: RateLimit): () => number {
  const taken: number[] = []
  return () => {
    const start = Date.now() - seconds * 1000
    while (taken[0] !== undefined && taken[0] <= start) taken.shift()
    const [oldest] = taken
    if (oldest !== undefined && taken.length >= requests) return Math.max(1, Math.ceil((oldest - start) / 1000))
    taken.push(Date.now())
    return 0
  }
}
