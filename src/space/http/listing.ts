import { isAscii } from 'node:buffer'
import PQueue from 'p-queue'
import { sizeText } from '../../text/quantities.js'
import { ContentSpaceError, type ErrorFacts } from '../../errors.js'
import { readUpTo } from './body.js'
import type { Credentials } from './credentials.js'
import { readResult } from './envelope.js'
import type { Response } from './fetch.js'
import { latin1Of, mapTexts } from './json.js'

/** Bytes that are read of a listing, and of a response with an error status. */
const limits = { listing: 32e6, error: 1e6 }
/** Bytes up to which listings are read in parallel. Larger ones are read one at a time, to save memory. */
const parallelLimit = 1e6

/**
 * Creates a function that reads listings to their end. It removes the token, which a service may have put into them,
 * from every text and key of the result. All records come through here.
 */
export function createListingReader({ redact, content }: Credentials) {
  const largeListings = new PQueue({ concurrency: 1 })

  async function readBytes({ status, body }: Response, facts: ErrorFacts): Promise<Uint8Array> {
    const chunks = body[Symbol.asyncIterator]()
    const parts: Uint8Array[] = []
    if (status >= 400) {
      await readUpTo(chunks, parts, limits.error)
    } else if (
      !(await readUpTo(chunks, parts, parallelLimit)) &&
      !(await largeListings.add(() => readUpTo(chunks, parts, limits.listing)))
    ) {
      throw new ContentSpaceError('invalidResponse', `The response is larger than ${sizeText(limits.listing)}.`, facts)
    }
    return Buffer.concat(parts)
  }

  return async (response: Response, facts: ErrorFacts) => {
    const bytes = await readBytes(response, facts)
    // A text of ASCII is the same in both encodings, and is made once: pages of a large kit have many megabytes.
    const latin1 = latin1Of(bytes)
    const text = isAscii(bytes) ? latin1 : new TextDecoder().decode(bytes)
    const result = readResult({ status: response.status, bytes, text }, { facts, redact })
    const mayContainToken = content.mayContain(latin1)
    return { result: mayContainToken ? mapTexts(result, content.clean) : result, size: bytes.length }
  }
}
