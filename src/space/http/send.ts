import { setMaxListeners } from 'node:events'
import { inspect } from 'node:util'
import PQueue from 'p-queue'
import { systemClock } from '../../async/clock.js'
import { isTooManyFiles, tooManyFilesError } from '../../disk/file-error.js'
import { ContentSpaceError, type ErrorCode, type ErrorFacts } from '../../errors.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { createPace } from './pace.js'
import { readRetryAfter } from './errors.js'
import type { Response } from './fetch.js'
import type { Limiter, Permit } from './rate-limit.js'
import { createRetry, type Attempts, type RetryClock } from './retry.js'

interface SenderOptions {
  concurrency: number
  limiter: Limiter | undefined
  redact: (text: string) => string
  onWait: (milliseconds: number) => void
  clock: RetryClock | undefined
}

export interface HttpRequest<T> {
  kind: 'json' | 'file'
  signal: AbortSignal | undefined
  facts: ErrorFacts
  /** Sends the request once. Called again for each retry. */
  fetch(this: void, signal: AbortSignal): Promise<Response>
  /** Reads the complete response. Throwing a retryable error causes a retry. */
  read(this: void, response: Response, signal: AbortSignal): Promise<T>
}

/** Errors that all other requests would run into, too. */
const endsAll: ReadonlySet<ErrorCode> = new Set(['unauthorized', 'permissionDenied', 'requestBlocked'])

/**
 * Creates the sender of a space, which queues requests, respects the rate, pauses when the service asks for it, and
 * retries.
 *
 * This function is long because its inner functions share the queues, the retries and the abort group.
 */
export function createSender({ concurrency, limiter, redact, onWait, clock }: SenderOptions) {
  const queue = new PQueue({ concurrency })
  // Downloads wait for their permits here, outside the request queue, so that they don't block listings. There are more
  // slots than parallel requests, so that permits are ready when a request ends.
  const downloads = new PQueue({ concurrency: 3 * concurrency })
  const retry = createRetry(onWait, clock)
  const pace = createPace(onWait, clock ?? systemClock)
  let group = createAbortGroup()

  /**
   * Sends a request, with retries. If the service rejects the credentials, or a firewall refuses every attempt, all
   * pending requests fail with the same error.
   */
  async function send<T>(request: HttpRequest<T>): Promise<T> {
    const current = group
    const attempts: Attempts = { signal: current.join(request.signal) }
    try {
      return await retry.run(() => sendInTurn(request, attempts), attempts)
    } catch (error) {
      const shown = error instanceof ContentSpaceError ? redactError(error, redact) : error
      if (shown instanceof ContentSpaceError && endsAll.has(shown.code)) {
        if (group === current) group = createAbortGroup()
        current.abort(shown)
      }
      throw shown
    }
  }

  async function sendInTurn<T>(request: HttpRequest<T>, attempts: Attempts): Promise<T> {
    const attempt = () => sendWithPermit(request, attempts)
    try {
      return await (request.kind === 'file' ? downloads.add(attempt) : attempt())
    } catch (error) {
      if (!isTooManyFiles(error) && !isTooManyFiles(error instanceof Error ? error.cause : undefined)) throw error
      // Use fewer connections, so that file descriptors are left for the rest of the process.
      queue.concurrency = Math.max(1, Math.floor(queue.concurrency / 2))
      throw error instanceof ContentSpaceError ? error : tooManyFilesError(error, request.facts)
    }
  }

  async function sendWithPermit<T>(request: HttpRequest<T>, attempts: Attempts): Promise<T> {
    for (;;) {
      await retry.pause(attempts.signal)
      await pace.turn(attempts.signal)
      const permit = request.kind === 'file' ? await limiter?.take(attempts.signal) : undefined
      const sent = await queue.add(() => sendOnce(request, attempts, permit), {
        priority: request.kind === 'json' ? 1 : 0,
      })
      if (sent) return sent.value
    }
  }

  /**
   * Returns undefined if a pause or a full queue has made the permit too old, because a download sent now would count
   * in the next window.
   */
  async function sendOnce<T>(
    { fetch, read }: HttpRequest<T>,
    attempts: Attempts,
    permit: Permit | undefined,
  ): Promise<{ value: T } | undefined> {
    attempts.retryAfter = undefined
    try {
      attempts.sentAt = await retry.pause(attempts.signal)
    } catch (error) {
      if (permit) limiter?.giveBack(permit)
      throw error
    }
    if (permit?.isGood() === false) {
      limiter?.giveBack(permit)
      return undefined
    }
    const response = await fetch(attempts.signal)
    pace.observe(response.headers)
    const { 'retry-after': after, date } = response.headers
    attempts.retryAfter = readRetryAfter(String(after ?? ''), String(date ?? ''))
    try {
      return { value: await read(response, attempts.signal) }
    } catch (error) {
      const limited = error instanceof ContentSpaceError && error.code === 'rateLimited'
      if (limited && attempts.retryAfter !== undefined) {
        retry.pauseFor(attempts.retryAfter)
        limiter?.pause(attempts.retryAfter)
      }
      throw error
    } finally {
      response.close()
    }
  }

  return {
    send,
    abort: (reason: unknown) => group.abort(reason),
  }
}

/**
 * Removes credentials from an error that quotes a header or a host name, because the service may have put them there.
 */
function redactError(error: ContentSpaceError, redact: (text: string) => string): ContentSpaceError {
  const { code, summary, hint, facts, retryable, cause } = error
  const clean = redact(summary)
  const shown = inspect(cause)
  const kept = redact(shown) === shown ? cause : new Error(redact(cause instanceof Error ? cause.message : shown))
  if (clean === summary && kept === cause) return error
  return new ContentSpaceError(code, clean, {
    ...facts,
    retryable,
    ...omitUndefined({ hint: hint === undefined ? undefined : redact(hint), cause: kept }),
  })
}

/** Creates a group of requests that are aborted together. */
function createAbortGroup() {
  const group = new AbortController()
  // A caller uses one signal for many requests, so they share the combined signal.
  const combined = new WeakMap<AbortSignal, AbortSignal>()
  // Each pending request adds a listener. 0 turns off Node's warning about many listeners.
  setMaxListeners(0, group.signal)
  return {
    /** Returns a signal that is aborted together with the group or the given signal. */
    join(signal: AbortSignal | undefined): AbortSignal {
      if (signal === undefined) return group.signal
      const either = combined.get(signal) ?? AbortSignal.any([group.signal, signal])
      setMaxListeners(0, either)
      combined.set(signal, either)
      return either
    },
    abort: (reason: unknown) => group.abort(reason),
  }
}
