import { setTimeout as sleep } from 'node:timers/promises'
import { ContentSpaceError } from '../../errors.js'

/** Milliseconds. */
const policy = {
  tries: 5,
  base: 250,
  longest: 10_000,
  /** After which a request is given up, whatever the service says of trying again. */
  deadline: 15 * 60_000,
  /** The same where nobody answers at all: a person is waiting. */
  silence: 12_000,
}

/** Failures that tell of a wrong address or a dead machine, and not of a bad moment. */
const dead = /\((?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)\)/

/** How one client tries again: a pause that the service asks for is everybody's. */
export interface Retry {
  /**
   * Waits out the pause of all. To be called right before sending, for a pause may have begun while a request was
   * queued.
   */
  pause(this: void, signal: AbortSignal): Promise<void>
  /** Begins a pause of all, or makes it longer. */
  pauseFor(this: void, milliseconds: number): void
  /**
   * @param attempt throws an error that is retryable or not
   * @param retryAfter milliseconds that the service asks to wait after the last failure
   */
  run<T>(attempt: () => Promise<T>, retryAfter: () => number | undefined, signal: AbortSignal): Promise<T>
}

/** Time as a client sees it, for tests of waits that are too long to wait for. */
export interface Clock {
  /** Milliseconds. */
  now(this: void): number
  /** Ends early, and without an error, when the signal is aborted. */
  sleep(this: void, milliseconds: number, signal: AbortSignal): Promise<void>
}

const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).catch(() => {}),
}

/** @param onWait told of the milliseconds of a pause of all */
export function createRetry(
  onWait: (milliseconds: number) => void,
  now = systemClock.now,
  wait = systemClock.sleep,
): Retry {
  let pausedUntil = 0

  async function pause(signal: AbortSignal): Promise<void> {
    for (let left = pausedUntil - now(); left > 0 && !signal.aborted; left = pausedUntil - now())
      await wait(left, signal)
    if (signal.aborted) throw signal.reason
  }

  function pauseFor(milliseconds: number): void {
    // Nobody waits longer than that: whoever is told to, fails.
    if (milliseconds > policy.deadline) return
    pausedUntil = Math.max(pausedUntil, now() + milliseconds)
    onWait(pausedUntil - now())
  }

  return {
    pause,
    pauseFor,
    async run(attempt, retryAfter, signal) {
      const start = now()
      for (let tries = 1; ; tries++) {
        try {
          return await attempt()
        } catch (error) {
          if (signal.aborted) throw signal.reason
          if (!(error instanceof ContentSpaceError) || !error.retryable) throw error
          const limited = error.code === 'rateLimited'
          const delay = retryAfter() ?? backoff(tries)
          const allowed = dead.test(error.summary) ? policy.silence : policy.deadline
          if ((tries >= policy.tries && !limited) || now() + delay - start > allowed) throw final(error, tries)
          if (limited) pauseFor(delay)
          else await wait(delay, signal)
        }
      }
    },
  }
}

/** Full jitter: any time up to the bound, so that those who failed together do not come back together. */
function backoff(tries: number): number {
  return Math.random() * Math.min(policy.longest, policy.base * 2 ** tries)
}

function final(error: ContentSpaceError, tries: number): ContentSpaceError {
  const { cause, facts, code, hint } = error
  const resume =
    code === 'rateLimited' ? 'Try again later: what is downloaded is kept, and only the rest is asked for.' : hint
  return new ContentSpaceError(code, `${error.summary} (tried ${tries === 1 ? 'once' : `${tries} times`})`, {
    ...facts,
    ...(resume === undefined ? {} : { hint: resume }),
    ...(cause === undefined ? {} : { cause }),
    retryable: false,
  })
}
