import type { Readable } from 'node:stream'
import { durationText, sizeText } from '../../text/quantities.js'

/** Bytes per second. A body that stays slower than this for longer than the timeout fails. */
const minRate = 1024

export interface Pace {
  /** Milliseconds that may pass without progress. */
  timeout: number
  /** Milliseconds that the whole body may take. */
  deadline: number
}

/**
 * Yields the chunks of a body as they arrive. Only the time spent waiting for chunks counts, not the time that the
 * reader takes. Destroys the body when the reader stops early.
 * @param toError returns the error to throw when the body breaks off, is slower than `minRate`, or exceeds its deadline
 */
export async function* paced(
  body: Readable,
  { timeout, deadline }: Pace,
  toError: (error: unknown) => unknown,
): AsyncGenerator<Buffer, undefined> {
  const chunks: AsyncIterator<Buffer, undefined> = body[Symbol.asyncIterator]()
  const expired = () => `not complete after ${durationText(deadline / 1000)}`
  let [credit, left] = [timeout, deadline]
  try {
    for (;;) {
      const started = performance.now()
      const reason = () => (left <= credit ? expired() : `slower than ${sizeText(minRate)} per second`)
      const destroy = () => void body.destroy(new Error(reason()))
      const late = setTimeout(destroy, Math.min(credit, left))
      const next = await chunks.next().finally(() => clearTimeout(late))
      if (next.done) return
      const waited = performance.now() - started
      left -= waited
      credit = Math.min(timeout, credit - waited + (next.value.length / minRate) * 1000)
      yield next.value
    }
  } catch (error) {
    throw toError(error)
  } finally {
    body.destroy()
  }
}

/**
 * Reads chunks until their total size exceeds `limit` bytes.
 * @param parts chunks that were read before. New chunks are appended.
 * @returns whether the body ended first
 */
export async function readUpTo(
  chunks: AsyncIterator<Uint8Array>,
  parts: Uint8Array[],
  limit: number,
): Promise<boolean> {
  let size = parts.reduce((sum, { length }) => sum + length, 0)
  while (size <= limit) {
    const next = await chunks.next()
    if (next.done) return true
    parts.push(next.value)
    size += next.value.length
  }
  return false
}
