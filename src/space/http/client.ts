import { ContentSpaceError, type ErrorFacts } from '../../errors.js'
import { memoize } from '../../async/memoize.js'
import type { Credentials } from './credentials.js'
import { readDownloadResponse } from './download.js'
import { connectTimeout, fetchResponse, resolveRedirect, type Response } from './exchange.js'
import { createLimiter } from './rate-limit.js'
import { createListingReader } from './listing.js'
import { mostBytes, pageBase, readSection } from './pagination.js'
import type { Clock } from './retry.js'
import { createSender } from './send.js'
import { isLoopback } from './loopback.js'
import { revisionHeader, type Call, type DownloadTarget, type Receive, type Space } from '../space.js'
import { canonicalUuid } from '../uuid.js'
import { parseKit, parseKits, parseOutline, parsePage } from '../wire/records.js'

export interface HttpOptions {
  /** Without credentials; the path ends in `/`, and not in the interface's `/1/`. */
  address: URL
  credentials: Credentials
  /** Milliseconds without progress after which a request is given up and tried again. */
  timeout: number
  /** Requests under way at once. */
  concurrency: number
  rateLimit: { requests: number; seconds: number } | false
  /** Where the account of downloads is. */
  cacheDir: string
  insecure: boolean
  strict: boolean
  warn: (message: string) => void
  /** Told of each request that is sent. */
  onRequest: () => void
  /** Told of the milliseconds for which requests are held back: the rate is used up, or the service asks to wait. */
  onWait: (milliseconds: number) => void
  /** What pauses are measured and waited out with. Default: the system's. */
  clock?: Clock
}

/**
 * Milliseconds that an answer may take to come, however fast it comes; of a file that is listed, `rate` bytes a
 * second are enough.
 */
const deadlines = { listing: 5 * 60_000, file: 15 * 60_000, rate: 32_768 }
const pageSize = 200
/**
 * undici leaves a connection alone for a turn of the event loop after each answer: with none to spare, requests go
 * out in lockstep.
 */
const spare = 8

/**
 * The space behind a REST interface. Nothing is asked before it is needed.
 * @throws ContentSpaceError `invalidOption` for plain http beyond loopback
 */
export function httpSpace(options: HttpOptions): Space {
  const { address, credentials, insecure, strict, warn, concurrency, timeout, rateLimit, cacheDir, onWait } = options
  if (address.protocol === 'http:' && !isLoopback(address) && !insecure) {
    throw new ContentSpaceError(
      'invalidOption',
      `${address.origin} is plain http: anyone on the way could read the token.`,
      {
        hint: 'Use https, or set `insecure: true` if you must.',
      },
    )
  }
  const key = `${address.href} ${credentials.spaceId}`
  // A warm build asks nothing, and need not load what asks.
  const agents = memoize(async () => {
    const { Agent } = await import('undici')
    return new Agent({ connections: concurrency + spare, connect: { timeout: Math.min(timeout, connectTimeout) } })
  })
  const context = {
    dispatcher: () => agents.get(''),
    origin: address.origin,
    authorization: () => credentials.header(),
    timeout,
    insecure,
    holdsSecret: (text: string) => credentials.content.clean(text) !== text,
    onRequest: options.onRequest,
  }
  const limiter = rateLimit ? createLimiter({ ...rateLimit, cacheDir, key, onWait }) : undefined
  const { send, abort } = createSender({
    concurrency,
    limiter,
    redact: credentials.redactMessage,
    onWait,
    clock: options.clock,
  })
  const readListing = createListingReader(credentials)
  const base = pageBase()

  function get<T>(
    path: string,
    query: Record<string, string | number>,
    about: ErrorFacts,
    call: Call | undefined,
    parse: (result: object, answer: Response, size: number) => T,
  ): Promise<T> {
    const url = new URL(`1/${path}`, address)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    const facts = { ...about, endpoint: `GET ${url.pathname}` }
    return send({
      kind: 'json',
      signal: call?.signal,
      facts,
      fetch: (signal) =>
        fetchResponse(url, { accept: 'application/json', deadline: deadlines.listing, facts, signal }, context),
      async read(answer) {
        try {
          const { result, size } = await readListing(answer, facts)
          return parse(result, answer, size)
        } catch (error) {
          throw error instanceof ContentSpaceError ? error.with(facts) : error
        }
      },
    })
  }

  function download<T>(
    { uuid, size }: DownloadTarget,
    cut: string | undefined,
    receive: Receive<T>,
    call?: Call,
  ): Promise<T> {
    const url = new URL(`1/assets/${uuid}/download`, address)
    if (cut !== undefined) url.searchParams.set('type', cut.toLowerCase())
    const facts = { asset: uuid, endpoint: `GET ${url.pathname}` }
    const reading = { facts, redact: credentials.redact }
    const expected = { size: cut === undefined ? size : undefined, cut: cut !== undefined }
    const deadline = Math.max(deadlines.file, ((expected.size ?? 0) / deadlines.rate) * 1000)
    const asked = { accept: '*/*', deadline, facts }
    return send({
      kind: 'file',
      signal: call?.signal,
      facts,
      fetch: (signal) => fetchResponse(url, { ...asked, signal }, context),
      async read(answer, signal) {
        refuseExpired(answer, facts)
        const first = await readDownloadResponse(answer, expected, reading)
        if (first.address === undefined) return receive(first.body)
        // The address in an envelope is signed: it is asked without credentials, whatever its origin.
        const there = resolveRedirect(url, first.address, facts, context)
        const file = await fetchResponse(there, { ...asked, signal }, { ...context, origin: '' })
        try {
          refuseExpired(file, facts)
          const second = await readDownloadResponse(file, expected, reading)
          if (second.address === undefined) return await receive(second.body)
        } finally {
          file.close()
        }
        throw new ContentSpaceError(
          'badRedirect',
          'The address that the service gives for a file leads only to another one.',
          facts,
        )
      },
    })
  }

  return {
    label: address.origin,
    key,
    spaceId: credentials.spaceId,
    kits: (call) => get('kits/', {}, {}, call, parseKits),
    kit: (uuid, include, call) =>
      get(`kits/${uuid}`, { include }, { kit: uuid }, call, (result, { headers }) => {
        const revision = headers[revisionHeader]
        return {
          ...ofUuid(parseKit(result), uuid),
          ...(typeof revision === 'string' ? { revision: credentials.content.clean(revision) } : {}),
        }
      }),
    outline: (kit, version, call) =>
      get(`kits/${kit}/outline/`, versions(version), { kit, version }, call, (result) =>
        ofVersion(ofUuid(parseOutline(result), kit), version),
      ),
    section(uuid, version, call) {
      let read = 0
      const ask = (page: number | undefined) =>
        get(
          `sections/${uuid}`,
          { ...versions(version), limit: pageSize, ...(page === undefined ? {} : { page }) },
          { section: uuid, version },
          call,
          (result, _answer, size) => {
            const found = ofVersion(ofUuid(parsePage(result), uuid), version)
            read = size + (page === undefined ? 0 : read)
            if (page === undefined || read <= mostBytes(found.counts.items)) return found
            throw new ContentSpaceError(
              'invalidResponse',
              `Section ${found.name} has no end: its pages hold ${read} bytes.`,
            )
          },
        )
      return readSection(ask, base, strict, warn)
    },
    download,
    async close() {
      // What is under way has nobody left to wait for it, and a service that is silent would be waited for.
      abort(new ContentSpaceError('aborted', 'The space was closed.'))
      await Promise.all(agents.keys().map(async (name) => (await agents.get(name)).destroy()))
    },
  }
}

/**
 * Storage that no longer takes its signed address: the service gives another one, so this is no matter of
 * credentials.
 */
function refuseExpired({ crossOrigin, status }: Response, facts: ErrorFacts): void {
  if (!crossOrigin || status < 400) return
  throw new ContentSpaceError('badRedirect', `The storage behind the service answers with HTTP status ${status}.`, {
    ...facts,
    status,
    retryable: true,
  })
}

/** Both spellings stand in the interface. */
function versions(version: number): { version: number; v: number } {
  return { version, v: version }
}

/** A service that reads neither spelling sends another version, which must not pass for the one asked for. */
function ofVersion<T extends { version: number }>(record: T, version: number): T {
  if (record.version === version) return record
  throw new ContentSpaceError(
    'invalidResponse',
    `The service sent version ${record.version} when asked for version ${version}.`,
    { version },
  )
}

/** The same for what it is: one kit must not pass for another. */
function ofUuid<T extends { uuid: string } | { kitUuid: string }>(record: T, asked: string): T {
  const sent = 'uuid' in record ? record.uuid : record.kitUuid
  if (sent === canonicalUuid(asked)) return record
  throw new ContentSpaceError('invalidResponse', `The service sent ${sent} when asked for ${asked}.`)
}
