import type { Readable } from 'node:stream'

/** Bytes a second. A body that comes more slowly for longer than the time-out is given up. */
const leastRate = 1024

export interface Pace {
  /** Milliseconds that may pass without progress. */
  timeout: number
  /** Milliseconds that the whole body may take. */
  deadline: number
}

/**
 * The chunks of a body as they arrive. Only the time spent waiting for them counts, not what the reader takes in
 * between. The body is destroyed when the reader stops early.
 * @throws Error when the body breaks off, comes more slowly than `leastRate`, or takes longer than its deadline
 */
export async function* paced(body: Readable, { timeout, deadline }: Pace): AsyncGenerator<Buffer, undefined> {
  const chunks: AsyncIterator<Buffer, undefined> = body[Symbol.asyncIterator]()
  let [credit, left] = [timeout, deadline]
  try {
    for (;;) {
      const started = performance.now()
      const late = setTimeout(
        () => body.destroy(tooSlow(left <= credit ? deadline : undefined)),
        Math.min(credit, left),
      )
      const next = await chunks.next().finally(() => clearTimeout(late))
      if (next.done) return
      const waited = performance.now() - started
      left -= waited
      credit = Math.min(timeout, credit - waited + (next.value.length / leastRate) * 1000)
      yield next.value
    }
  } finally {
    body.destroy()
  }
}

function tooSlow(deadline: number | undefined): Error {
  return new Error(
    deadline === undefined
      ? `slower than ${leastRate} bytes a second`
      : `not complete after ${Math.round(deadline / 1000)} s`,
  )
}

/**
 * Reads chunks until there are more than so many bytes.
 * @param parts what was read before; the chunks are added to it
 * @returns whether the body has ended before that
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
