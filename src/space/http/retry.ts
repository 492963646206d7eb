import { setTimeout as sleep } from 'node:timers/promises'
import { ContentSpaceError } from '../../errors.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { isUnreachableHost } from './errors.js'

/** Milliseconds, except for `attempts`. */
const policy = {
  attempts: 5,
  baseDelay: 250,
  maxDelay: 10_000,
  /** A request fails after this time, even if the service asks to retry it later. */
  deadline: 15 * 60_000,
  /** The deadline when no connection can be made. It is short, because a user waits for the error. */
  unreachableDeadline: 12_000,
}

/** The clock of a client. Tests replace it where real pauses would take minutes. */
export interface Clock {
  /** Returns milliseconds. */
  now(this: void): number
  /** Resolves early, without an error, when the signal is aborted. */
  sleep(this: void, milliseconds: number, signal: AbortSignal): Promise<void>
}

const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).catch(() => {}),
}

/** Retries the requests of one space. A pause that the service asks for delays all of them. */
export function createRetry(onWait: (milliseconds: number) => void, { now, sleep: wait } = systemClock) {
  let pausedUntil = 0

  /** Waits for the end of the pause. Call it right before sending: a pause may begin while a request is queued. */
  async function pause(signal: AbortSignal): Promise<void> {
    for (let left = pausedUntil - now(); left > 0 && !signal.aborted; left = pausedUntil - now())
      await wait(left, signal)
    if (signal.aborted) throw signal.reason
  }

  function pauseFor(milliseconds: number): void {
    // A longer pause is not started: the request that received it fails instead.
    if (milliseconds > policy.deadline) return
    pausedUntil = Math.max(pausedUntil, now() + milliseconds)
    onWait(pausedUntil - now())
  }

  return {
    pause,
    pauseFor,
    /**
     * Runs an attempt until it succeeds, fails with an error that is not retryable, or the policy ends the retries.
     * @param retryAfter returns the milliseconds that the service asked to wait after the last attempt
     */
    async run<T>(attempt: () => Promise<T>, retryAfter: () => number | undefined, signal: AbortSignal): Promise<T> {
      const start = now()
      for (let attempts = 1; ; attempts++) {
        try {
          return await attempt()
        } catch (error) {
          if (signal.aborted) throw signal.reason
          if (!(error instanceof ContentSpaceError) || !error.retryable) throw error
          const limited = error.code === 'rateLimited'
          const delay = retryAfter() ?? backoff(attempts)
          const deadline = isUnreachableHost(error) ? policy.unreachableDeadline : policy.deadline
          if ((attempts >= policy.attempts && !limited) || now() + delay - start > deadline)
            throw finalError(error, attempts)
          if (limited) pauseFor(delay)
          else await wait(delay, signal)
        }
      }
    },
  }
}

/** Exponential backoff with full jitter: requests that failed together are not retried together. */
function backoff(attempts: number): number {
  return Math.random() * Math.min(policy.maxDelay, policy.baseDelay * 2 ** attempts)
}

function finalError(error: ContentSpaceError, attempts: number): ContentSpaceError {
  const { cause, facts, code, hint, summary } = error
  const nextStep =
    code === 'rateLimited' ? 'Try again later: downloaded files are kept, and only the rest is requested.' : hint
  return new ContentSpaceError(code, `${summary} (tried ${attempts === 1 ? 'once' : `${attempts} times`})`, {
    ...facts,
    ...omitUndefined({ hint: nextStep, cause }),
    retryable: false,
  })
}
