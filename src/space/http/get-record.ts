import { isAscii } from 'node:buffer'
import PQueue from 'p-queue'
import { ContentSpaceError, type ErrorFacts } from '../../errors.js'
import { jsonOf } from '../../text/json.js'
import { sizeText } from '../../text/quantities.js'
import { createTextLimit, maxTexts } from '../bounded-texts.js'
import type { Call } from '../space.js'
import { canonicalUuid } from '../uuid.js'
import type { SentPreviews } from '../wire/asset.js'
import { mayCarryAccess, removeAccess } from './addresses.js'
import { readUpTo } from './body.js'
import type { Connection } from './connection.js'
import { listingEncodings } from './encoding.js'
import { readResult } from './envelope.js'
import { fetchResponse, type Response } from './fetch.js'
import { latin1Of, mapTexts, measureJson } from './json.js'

export interface RecordRequest<T> {
  /** Path of the endpoint after `/1/`. */
  path: string
  query?: Record<string, string | number>
  facts?: ErrorFacts
  call: Call | undefined
  /** Parses the `result` of the envelope. */
  parse: (result: object, response: Pick<Response, 'headers'> & { size: number; previews: SentPreviews }) => T
}

/** Milliseconds within which a listing must arrive. */
const deadline = 5 * 60_000

export function createGetRecord(connection: Connection) {
  const { urlOf, slashes, send, context } = connection
  const readListing = createListingReader(connection)
  return <T>({ path: asked, query, facts: about, call, parse }: RecordRequest<T>): Promise<T> =>
    slashes.request(asked, (path, answered) => {
      const url = urlOf(path, query)
      const facts = { ...about, endpoint: `GET ${url.pathname}`, address: url.origin + url.pathname }
      const options = { accept: 'application/json', encoding: listingEncodings, deadline, facts }
      return send({
        kind: 'json',
        signal: call?.signal,
        facts,
        fetch: (signal) => fetchResponse(url, { ...options, signal }, context),
        async read(response) {
          try {
            const { result, size, previews } = await readListing(response, facts)
            answered(response.path)
            return parse(result, { headers: response.headers, size, previews })
          } catch (error) {
            throw error instanceof ContentSpaceError ? error.with(facts) : error
          }
        },
      })
    })
}

/** Returns the query parameters for a version: both `version` and `v`, because the REST interface uses both names. */
export function versionQuery(version: number): { version: number; v: number } {
  return { version, v: version }
}

/** Checks the version of a record, because a service that ignores both parameters sends another one. */
export function expectVersion<T extends { version: number }>(record: T, version: number): T {
  if (record.version === version) return record
  throw new ContentSpaceError(
    'invalidResponse',
    `The service sent version ${record.version} instead of version ${version}.`,
    { version },
  )
}

/** Checks the uuid of a record. For an outline, this is the uuid of its kit. */
export function expectUuid<T extends { uuid: string } | { kitUuid: string }>(record: T, requested: string): T {
  const received = 'uuid' in record ? record.uuid : record.kitUuid
  if (received === canonicalUuid(requested)) return record
  throw new ContentSpaceError('invalidResponse', `The service sent the record of ${received} instead of ${requested}.`)
}

/** The maximum number of bytes to read from a listing, and from a response with an error status. */
const limits = { listing: 32e6, error: 1e6 }
/** Listings up to this many bytes are read in parallel. Larger listings are read one at a time to save memory. */
const parallelLimit = 1e6

/**
 * Creates a function that reads complete listings. The function removes the token from every text and key of the
 * result, because a service may echo it. It also removes anything that grants access from addresses, and truncates long
 * texts. All records pass through this function.
 */
function createListingReader({ credentials, signed, label, warn }: Connection) {
  const { content } = credentials
  const limitTexts = createTextLimit(label, warn)
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
    // ASCII text is the same in Latin-1 and UTF-8. Don't decode it twice, because pages of a large kit have many
    // megabytes.
    const latin1 = latin1Of(bytes)
    const text = isAscii(bytes) ? latin1 : new TextDecoder().decode(bytes)
    const { isBounded, longest } = measureJson(bytes)
    const json = isBounded ? jsonOf(text) : undefined
    const result = readResult({ ...response, bytes, json }, { facts, credentials })
    const clean = content.mayContain(latin1) ? mapTexts(result, content.clean) : result
    if (longest > maxTexts.name) limitTexts(clean)
    const previews: SentPreviews = !signed && mayCarryAccess(latin1) ? removeAccess(clean) : new Map()
    return { result: clean, size: bytes.length, previews }
  }
}
