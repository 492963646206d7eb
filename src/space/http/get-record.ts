import { isAscii } from 'node:buffer'
import PQueue from 'p-queue'
import { eachLimit } from '../../async/each-limit.js'
import { ContentSpaceError, type ErrorFacts } from '../../errors.js'
import { jsonOf } from '../../text/json.js'
import { sizeText } from '../../text/quantities.js'
import { createTextLimit, maxTexts } from '../bounded-texts.js'
import type { Call, Digests } from '../space.js'
import { canonicalUuid } from '../uuid.js'
import type { SentPreviews } from '../wire/asset.js'
import { mayCarryAccess, removeAccess } from './addresses.js'
import { readUpTo } from './body.js'
import type { Connection } from './connection.js'
import { listingEncodings } from './encoding.js'
import { digestOf, readResult } from './envelope.js'
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

interface ListingRequest<T> {
  facts: ErrorFacts
  signal: AbortSignal | undefined
  /** Called with the complete body. Throwing a retryable error causes a retry. */
  read: (response: Response, bytes: Uint8Array, facts: ErrorFacts) => T
}

/** Milliseconds within which a listing must arrive. */
const deadline = 5 * 60_000
/** The maximum number of bytes to read from a listing, and from a response with an error status. */
const limits = { listing: 32e6, error: 1e6 }
/** Listings up to this many bytes are read in parallel. Larger listings are read one at a time to save memory. */
const parallelLimit = 1e6

type RequestListing = ReturnType<typeof createRequestListing>

/** Creates a function that requests JSON and reads the complete body. */
export function createRequestListing({ send, context }: Pick<Connection, 'send' | 'context'>) {
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

  return <T>(url: URL, { facts: about, signal: caller, read }: ListingRequest<T>): Promise<T> => {
    const facts = { ...about, endpoint: `GET ${url.pathname}`, address: url.origin + url.pathname }
    const options = { accept: 'application/json', encoding: listingEncodings, deadline, facts }
    return send({
      kind: 'json',
      signal: caller,
      facts,
      fetch: (signal) => fetchResponse(url, { ...options, signal }, context),
      async read(response) {
        try {
          return read(response, await readBytes(response, facts), facts)
        } catch (error) {
          throw error instanceof ContentSpaceError ? error.with(facts) : error
        }
      },
    })
  }
}

export function createGetRecord(connection: Connection, request: RequestListing) {
  const { urlOf, slashes } = connection
  const parseListing = createListingParser(connection)
  return <T>({ path: asked, query, facts: about = {}, call, parse }: RecordRequest<T>): Promise<T> =>
    slashes.request(asked, (path, answered) => {
      const url = urlOf(path, query)
      return request(url, {
        facts: about,
        signal: call?.signal,
        read(response, bytes, facts) {
          if (call?.digests) keepDigest(call.digests, url, response, bytes)
          const { result, previews } = parseListing(response, bytes, facts)
          answered(response.path)
          return parse(result, { headers: response.headers, size: bytes.length, previews })
        },
      })
    })
}

/** Keeps the digest of a response, for `createIsUnchanged`. */
function keepDigest(digests: Digests, { href }: URL, response: Response, bytes: Uint8Array): void {
  const [before, digest] = [digests.get(href), digestOf(response, bytes)]
  // Two responses to the same request may contain two states, and we don't know which of them the caller uses.
  digests.set(href, before === undefined || before === digest ? digest : '')
}

/** The number of parallel requests. It is low, because after a change, pending responses are useless. */
const concurrency = 8

/** Creates a function that repeats requests, and returns whether the digests of their responses are still the same. */
export function createIsUnchanged(request: RequestListing) {
  return async (digests: Digests): Promise<boolean> => {
    let isUnchanged = true
    await eachLimit([...digests], concurrency, undefined, async ([url, known], signal) => {
      if (isUnchanged && known !== (await request(new URL(url), { facts: {}, signal, read: digestOf })))
        isUnchanged = false
    })
    return isUnchanged
  }
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

/**
 * Creates a function that parses complete listings. The function removes the token from every string and key of the
 * result, because a service may echo it. It also removes anything that grants access from addresses, and truncates long
 * strings. All records pass through this function.
 */
function createListingParser({ credentials, signed, label, warn }: Connection) {
  const { content } = credentials
  const limitTexts = createTextLimit(label, warn)

  return (response: Response, bytes: Uint8Array, facts: ErrorFacts) => {
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
    return { result: clean, previews }
  }
}
