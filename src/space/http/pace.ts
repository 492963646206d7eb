import type { Headers } from './encoding.js'
import type { RetryClock } from './retry.js'

/** The requests that a service allows until a moment, in milliseconds. */
interface Allowance {
  remaining: number
  resetAt: number
  /** Requests that are left when they are first spread over the rest of the time. */
  reserve: number
}

/** Milliseconds. A service that asks for a longer wait refuses the request itself, with its own message. */
const longestWait = 15 * 60_000

/** The part of a limit, and the least number of requests, that is spread over the rest of the time. */
const reserved = { part: 0.1, least: 8 }

/**
 * Slows requests down before a service refuses them. It follows `X-RateLimit-Limit`, `-Remaining` and `-Reset` of the
 * responses, as far as the service sends them.
 */
export function createPace(onWait: (milliseconds: number) => void, { now, sleep }: RetryClock) {
  let allowance: Allowance | undefined
  let nextAt = 0

  return {
    observe(headers: Headers): void {
      const sent = readAllowance(headers, now())
      // Responses may arrive in another order than the requests were counted in.
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

/** @returns undefined where the service doesn't say how many requests are left, or until when */
function readAllowance(headers: Headers, time: number): Allowance | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`])
  const left = countIn(remaining)
  const wait = millisecondsUntil(reset, headers['date'])
  if (left === undefined || wait === undefined) return undefined
  const reserve = Math.max(reserved.least, (countIn(limit) ?? 0) * reserved.part)
  return { remaining: left, resetAt: time + wait, reserve }
}

/** A list of limits, such as `100, 100;w=60`, begins with the one that holds. */
function countIn(value: Headers[string]): number | undefined {
  const [, digits] = /^\s*(\d{1,12})(?:\.\d+)?\s*(?:[,;]|$)/.exec(String(value ?? '')) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/**
 * Reads a number of seconds, or a moment: seconds or milliseconds since 1970, or a date. Moments are compared with the
 * response's own `Date`, because the clock of this machine may be wrong.
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
