import { setMaxListeners } from 'node:events'
import PQueue from 'p-queue'
import { ContentSpaceError, type ErrorFacts } from '../errors.js'
import { once } from '../once.js'
import type { Credentials } from './credentials.js'
import { readDownload, readResult } from './http-envelope.js'
import { exchange, nextAddress, type Answer } from './http-exchange.js'
import { readRetryAfter } from './http-failure.js'
import { createLimiter, type Permit } from './http-limit.js'
import { pageBase, readSection } from './http-pages.js'
import { createRetry } from './http-retry.js'
import { isLoopback } from './loopback.js'
import { revisionHeader, type Call, type DownloadTarget, type Space } from './space.js'
import { canonicalUuid } from './uuid.js'
import { parseKit, parseKits, parseOutline, parsePage } from './wire.js'

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
}

/** Bytes. */
const largest = { json: 64e6, file: 2e9 }
/** Milliseconds. */
const connectTimeout = 5000
const pageSize = 200
/** undici leaves a connection alone for a turn of the event loop after each answer: with none to spare, requests go out in lockstep. */
const spare = 8

/**
 * The space behind a REST interface. Nothing is asked before it is needed.
 * @throws ContentSpaceError `invalidOption` for plain http beyond loopback
 */
export function httpSpace(options: HttpOptions): Space {
  const { address, credentials, insecure, strict, warn, concurrency, timeout, rateLimit, cacheDir } = options
  if (address.protocol === 'http:' && !isLoopback(address) && !insecure) {
    throw new ContentSpaceError('invalidOption', `${address.origin} is plain http: anyone on the way could read the token.`, {
      hint: 'Use https, or set `insecure: true` if you must.',
    })
  }
  const key = `${address.href} ${credentials.spaceId}`
  // A warm build asks nothing, and need not load what asks.
  const agents = once(async () => {
    const { Agent } = await import('undici')
    return new Agent({ connections: concurrency + spare, connect: { timeout: Math.min(timeout, connectTimeout) } })
  })
  const context = {
    dispatcher: () => agents.get(''),
    origin: address.origin,
    authorization: () => credentials.header(),
    timeout,
    insecure,
    onRequest: options.onRequest,
  }
  const queue = new PQueue({ concurrency })
  /** In front of the queue: what waits for the rate takes no place from the listing. Permits take time, and are had in advance. */
  const downloads = new PQueue({ concurrency: 3 * concurrency })
  const retry = createRetry(options.onWait)
  const limiter = rateLimit && createLimiter({ ...rateLimit, cacheDir, key, onWait: options.onWait })
  const base = pageBase()
  let siblings = openGroup()

  /** One request, tried again where that may help. What is refused for its credentials ends all that are under way. */
  async function send<T>(url: URL, facts: ErrorFacts, call: Call | undefined, kind: 'json' | 'file', read: (answer: Answer, signal: AbortSignal) => T | Promise<T>) {
    const shared = siblings
    const signal = shared.with(call?.signal)
    const accept = kind === 'json' ? 'application/json' : '*/*'
    let retryAfter: number | undefined
    const attempt = async () => {
      let permit: Permit | undefined
      for (;;) {
        await retry.pause(signal)
        if (kind === 'file' && limiter) permit = await limiter.take(signal, permit)
        const sent = await queue.add(() => sendNow(permit), { priority: kind === 'json' ? 1 : 0 })
        if (sent) return sent.value
      }
    }
    /** Nothing, when a pause or a full queue has made the permit old: used now, it would add to those of the next window. */
    const sendNow = async (permit: Permit | undefined): Promise<{ value: T } | undefined> => {
      retryAfter = undefined
      await retry.pause(signal)
      if (permit?.isGood() === false) return undefined
      const answer = await exchange(url, { accept, limit: largest[kind], facts, signal }, context)
      const { 'retry-after': after, date } = answer.headers
      retryAfter = readRetryAfter(String(after ?? ''), String(date ?? ''))
      try {
        return { value: await read(answer, signal) }
      } catch (error) {
        const limited = error instanceof ContentSpaceError && error.code === 'rateLimited'
        if (limited && retryAfter !== undefined) retry.pauseFor(retryAfter)
        throw error
      }
    }
    try {
      return await retry.run(kind === 'file' ? () => downloads.add(attempt) : attempt, () => retryAfter, signal)
    } catch (error) {
      if (error instanceof ContentSpaceError && (error.code === 'unauthorized' || error.code === 'permissionDenied')) {
        if (siblings === shared) siblings = openGroup()
        shared.abort(error)
      }
      throw error
    }
  }

  function get<T>(path: string, query: Record<string, string | number>, facts: ErrorFacts, call: Call | undefined, parse: (result: object, answer: Answer) => T) {
    const url = new URL(`1/${path}`, address)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    const known = { ...facts, endpoint: `GET ${url.pathname}` }
    return send(url, known, call, 'json', (answer) => {
      try {
        return parse(readResult(answer, { facts: known, redact: credentials.redact }), answer)
      } catch (error) {
        throw error instanceof ContentSpaceError ? error.with(known) : error
      }
    })
  }

  async function download({ uuid, size }: DownloadTarget, cut: string | undefined, call: Call | undefined): Promise<Uint8Array> {
    const url = new URL(`1/assets/${uuid}/download`, address)
    if (cut !== undefined) url.searchParams.set('type', cut.toLowerCase())
    const facts = { asset: uuid, endpoint: `GET ${url.pathname}` }
    const reading = { facts, redact: credentials.redact }
    return send(url, facts, call, 'file', async (answer, signal) => {
      refuseExpired(answer, facts)
      const elsewhere = readDownload(answer, reading)
      const file = elsewhere === undefined ? answer : await fetchElsewhere(nextAddress(url, elsewhere, facts, insecure), facts, signal)
      const expected = cut === undefined ? size : undefined
      if (file.status === 206 || (expected !== undefined && file.body.length !== expected) || (cut !== undefined && file.body.length === 0)) {
        const counted = expected === undefined ? '' : ` of ${expected}`
        throw new ContentSpaceError('truncated', `The file came with ${file.body.length}${counted} bytes.`, { ...facts, status: file.status })
      }
      return file.body
    })
  }

  /** The address in an envelope is signed: it is asked without credentials, whatever its origin. */
  async function fetchElsewhere(url: URL, facts: ErrorFacts, signal: AbortSignal): Promise<Answer> {
    const answer = await exchange(url, { accept: '*/*', limit: largest.file, facts, signal }, { ...context, origin: '' })
    refuseExpired(answer, facts)
    if (readDownload(answer, { facts, redact: credentials.redact }) === undefined) return answer
    throw new ContentSpaceError('badRedirect', 'The address that the service gives for a file leads only to another one.', facts)
  }

  return {
    label: address.origin,
    key,
    spaceId: credentials.spaceId,
    kits: (call) => get('kits/', {}, {}, call, parseKits),
    kit: (uuid, include, call) =>
      get(`kits/${uuid}`, { include }, { kit: uuid }, call, (result, { headers }) => {
        const revision = headers[revisionHeader]
        return { ...ofUuid(parseKit(result), uuid), ...(typeof revision === 'string' ? { revision } : {}) }
      }),
    outline: (kit, version, call) =>
      get(`kits/${kit}/outline/`, versions(version), { kit, version }, call, (result) => ofVersion(ofUuid(parseOutline(result), kit), version)),
    section(uuid, version, call) {
      const ask = (page: number | undefined) =>
        get(
          `sections/${uuid}`,
          { ...versions(version), limit: pageSize, ...(page === undefined ? {} : { page }) },
          { section: uuid, version },
          call,
          (result) => ofVersion(ofUuid(parsePage(result), uuid), version),
        )
      return readSection(ask, base, strict, warn)
    },
    download,
    async close() {
      // What is under way has nobody left to wait for it, and a service that is silent would be waited for.
      siblings.abort(new ContentSpaceError('aborted', 'The space was closed.'))
      await Promise.all(agents.keys().map(async (name) => (await agents.get(name)).destroy()))
    },
  }
}

/** Requests that end together. Who asks for many brings one signal for all of them, and gets one. */
function openGroup() {
  const group = new AbortController()
  const joined = new WeakMap<AbortSignal, AbortSignal>()
  // Everything that is under way listens.
  setMaxListeners(0, group.signal)
  return {
    with(signal: AbortSignal | undefined): AbortSignal {
      if (signal === undefined) return group.signal
      const either = joined.get(signal) ?? AbortSignal.any([group.signal, signal])
      setMaxListeners(0, either)
      joined.set(signal, either)
      return either
    },
    abort: (reason: unknown) => group.abort(reason),
  }
}

/** Storage that no longer takes its signed address: the service gives another one, so this is no matter of credentials. */
function refuseExpired({ elsewhere, status }: Answer, facts: ErrorFacts): void {
  if (!elsewhere || status < 400) return
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
  throw new ContentSpaceError('invalidResponse', `The service sent version ${record.version} when asked for version ${version}.`, { version })
}

/** The same for what it is: one kit must not pass for another. */
function ofUuid<T extends { uuid: string } | { kitUuid: string }>(record: T, asked: string): T {
  const sent = 'uuid' in record ? record.uuid : record.kitUuid
  if (sent === canonicalUuid(asked)) return record
  throw new ContentSpaceError('invalidResponse', `The service sent ${sent} when asked for ${asked}.`)
}
