import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { ContentSpaceError, type ErrorFacts } from '../../errors.js'
import { revisionHeader } from '../space.js'
import { paced } from './body.js'
import { codingOf, unpack, type Headers } from './encoding.js'
import { connectionError } from './errors.js'
import { resolveRedirect, type RedirectPolicy } from './redirect.js'

/** A response whose body hasn't been read yet. The caller closes it. */
export interface Response {
  status: number
  headers: Headers
  /** Path of the URL after all redirects. */
  path: string
  /** Whether an origin other than the service sent it. */
  crossOrigin: boolean
  /** Whether a length, chunks or an encoding mark the end of the body. Otherwise, the body ends with the connection. */
  delimited: boolean
  /** Whether the body was compressed, so that `content-length` differs from its size. */
  encoded: boolean
  /**
   * The body as it arrives. It can be read once. Reading throws `unreachable` if the body breaks off or is too slow,
   * and the signal's reason on abort.
   */
  body: AsyncIterable<Uint8Array>
  /** Releases the connection, which is reused if the body was read to its end. */
  close(this: void): void
}

export interface FetchContext extends RedirectPolicy {
  dispatcher: () => Promise<Dispatcher>
  /** The only origin that receives credentials. */
  origin: string
  authorization: () => string
  userAgent: string
  timeout: number
  onRequest: () => void
  /** Called when the headers of a response have arrived, or the request has failed. */
  onResponse?: (() => void) | undefined
  /** Called with the target of each redirect before it is requested. Throwing an error ends the request. */
  onRedirect?: (target: URL) => void
}

export interface FetchOptions {
  accept: string
  /** `Accept-Encoding`. Default: `identity`. A body with another encoding is decompressed anyway. */
  encoding?: string
  deadline: number
  facts: ErrorFacts
  /** The value of `revisionHeader` to send to the service. */
  revision?: string | undefined
  signal: AbortSignal
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])
const maxRedirects = 5
/** Milliseconds within which a connection must be made. */
export const connectTimeout = 5000
/** Bytes of an unread body that we drain, so that its connection can be reused. */
const drainLimit = 16_384

/**
 * Sends a GET request and follows redirects. Builds the headers for each hop. After a redirect to another origin, stops
 * sending credentials, even back to the first origin.
 * @throws ContentSpaceError `unreachable`, `badRedirect`, `invalidResponse`, `fileSystem`
 */
export async function fetchResponse(start: URL, options: FetchOptions, context: FetchContext): Promise<Response> {
  let url = start
  let crossOrigin = url.origin !== context.origin
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const response = await sendRequest(url, crossOrigin, options, context)
    if (!redirectStatuses.has(response.status)) return response
    response.close()
    url = redirectTarget(url, response, options.facts, context)
    context.onRedirect?.(url)
    crossOrigin ||= url.origin !== context.origin
  }
  throw new ContentSpaceError('badRedirect', `The service redirected more than ${maxRedirects} times.`, options.facts)
}

function redirectTarget(from: URL, { headers, status }: Response, facts: ErrorFacts, policy: RedirectPolicy): URL {
  const { location } = headers
  if (typeof location === 'string') return resolveRedirect(from, location, { ...facts, status }, policy)
  throw new ContentSpaceError('badRedirect', `The service sent HTTP status ${status} without one Location header.`, {
    ...facts,
    status,
  })
}

async function sendRequest(
  url: URL,
  crossOrigin: boolean,
  { accept, encoding = 'identity', deadline, facts, revision, signal }: FetchOptions,
  context: FetchContext,
): Promise<Response> {
  const { timeout } = context
  const toError = (error: unknown): unknown => {
    if (signal.aborted) return signal.reason
    return error instanceof ContentSpaceError ? error : connectionError(error, url, facts)
  }
  const request = new AbortController()
  const abort = () => request.abort(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const unlink = () => signal.removeEventListener('abort', abort)
  // undici restarts its own headers timeout after each interim response, such as 103.
  const late = setTimeout(
    () => request.abort(new Error('the headers are not complete in time')),
    connectTimeout + timeout,
  )
  let sent = false
  try {
    signal.throwIfAborted()
    sent = true
    context.onRequest()
    const dispatcher = await context.dispatcher()
    const { statusCode, headers, body } = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: {
        accept,
        'user-agent': context.userAgent,
        'accept-encoding': encoding,
        ...(crossOrigin ? {} : { authorization: context.authorization(), [revisionHeader]: revision }),
      },
      signal: request.signal,
      headersTimeout: timeout,
      bodyTimeout: timeout,
    })
    // A body that is destroyed before it is read emits an error, which must be handled.
    body.on('error', () => {}).once('close', unlink)
    const coding = readCoding(headers, body, facts)
    const chunks = paced(body, { timeout, deadline }, toError)
    const isEncoded = coding !== undefined
    return {
      status: statusCode,
      headers,
      path: url.pathname,
      crossOrigin,
      encoded: isEncoded,
      delimited: isEncoded || headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined,
      body: isEncoded ? unpack(chunks, coding, facts) : chunks,
      close: () => releaseConnection(body, timeout),
    }
  } catch (error) {
    unlink()
    throw toError(error)
  } finally {
    clearTimeout(late)
    if (sent) context.onResponse?.()
  }
}

/** Returns the coding of a body. Ends the request if the coding isn't supported. */
function readCoding(headers: Headers, body: Readable, facts: ErrorFacts): string | undefined {
  try {
    return codingOf(headers, facts)
  } catch (error) {
    body.destroy()
    throw error
  }
}

/**
 * Drains the rest of a short body so that the connection can be reused, but closes the connection of a long or slow
 * body.
 */
function releaseConnection(
  body: Readable & { dump(options: { limit: number; signal: AbortSignal }): Promise<void> },
  timeout: number,
): void {
  if (body.destroyed || body.readableEnded) return
  if (body.readableDidRead) body.destroy()
  else body.dump({ limit: drainLimit, signal: AbortSignal.timeout(timeout) }).catch(() => {})
}
