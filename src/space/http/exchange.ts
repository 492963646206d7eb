import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { ContentSpaceError, type ErrorFacts } from '../../errors.js'
import { paced } from './body.js'
import { connectionError } from './errors.js'
import { isLoopback } from './loopback.js'

/** An answer whose body is still to be read. Whoever has it closes it. */
export interface Response {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** Whether another origin than the service's answered. */
  crossOrigin: boolean
  /** Whether HTTP tells where the body ends: by its length or by chunks, and not by the end of the connection alone. */
  delimited: boolean
  /**
   * The body as it arrives, once. Reading throws `unreachable` when it breaks off or comes too slowly, and the reason
   * of the signal when that is aborted.
   */
  body: AsyncIterable<Uint8Array>
  /** Lets go of the connection. It is used again when the body was read to its end. */
  close(this: void): void
}

/** Which addresses of the service's choice are followed. */
export interface RedirectPolicy {
  /** Allows plain http crossOrigin too, where it started with it. */
  insecure: boolean
  /** Whether the token is in a text. */
  holdsSecret: (text: string) => boolean
}

export interface ExchangeContext extends RedirectPolicy {
  dispatcher: () => Promise<Dispatcher>
  /** The only origin that credentials are sent to. */
  origin: string
  authorization: () => string
  /** Milliseconds without progress after which the exchange is given up. */
  timeout: number
  onRequest: () => void
}

interface Exchange {
  accept: string
  /** Milliseconds that the body may take. */
  deadline: number
  facts: ErrorFacts
  signal: AbortSignal
}

const redirects = new Set([301, 302, 303, 307, 308])
const maxHops = 5
/** Milliseconds for a connection to be made. */
export const connectTimeout = 5000
/** Bytes of a body that nobody wants that are read all the same, so that its connection can be used again. */
const unwanted = 16_384

/**
 * Asks an address and follows redirects. Headers are made anew for each hop, and once another origin was asked,
 * credentials are sent no more, not even back to the first.
 * @throws ContentSpaceError `unreachable`, `badRedirect`, `invalidResponse`, `fileSystem`
 */
export async function fetchResponse(start: URL, asked: Exchange, context: ExchangeContext): Promise<Response> {
  let url = start
  let crossOrigin = url.origin !== context.origin
  for (let hop = 0; hop <= maxHops; hop++) {
    const answer = await sendRequest(url, crossOrigin, asked, context)
    if (!redirects.has(answer.status)) return answer
    answer.close()
    url = nextHop(url, answer, asked.facts, context)
    crossOrigin ||= url.origin !== context.origin
  }
  throw new ContentSpaceError('badRedirect', `The service redirects more than ${maxHops} times.`, asked.facts)
}

/**
 * Where a redirect or an envelope's address leads.
 * @throws ContentSpaceError `badRedirect` for what is neither https, nor from loopback to loopback, and for an
 *   address that would carry the token crossOrigin than in the Authorization header
 */
export function resolveRedirect(
  from: URL,
  to: string,
  facts: ErrorFacts,
  { insecure, holdsSecret }: RedirectPolicy,
): URL {
  const url = URL.canParse(to, from.href) ? new URL(to, from) : undefined
  if (!url) throw new ContentSpaceError('badRedirect', 'The service sends to an address that is none.', facts)
  url.username = ''
  url.password = ''
  url.hash = ''
  if (holdsSecret(url.href))
    throw new ContentSpaceError('badRedirect', 'The service sends to an address that holds the token.', facts)
  const plain =
    url.protocol === 'http:' && from.protocol === 'http:' && ((isLoopback(url) && isLoopback(from)) || insecure)
  if (url.protocol === 'https:' || plain) return url
  throw new ContentSpaceError(
    'badRedirect',
    `The service sends from ${from.origin} to ${url.protocol}//${url.host}, which is not safe.`,
    {
      ...facts,
      hint: 'Only https is followed, or from loopback to loopback.',
    },
  )
}

function nextHop(from: URL, { headers, status }: Response, facts: ErrorFacts, following: RedirectPolicy): URL {
  const { location } = headers
  if (typeof location === 'string') return resolveRedirect(from, location, { ...facts, status }, following)
  throw new ContentSpaceError('badRedirect', 'The service redirects to no address.', { ...facts, status })
}

async function sendRequest(
  url: URL,
  crossOrigin: boolean,
  asked: Exchange,
  context: ExchangeContext,
): Promise<Response> {
  const { accept, facts, signal, deadline } = asked
  const { timeout } = context
  const failed = (error: unknown): unknown => {
    if (signal.aborted) return signal.reason
    return error instanceof ContentSpaceError ? error : connectionError(error, url, facts)
  }
  const own = new AbortController()
  const stop = () => own.abort(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  const unlink = () => signal.removeEventListener('abort', stop)
  // undici starts its own clock anew with each interim answer (103 and the like).
  const late = setTimeout(() => own.abort(new Error('the headers are not complete in time')), connectTimeout + timeout)
  try {
    signal.throwIfAborted()
    context.onRequest()
    const dispatcher = await context.dispatcher()
    const { statusCode, headers, body } = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: {
        accept,
        'accept-encoding': 'identity',
        ...(crossOrigin ? {} : { authorization: context.authorization() }),
      },
      signal: own.signal,
      headersTimeout: timeout,
      bodyTimeout: timeout,
    })
    // What is destroyed while nobody reads it tells of it all the same.
    body.on('error', () => {}).once('close', unlink)
    if (isEncoded(headers)) {
      body.destroy()
      throw new ContentSpaceError('invalidResponse', 'The service compresses though it was asked not to.', facts)
    }
    const delimited = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
    const chunks = reading(paced(body, { timeout, deadline }), failed)
    return {
      status: statusCode,
      headers,
      crossOrigin,
      delimited,
      body: chunks,
      close: () => releaseConnection(body, timeout),
    }
  } catch (error) {
    unlink()
    throw failed(error)
  } finally {
    clearTimeout(late)
  }
}

/** Several encodings, or the same one many times over, are one header with commas, or several. */
function isEncoded(headers: Response['headers']): boolean {
  const content = headers['content-encoding'] ?? 'identity'
  const transfer = headers['transfer-encoding'] ?? 'chunked'
  return (
    !['', 'identity'].includes(String(content).trim().toLowerCase()) ||
    String(transfer).trim().toLowerCase() !== 'chunked'
  )
}

async function* reading(
  chunks: AsyncIterable<Uint8Array>,
  failed: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    throw failed(error)
  }
}

/** A little that is left is read, so that the connection can be used again. It is closed on what is long or slow. */
function releaseConnection(
  body: Readable & { dump(options: { limit: number; signal: AbortSignal }): Promise<void> },
  timeout: number,
): void {
  if (body.destroyed || body.readableEnded) return
  if (body.readableDidRead) body.destroy()
  else body.dump({ limit: unwanted, signal: AbortSignal.timeout(timeout) }).catch(() => {})
}
