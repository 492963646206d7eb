import { setMaxListeners } from 'node:events'
import { inspect } from 'node:util'
import PQueue from 'p-queue'
import { ContentSpaceError, type ErrorFacts } from '../../errors.js'
import { isTooManyFiles, tooManyFilesError } from '../../disk/open-files.js'
import type { Response } from './exchange.js'
import { readRetryAfter } from './errors.js'
import type { Limiter, Permit } from './rate-limit.js'
import { createRetry, type Clock } from './retry.js'

export interface SenderOptions {
  /** Requests under way at once. */
  concurrency: number
  /** Lets downloads begin. */
  limiter: Limiter | undefined
  /** Takes credentials out of messages. */
  redact: (text: string) => string
  onWait: (milliseconds: number) => void
  /** Default: the system's. */
  clock?: Clock | undefined
}

/** One request of a space. */
interface Request<T> {
  kind: 'json' | 'file'
  signal: AbortSignal | undefined
  facts: ErrorFacts
  /** Asks once. Called anew for each try. */
  fetch(this: void, signal: AbortSignal): Promise<Response>
  /** Reads the answer to its end. What it throws is tried again if it is retryable. */
  read(this: void, answer: Response, signal: AbortSignal): Promise<T>
}

export interface Sender {
  /** Sends, again where that may help. What is refused for its credentials ends all that are under way. */
  send<T>(this: void, sending: Request<T>): Promise<T>
  /** Ends all that are under way. */
  abort(this: void, reason: unknown): void
}

/**
 * Sends requests: so many at once, within the rate, after pauses that the service asks for, and again when they fail.
 */
export function createSender({ concurrency, limiter, redact, onWait, clock }: SenderOptions): Sender {
  const queue = new PQueue({ concurrency })
  /**
   * In front of the queue: what waits for the rate takes no place from the listing. Permits take time, and are had in
   * advance.
   */
  const downloads = new PQueue({ concurrency: 3 * concurrency })
  const retry = createRetry(onWait, clock?.now, clock?.sleep)
  let siblings = openGroup()

  async function send<T>({ kind, signal: own, facts, fetch, read }: Request<T>): Promise<T> {
    const shared = siblings
    const signal = shared.with(own)
    let retryAfter: number | undefined
    const attempt = async () => {
      let permit: Permit | undefined
      for (;;) {
        await retry.pause(signal)
        if (kind === 'file' && limiter) permit = await limiter.take(signal, permit)
        const sent = await queue.add(() => sendNow(permit), { priority: kind === 'json' ? 1 : 0 })
        if (sent) return sent.value
      }
    }
    /**
     * Nothing, when a pause or a full queue has made the permit old: used now, it would add to those of the next
     * window.
     */
    const sendNow = async (permit: Permit | undefined): Promise<{ value: T } | undefined> => {
      retryAfter = undefined
      await retry.pause(signal)
      if (permit?.isGood() === false) return undefined
      const answer = await fetch(signal)
      const { 'retry-after': after, date } = answer.headers
      retryAfter = readRetryAfter(String(after ?? ''), String(date ?? ''))
      try {
        return { value: await read(answer, signal) }
      } catch (error) {
        const limited = error instanceof ContentSpaceError && error.code === 'rateLimited'
        if (limited && retryAfter !== undefined) retry.pauseFor(retryAfter)
        throw error
      } finally {
        answer.close()
      }
    }
    const spared = async () => {
      try {
        return await (kind === 'file' ? downloads.add(attempt) : attempt())
      } catch (error) {
        if (!isTooManyFiles(error) && !isTooManyFiles(error instanceof Error ? error.cause : undefined)) throw error
        // Others hold the files: fewer of them at once leave enough.
        queue.concurrency = Math.max(1, Math.floor(queue.concurrency / 2))
        throw error instanceof ContentSpaceError ? error : tooManyFilesError(error, facts)
      }
    }
    try {
      return await retry.run(spared, () => retryAfter, signal)
    } catch (error) {
      const shown = error instanceof ContentSpaceError ? redacted(error, redact) : error
      if (shown instanceof ContentSpaceError && (shown.code === 'unauthorized' || shown.code === 'permissionDenied')) {
        if (siblings === shared) siblings = openGroup()
        shared.abort(shown)
      }
      throw shown
    }
  }

  return { send, abort: (reason) => siblings.abort(reason) }
}

/** The error without credentials, which a service may have put into a header or a host that the error names. */
function redacted(error: ContentSpaceError, redact: (text: string) => string): ContentSpaceError {
  const { code, summary, hint, facts, retryable, cause } = error
  const clean = redact(summary)
  const shown = inspect(cause)
  const kept = redact(shown) === shown ? cause : new Error(redact(cause instanceof Error ? cause.message : shown))
  if (clean === summary && kept === cause) return error
  return new ContentSpaceError(code, clean, {
    ...facts,
    retryable,
    ...(hint === undefined ? {} : { hint: redact(hint) }),
    ...(kept === undefined ? {} : { cause: kept }),
  })
}

/** Requests that end together. Who asks for many brings one signal for all of them, and gets one. */
function openGroup() {
  const group = new AbortController()
  const joined = new WeakMap<AbortSignal, AbortSignal>()
  // Everything that is under way listens.
  setMaxListeners(0, group.signal)
  return {
    with(signal: AbortSignal | undefined): AbortSignal {
      if (signal === undefined) return group.signal
      const either = joined.get(signal) ?? AbortSignal.any([group.signal, signal])
      setMaxListeners(0, either)
      joined.set(signal, either)
      return either
    },
    abort: (reason: unknown) => group.abort(reason),
  }
}
