import { setMaxListeners } from 'node:events'

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
  // A queue would have an entry for each item from the start.
  const rest = items.values()
  const run = async (): Promise<void> => {
    for (const item of rest) {
      if (combined.aborted) return
      await work(item, combined).catch((error: unknown) => failed.abort(error))
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, run))
  combined.throwIfAborted()
}
