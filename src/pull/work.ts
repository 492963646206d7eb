import { setMaxListeners } from 'node:events'
import PQueue from 'p-queue'

/**
 * Does the same with many things, some at a time. The first failure ends the rest, which is waited for: nothing goes on behind it.
 * @param signal ends it as well
 * @throws what failed first, or the signal's reason
 */
export async function forEach<T>(
  things: readonly T[],
  concurrency: number,
  signal: AbortSignal,
  work: (thing: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  // Everything that is under way listens.
  setMaxListeners(0, either)
  const queue = new PQueue({ concurrency })
  const tasks = things.map((thing) => async () => {
    if (!either.aborted) await work(thing, either).catch((error: unknown) => failed.abort(error))
  })
  await queue.addAll(tasks)
  either.throwIfAborted()
}

/** What cannot be interrupted is waited for no longer than the signal says. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const done = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { signal: done.signal })
  })
  return Promise.race([work, aborted]).finally(() => done.abort())
}
