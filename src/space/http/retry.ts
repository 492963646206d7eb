import { systemClock, type Clock } from '../../async/clock.js'
import { ContentSpaceError } from '../../errors.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { durationText } from '../../text/quantities.js'
import { isUnreachableHost } from './errors.js'

/** In milliseconds, except for `attempts`. */
const policy = {
  attempts: 5,
  baseDelay: 250,
  maxDelay: 10_000,
  /** A request fails after this time, even if the service asks us to retry it later. */
  deadline: 15 * 60_000,
  /** The deadline if no connection can be made. It is short, because a user is waiting for the error. */
  unreachableDeadline: 12_000,
}

/** The parts of a clock that a client needs. */
export type RetryClock = Pick<Clock, 'now' | 'sleep'>

/** The attempts at one request. */
export interface Attempts {
  signal: AbortSignal
  /** When the last attempt was sent. */
  sentAt?: number
  /** Milliseconds that its response asked us to wait. */
  retryAfter?: number | undefined
}

/** Retries the requests of one space. A pause that the service requests delays all of them. */
export function createRetry(onWait: (milliseconds: number) => void, { now, sleep }: RetryClock = systemClock) {
  let pausedUntil = 0
  let running = 0
  /**
   * The start time of the first request that has failed since the last success. Undefined while no request is running.
   */
  let failingSince: number | undefined
  /**
   * The start time of the first request that couldn't reach the host since the last response. Rate-limit responses
   * count, too.
   */
  let unreachableSince: number | undefined

  /**
   * Waits for the end of the pause. Call it right before sending, because a pause may begin while a request is queued.
   * @returns the time
   */
  async function pause(signal: AbortSignal): Promise<number> {
    for (let left = pausedUntil - now(); left > 0 && !signal.aborted; left = pausedUntil - now())
      await sleep(left, signal)
    if (signal.aborted) throw signal.reason
    return now()
  }

  function pauseFor(milliseconds: number): void {
    // Don't start a longer pause. The request that received it fails instead.
    if (milliseconds > policy.deadline) return
    pausedUntil = Math.max(pausedUntil, now() + milliseconds)
    onWait(pausedUntil - now())
  }

  return {
    pause,
    pauseFor,
    /** Runs an attempt until it succeeds, fails with an error that is not retryable, or the policy ends the retries. */
    async run<T>(attempt: () => Promise<T>, attempts: Attempts): Promise<T> {
      let start: number | undefined
      running++
      try {
        for (let count = 1; ; count++) {
          try {
            const result = await attempt()
            failingSince = unreachableSince = undefined
            return result
          } catch (error) {
            if (attempts.signal.aborted) throw attempts.signal.reason
            if (!(error instanceof ContentSpaceError) || !error.retryable) throw error
            // Don't count from the call, because a request may have waited long for its turn before its first failure.
            start ??= failingSince ??= attempts.sentAt ?? now()
            const limited = error.code === 'rateLimited'
            const delay = attempts.retryAfter ?? backoff(count)
            unreachableSince = isUnreachableHost(error) ? (unreachableSince ?? attempts.sentAt ?? now()) : undefined
            const next = now() + delay
            const isUnreachable = next - (unreachableSince ?? next) > policy.unreachableDeadline
            const isLate = isUnreachable || next - start > policy.deadline
            if ((count >= policy.attempts && !limited) || isLate) throw finalError(error, count, attempts)
            if (limited) pauseFor(delay)
            else await sleep(delay, attempts.signal)
          }
        }
      } finally {
        if (--running === 0) failingSince = unreachableSince = undefined
      }
    },
  }
}

/** Exponential backoff with full jitter, so that requests that failed together aren't retried together. */
function backoff(attempts: number): number {
  return Math.random() * Math.min(policy.maxDelay, policy.baseDelay * 2 ** attempts)
}

function finalError(error: ContentSpaceError, count: number, { retryAfter }: Attempts): ContentSpaceError {
  const { cause, facts, code, hint, summary } = error
  const when =
    retryAfter && Number.isSafeInteger(retryAfter)
      ? `in ${durationText(retryAfter / 1000)}, as the service asks`
      : 'later'
  const nextStep =
    code === 'rateLimited' || retryAfter ? `Try again ${when}: files that are already downloaded are kept.` : hint
  return new ContentSpaceError(code, `${summary} (tried ${count === 1 ? 'once' : `${count} times`})`, {
    ...facts,
    ...omitUndefined({ hint: nextStep, cause }),
    retryable: false,
  })
}
