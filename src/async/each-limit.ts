import { setMaxListeners } from 'node:events'
import PQueue from 'p-queue'

/**
 * Does the same with many things, some at a time. The first failure ends the rest, which is waited for: nothing goes on
 * behind it.
 * @param signal ends it as well
 * @throws what failed first, or the signal's reason
 */
export async function eachLimit<T>(
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
