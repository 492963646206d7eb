import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Dispatcher } from 'undici'
import { ContentSpaceError, type ErrorFacts } from '../errors.js'
import { isLoopback } from './loopback.js'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Uint8Array
  /** Whether another origin than the service's answered. */
  elsewhere: boolean
}

export interface ExchangeContext {
  dispatcher: () => Promise<Dispatcher>
  /** The only origin that credentials are sent to. */
  origin: string
  authorization: () => string
  /** Milliseconds without progress after which the exchange is given up. */
  timeout: number
  /** Allows plain http elsewhere too, where it started with it. */
  insecure: boolean
  onRequest: () => void
}

interface Exchange {
  accept: string
  /** Bytes. */
  limit: number
  facts: ErrorFacts
  signal: AbortSignal
}

const redirects = new Set([301, 302, 303, 307, 308])
const maxHops = 5

/**
 * Asks an address and follows redirects. Headers are made anew for each hop, and once another origin was asked,
 * credentials are sent no more, not even back to the first.
 * @throws ContentSpaceError `unreachable`, `truncated`, `badRedirect`, `invalidResponse`
 */
export async function exchange(start: URL, asked: Exchange, context: ExchangeContext): Promise<Answer> {
  let url = start
  let elsewhere = url.origin !== context.origin
  for (let hop = 0; hop <= maxHops; hop++) {
    const answer = await ask(url, elsewhere, asked, context)
    if (!redirects.has(answer.status)) return answer
    url = nextHop(url, answer, asked.facts, context)
    elsewhere ||= url.origin !== context.origin
  }
  throw new ContentSpaceError('badRedirect', `The service redirects more than ${maxHops} times.`, asked.facts)
}

/**
 * Where a redirect or an envelope's address leads.
 * @throws ContentSpaceError `badRedirect` for what is neither https, nor from loopback to loopback
 */
export function nextAddress(from: URL, to: string, facts: ErrorFacts, insecure: boolean): URL {
  const url = URL.canParse(to, from.href) ? new URL(to, from) : undefined
  if (!url) throw new ContentSpaceError('badRedirect', 'The service sends to an address that is none.', facts)
  url.username = ''
  url.password = ''
  url.hash = ''
  const plain = url.protocol === 'http:' && from.protocol === 'http:' && ((isLoopback(url) && isLoopback(from)) || insecure)
  if (url.protocol === 'https:' || plain) return url
  throw new ContentSpaceError('badRedirect', `The service sends from ${from.origin} to ${url.protocol}//${url.host}, which is not safe.`, {
    ...facts,
    hint: 'Only https is followed, or from loopback to loopback.',
  })
}

function nextHop(from: URL, { headers, status }: Answer, facts: ErrorFacts, { insecure }: ExchangeContext): URL {
  const { location } = headers
  if (typeof location === 'string') return nextAddress(from, location, { ...facts, status }, insecure)
  throw new ContentSpaceError('badRedirect', 'The service redirects to no address.', { ...facts, status })
}

async function ask(url: URL, elsewhere: boolean, { accept, limit, facts, signal }: Exchange, context: ExchangeContext): Promise<Answer> {
  context.onRequest()
  try {
    const dispatcher = await context.dispatcher()
    const { statusCode, headers, body } = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: { accept, 'accept-encoding': 'identity', ...(elsewhere ? {} : { authorization: context.authorization() }) },
      signal,
      headersTimeout: context.timeout,
      bodyTimeout: context.timeout,
    })
    const bytes = await readBody(body, headers, { limit, facts, timeout: context.timeout })
    return { status: statusCode, headers, elsewhere, body: bytes }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof ContentSpaceError) throw error
    throw connectionError(error, url, facts)
  }
}

/** Bytes that must arrive in the time of one time-out: less is a stall that never ends. */
const leastProgress = 1024

async function readBody(
  body: Readable,
  headers: Answer['headers'],
  { limit, facts, timeout }: { limit: number; facts: ErrorFacts; timeout: number },
): Promise<Uint8Array> {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    // Left unread it would keep its connection.
    body.on('error', () => {}).destroy()
    throw new ContentSpaceError('invalidResponse', 'The service compresses though it was asked not to.', facts)
  }
  const chunks: Buffer[] = []
  let [size, before] = [0, 0]
  const watch = setInterval(() => {
    if (size - before < leastProgress) body.destroy(new Error(`less than ${leastProgress} bytes in ${timeout} ms`))
    before = size
  }, timeout)
  try {
    body.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) body.destroy(new ContentSpaceError('invalidResponse', `The answer is larger than ${limit} bytes.`, facts))
      else chunks.push(chunk)
    })
    await finished(body)
    return Buffer.concat(chunks)
  } finally {
    clearInterval(watch)
  }
}

/** What a connection that broke in the middle of an answer is called. */
const brokenOff = new Set(['UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'UND_ERR_ABORTED', 'ECONNRESET', 'UND_ERR_BODY_TIMEOUT'])

function connectionError(cause: unknown, { origin }: URL, facts: ErrorFacts): ContentSpaceError {
  const reason = reasonOf(cause)
  const broken = brokenOff.has(reason)
  return new ContentSpaceError('unreachable', `${origin} ${broken ? 'broke off' : 'cannot be reached'} (${reason}).`, {
    ...facts,
    hint: broken ? 'Try again.' : 'Check the address of the space and the network, or build with `offline` from the cache.',
    cause,
  })
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
