import { setMaxListeners } from 'node:events'
import PQueue from 'p-queue'

/**
 * Runs `work` for each item, with limited concurrency. The first failure aborts the rest. Running work is awaited
 * before the function rejects.
 * @param signal aborts all work
 * @throws the first failure, or the signal's reason
 */
export async function eachLimit<T>(
  items: readonly T[],
  concurrency: number,
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController()
  const combined = AbortSignal.any([signal, failed.signal])
  // Each running task adds a listener. 0 turns off Node's warning about many listeners.
  setMaxListeners(0, combined)
  const queue = new PQueue({ concurrency })
  const tasks = items.map((item) => async () => {
    if (!combined.aborted) await work(item, combined).catch((error: unknown) => failed.abort(error))
  })
  await queue.addAll(tasks)
  combined.throwIfAborted()
}
