import { ContentSpaceError, type ErrorFacts } from '../../errors.js'
import type { Call } from '../space.js'
import { canonicalUuid } from '../uuid.js'
import type { Connection } from './connection.js'
import { fetchResponse, type Response } from './fetch.js'
import { createListingReader } from './listing.js'

export interface RecordRequest<T> {
  /** Path of the endpoint after `/1/`. */
  path: string
  query?: Record<string, string | number>
  facts?: ErrorFacts
  call: Call | undefined
  /** Reads the `result` of the envelope. */
  parse: (result: object, response: Received) => T
}

interface Received {
  headers: Response['headers']
  size: number
}

/** Milliseconds that a listing may take. */
const deadline = 5 * 60_000

export function createGetRecord({ urlOf, send, context, credentials }: Connection) {
  const readListing = createListingReader(credentials)
  return <T>({ path, query, facts: about, call, parse }: RecordRequest<T>): Promise<T> => {
    const url = urlOf(path, query)
    const facts = { ...about, endpoint: `GET ${url.pathname}`, address: url.origin + url.pathname }
    return send({
      kind: 'json',
      signal: call?.signal,
      facts,
      fetch: (signal) => fetchResponse(url, { accept: 'application/json', deadline, facts, signal }, context),
      async read(response) {
        try {
          const { result, size } = await readListing(response, facts)
          return parse(result, { headers: response.headers, size })
        } catch (error) {
          throw error instanceof ContentSpaceError ? error.with(facts) : error
        }
      },
    })
  }
}

/** The query parameter for a version. The interface uses both spellings. */
export function versionQuery(version: number): { version: number; v: number } {
  return { version, v: version }
}

/** Checks the version of a record: a service that ignores both parameters sends another one. */
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
