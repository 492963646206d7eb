import PQueue from 'p-queue'
import { ContentSpaceError, type ErrorFacts } from '../../errors.js'
import type { Credentials } from './credentials.js'
import { readUpTo } from './body.js'
import { readResult } from './envelope.js'
import type { Response } from './exchange.js'
import { mapTexts } from './json.js'

/** Bytes of a listing, and of the answer to a request that failed. */
const largest = { listing: 32e6, error: 1e6 }
/** Bytes up to which listings are read side by side. Longer ones take turns, so that memory holds one of them. */
const small = 1e6

/** The `result` of a listing. */
export interface Listing {
  result: object
  /** Bytes of the answer. */
  size: number
}

/**
 * Reads listings whole. The token, which a service may have put into them, is replaced in every text and key of the
 * result: all that becomes a record has come through here.
 */
export function createListingReader({
  redact,
  content,
}: Credentials): (answer: Response, facts: ErrorFacts) => Promise<Listing> {
  const turns = new PQueue({ concurrency: 1 })

  async function readBytes({ status, body }: Response, facts: ErrorFacts): Promise<Uint8Array> {
    const chunks = body[Symbol.asyncIterator]()
    const parts: Uint8Array[] = []
    if (status >= 400) {
      await readUpTo(chunks, parts, largest.error)
    } else if (
      !(await readUpTo(chunks, parts, small)) &&
      !(await turns.add(() => readUpTo(chunks, parts, largest.listing)))
    ) {
      throw new ContentSpaceError('invalidResponse', `The answer is larger than ${largest.listing} bytes.`, facts)
    }
    return Buffer.concat(parts)
  }

  return async (answer, facts) => {
    const bytes = await readBytes(answer, facts)
    const result = readResult({ status: answer.status, bytes }, { facts, redact })
    const found = content.mayContain(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'))
    return { result: found ? mapTexts(result, content.clean) : result, size: bytes.length }
  }
}
