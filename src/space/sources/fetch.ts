import { memoize } from '../../async/memoize.js'
import { ContentSpaceError } from '../../errors.js'
import type { HttpOptions } from '../http/connection.js'
import { connectionError } from '../http/errors.js'
import { connectTimeout } from '../http/fetch.js'
import { createLimiter } from '../http/rate-limit.js'
import { createRedaction } from '../http/redaction.js'
import { createSender } from '../http/send.js'
import { requireSecureTransport, userAgent } from '../http/transport.js'
import { offlineError } from '../offline.js'
import { createAgent } from '../proxies.js'

export interface FetchOptions extends Pick<
  HttpOptions,
  'timeout' | 'concurrency' | 'rateLimit' | 'cacheDir' | 'insecure' | 'onRequest' | 'onWait' | 'sharedRate'
> {
  /** Identifies the source. The rate limit counts all requests with the same key together. */
  key: string
  offline: boolean
}

/** The maximum number of bytes in a response. */
const maxResponse = 512 * 1024 * 1024

const maxRedirects = 5

/**
 * Headers that are still sent to another origin after a redirect. Any other header may be a credential, whatever its
 * name.
 */
const plainHeaders = new Set(['accept', 'accept-language', 'user-agent'])

/** Names of headers and parameters whose values are credentials. */
const secretName = /auth|token|key|secret|cookie|password|signature/i

interface Sent {
  url: URL
  method: string
  headers: Headers
  body: Uint8Array | undefined
}

/**
 * Opens the HTTP client of a source, which uses the rate, the timeouts and the proxy of the options. Retries `GET` and
 * `HEAD` while the host is unreachable, fails or limits the rate. After the last attempt, `fetch` returns the host's
 * response, like the global `fetch`.
 */
export function openFetch(options: FetchOptions) {
  const { key, concurrency, timeout, rateLimit, cacheDir, insecure, onRequest, onWait, sharedRate } = options
  const secrets = new Map<string, (text: string) => string>()
  const libraries = memoize(async () => {
    const { Agent, EnvHttpProxyAgent, fetch: request } = await import('undici')
    const limits = { headersTimeout: timeout, bodyTimeout: timeout, maxResponseSize: maxResponse }
    const connect = { timeout: Math.min(timeout, connectTimeout) }
    return {
      request,
      dispatcher: createAgent({ Agent, EnvHttpProxyAgent }, { ...limits, connections: concurrency, connect }),
    }
  })
  const limiter = rateLimit ? createLimiter({ ...rateLimit, cacheDir, key, onWait, shared: sharedRate }) : undefined
  const sender = createSender({ concurrency, limiter, redact, onWait, clock: undefined })

  /** Removes all credentials that the source has sent so far. */
  function redact(text: string): string {
    return [...secrets.values()].reduce((result, clean) => clean(result), text)
  }

  function remember({ url, headers }: Sent): void {
    for (const [name, value] of [...headers, ...url.searchParams, ['password', url.password] as const]) {
      const secret = value.split(' ').at(-1) ?? ''
      if (secretName.test(name) && secret.length >= 8 && !secrets.has(secret))
        secrets.set(secret, createRedaction(secret, Buffer.from(secret).toString('base64'), 8, 'g').clean)
    }
  }

  /** Sends a request once, following redirects. */
  async function send(
    { url: target, method, headers: given, body }: Sent,
    signal: AbortSignal,
    onChunk: () => void,
  ): Promise<Response> {
    const library = await libraries.get('')
    let [url, headers] = [target, given]
    // Use a new signal, because undici throws for a signal without a limit of listeners, such as the sender's signals.
    const own = AbortSignal.any([signal])
    for (let count = 0; ; count++) {
      requireSecureTransport({ address: url, insecure })
      onRequest()
      const { dispatcher } = library
      const init = { method, headers: Object.fromEntries(headers), body: body ?? null, dispatcher, signal: own }
      const response = await library.request(url, { ...init, redirect: 'manual' }).catch((cause: unknown): never => {
        if (signal.aborted) throw signal.reason
        const error = connectionError(Object(cause).cause ?? cause, url, { address: addressOf(url) })
        throw isRead(method) ? error : new ContentSpaceError(error.code, error.summary, { cause, retryable: false })
      })
      const location = response.headers.get('location')
      if (location === null || response.status < 300 || response.status > 399 || !isRead(method)) {
        const { status, statusText } = response
        return new Response(response.body && streamOf(response.body, onChunk), {
          status,
          statusText,
          headers: Object.fromEntries(response.headers),
        })
      }
      await response.body?.cancel()
      if (count === maxRedirects)
        throw new ContentSpaceError('badRedirect', `${target.origin} redirects more than ${maxRedirects} times.`)
      const next = new URL(location, url)
      if (next.origin !== url.origin) headers = new Headers([...headers].filter(([name]) => plainHeaders.has(name)))
      url = next
    }
  }

  return {
    redact,
    /**
     * @param onChunk called for each part of a body
     * @throws ContentSpaceError `offline`, `unreachable`, `badRedirect`, `invalidOption` for plain http, `aborted`
     */
    async fetch(request: Request, onChunk = (): void => {}): Promise<Response> {
      const { method, signal } = request
      const url = new URL(request.url)
      if (options.offline) throw offlineError(`${addressOf(url)} is not in the cache.`)
      const headers = new Headers([['user-agent', userAgent()], ...request.headers])
      const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer())
      const sent = { url, method, headers, body }
      remember(sent)
      const facts = { address: addressOf(url) }
      let last: Response | undefined
      async function attempt(stop: AbortSignal) {
        await last?.body?.cancel()
        const response = (last = await send(sent, stop, onChunk))
        const nothing = { path: url.pathname, crossOrigin: false, delimited: true, encoded: false, close() {} }
        const { status } = response
        return { ...nothing, body: noBody(), status, headers: Object.fromEntries(response.headers) }
      }
      async function read({ status }: { status: number }): Promise<void> {
        const code = status === 429 ? 'rateLimited' : status >= 500 ? 'serverError' : undefined
        if (code === undefined || !isRead(method)) return
        throw new ContentSpaceError(code, `${url.origin} answered with HTTP status ${status}.`, { ...facts, status })
      }
      await sender.send({ kind: 'file', signal, facts, fetch: attempt, read }).catch((error: unknown) => {
        if (!last || !(error instanceof ContentSpaceError) || error.facts.status !== last.status) throw error
      })
      if (last) return last
      throw new ContentSpaceError('unreachable', `${url.origin} did not answer.`, facts)
    },
    /** Aborts all requests with `aborted` and closes the connections. */
    async close(): Promise<void> {
      sender.abort(new ContentSpaceError('aborted', 'The source was closed.'))
      await Promise.all(libraries.keys().map(async (name) => (await libraries.get(name)).dispatcher.destroy()))
    },
  }
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** Returns an address without its query, which may contain a credential. */
const addressOf = (url: URL): string => `${url.origin}${url.pathname}`

/** Converts undici's body to a stream for a global `Response`. */
function streamOf(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  onChunk: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      onChunk()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}

async function* noBody(): AsyncGenerator<Uint8Array> {}
