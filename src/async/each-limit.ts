import { setMaxListeners } from 'node:events'

/**
 * Runs `work` for each item, with limited concurrency. The first failure aborts the rest. Waits for running work before
 * it rejects.
 * @param signal aborts all work
 * @throws the first failure, or the signal's reason
 */
export async function eachLimit<T>(
  items: readonly T[] | AsyncIterable<T>,
  concurrency: number,
  signal: AbortSignal | undefined,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController()
  const combined = AbortSignal.any([...(signal ? [signal] : []), failed.signal])
  // Each running task adds a listener. 0 turns off Node's warning about many listeners.
  setMaxListeners(0, combined)
  // Don't use a queue, because it would need an entry for each item from the start.
  const rest = 'values' in items ? items.values() : items
  const run = async (): Promise<void> => {
    try {
      for await (const item of rest) {
        if (combined.aborted) return
        await work(item, combined)
      }
    } catch (error) {
      failed.abort(error)
    }
  }
  const length = 'length' in items ? Math.min(concurrency, items.length) : concurrency
  await Promise.all(Array.from({ length }, run))
  combined.throwIfAborted()
}
