export interface RateLimit {
  requests: number
  seconds: number
}

/** The result of a rate limit for one request. */
export interface Allowance {
  limit: number
  /** Whether this request exceeds the limit. */
  isOver: boolean
  /** The number of requests left. */
  remaining: number
  /** Seconds until the next request is possible if none are left. */
  seconds: number
}

/** Limits requests within a rolling window. @returns a function that counts one request */
export function createRateLimit({ requests, seconds }: RateLimit): () => Allowance {
  const taken: number[] = []
  return () => {
    const now = Date.now()
    const start = now - seconds * 1000
    while (taken[0] !== undefined && taken[0] <= start) taken.shift()
    const isOver = taken.length >= requests
    if (!isOver) taken.push(now)
    const wait = Math.max(1, Math.ceil(((taken[0] ?? now) - start) / 1000))
    return { limit: requests, isOver, remaining: requests - taken.length, seconds: wait }
  }
}

/** Returns the headers that tell clients about a rate limit. */
export function limitHeaders({ limit, remaining, seconds }: Allowance): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(seconds),
  }
}
