import type { Headers } from './encoding.js'
import type { RetryClock } from './retry.js'

/** The number of requests that a service allows until a time in milliseconds. */
interface Allowance {
  remaining: number
  resetAt: number
  /** When this many requests are left, we start to spread them over the rest of the time. */
  reserve: number
}

/** Milliseconds. We don't wait longer than this, but let the service refuse the request with its own message. */
const longestWait = 15 * 60_000

/** The part of a limit that is spread over the rest of the time, and its minimum number of requests. */
const reserved = { part: 0.1, least: 8 }

/**
 * Slows down requests before a service refuses them, based on the response headers `X-RateLimit-Limit`, `-Remaining`
 * and `-Reset`, if the service sends them.
 */
export function createPace(onWait: (milliseconds: number) => void, { now, sleep }: RetryClock) {
  let allowance: Allowance | undefined
  let nextAt = 0

  return {
    observe(headers: Headers): void {
      const sent = readAllowance(headers, now())
      // Responses may arrive in a different order from the one in which the service counted the requests.
      if (!sent) return
      const left = allowance && Math.abs(sent.resetAt - allowance.resetAt) < 1500 ? allowance.remaining : Infinity
      allowance = { ...sent, remaining: Math.min(sent.remaining, left) }
    },
    /** Waits until the next request may be sent. */
    async turn(signal: AbortSignal): Promise<void> {
      const time = now()
      if (!allowance || allowance.resetAt <= time || allowance.remaining > allowance.reserve) return
      const gap = (allowance.resetAt - time) / (allowance.remaining + 1)
      nextAt = Math.min(Math.max(nextAt, time) + gap, allowance.resetAt)
      allowance.remaining = Math.max(0, allowance.remaining - 1)
      const wait = nextAt - time
      if (wait > longestWait) return
      onWait(wait)
      await sleep(wait, signal)
    },
  }
}

/** @returns undefined if the service doesn't send how many requests are left, or until when */
function readAllowance(headers: Headers, time: number): Allowance | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`])
  const left = countIn(remaining)
  const wait = millisecondsUntil(reset, headers['date'])
  if (left === undefined || wait === undefined) return undefined
  const reserve = Math.max(reserved.least, (countIn(limit) ?? 0) * reserved.part)
  return { remaining: left, resetAt: time + wait, reserve }
}

/** Reads a count. In a list of limits, such as `100, 100;w=60`, the first number is the one in effect. */
function countIn(value: Headers[string]): number | undefined {
  const [, digits] = /^\s*(\d{1,12})(?:\.\d+)?\s*(?:[,;]|$)/.exec(String(value ?? '')) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/**
 * Converts a reset header to milliseconds from now. The header contains a number of seconds, seconds or milliseconds
 * since 1970, or a date. Times are compared with the response's own `Date`, because the clock of this machine may be
 * wrong.
 */
function millisecondsUntil(reset: Headers[string], date: Headers[string]): number | undefined {
  const text = String(reset ?? '').trim()
  const sent = Date.parse(String(date ?? ''))
  const here = Number.isNaN(sent) ? Date.now() : sent
  if (!/^\d+(?:\.\d+)?$/.test(text)) {
    const moment = /[a-z]|-/i.test(text) ? Date.parse(text) : Number.NaN
    return Number.isNaN(moment) ? undefined : Math.max(0, moment - here)
  }
  const number = Number(text)
  if (number < 1e9) return number * 1000
  return Math.max(0, (number < 1e11 ? number * 1000 : number) - here)
}
