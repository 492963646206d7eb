import type { Agent, Dispatcher } from 'undici'
import { memoize } from '../../async/memoize.js'
import { ContentSpaceError } from '../../errors.js'
import { createAgent, hasProxies } from '../proxies.js'
import type { Credentials } from './credentials.js'
import { connectTimeout, type FetchContext } from './fetch.js'
import { createLimiter } from './rate-limit.js'
import type { SharedRate } from './rate-share.js'
import type { RetryClock } from './retry.js'
import { createSender } from './send.js'
import { createSlashes } from './slashes.js'
import { requireSecureTransport, serviceKey, userAgent } from './transport.js'

export interface HttpOptions {
  /** Without credentials. The path ends in `/`, and doesn't include the interface's `/1/`. */
  address: URL
  credentials: Credentials
  /** Milliseconds without progress after which a request fails and is retried. */
  timeout: number
  concurrency: number
  rateLimit: { requests: number; seconds: number } | false
  /** Contains the download count that all processes share. */
  cacheDir: string
  insecure: boolean
  /** Keeps the addresses in records unchanged. By default, anything that may grant access is removed from them. */
  signed?: boolean
  strict: boolean
  warn: (message: string) => void
  onRequest: () => void
  onResponse?: (() => void) | undefined
  /** Called with the milliseconds of each pause that the rate limit or the service imposes. */
  onWait: (milliseconds: number) => void
  /** Counts the downloads of all machines together, if the machines share a counter. */
  sharedRate?: SharedRate | undefined
  /** Measures and waits out pauses. Default: the system clock. */
  clock?: RetryClock
}

/**
 * Connections in addition to `concurrency`. After a response, undici keeps a connection idle for one turn of the event
 * loop. Without spare connections, requests would be sent in lockstep.
 */
const spareConnections = 8

/**
 * Opens undici's agent from its own file, which loads in a third of the time of the whole library. Other versions may
 * keep it elsewhere.
 */
async function openAgent(options: Agent.Options): Promise<Dispatcher> {
  if (hasProxies()) return createAgent(await import('undici/index.js'), options)
  try {
    const { default: AgentOnly } = await import('undici/lib/dispatcher/agent.js')
    const { default: request } = await import('undici/lib/api/api-request.js')
    return Object.assign(new AgentOnly(options), { request })
  } catch {
    return new (await import('undici/index.js')).Agent(options)
  }
}

export type Connection = ReturnType<typeof createConnection>

/**
 * Prepares requests to a service. They share the connection pool, the queue, the rate limit and the credentials.
 * Doesn't open a socket before the first request.
 * @throws ContentSpaceError `invalidOption` for plain http beyond loopback
 */
export function createConnection(options: HttpOptions) {
  const { address, credentials, concurrency, timeout, insecure, rateLimit, cacheDir, onWait, clock } = options
  requireSecureTransport(options)
  const key = serviceKey(options)
  // Load undici with the first request, because a build from the cache doesn't send any.
  const agents = memoize(async () => {
    const connect = { timeout: Math.min(timeout, connectTimeout) }
    return openAgent({ connections: concurrency + spareConnections, connect })
  })
  const limiter = rateLimit
    ? createLimiter({ ...rateLimit, cacheDir, key, onWait, shared: options.sharedRate })
    : undefined
  const sender = createSender({ concurrency, limiter, redact: credentials.redactMessage, onWait, clock })
  const context: FetchContext = {
    dispatcher: () => agents.get(''),
    origin: address.origin,
    authorization: () => credentials.header(),
    userAgent: userAgent(),
    timeout,
    insecure,
    holdsSecret: (text) => credentials.content.clean(text) !== text,
    onRequest: options.onRequest,
    onResponse: options.onResponse,
  }
  return {
    /** Identifies the service and the space in caches. */
    key,
    label: address.origin,
    warn: options.warn,
    credentials,
    context,
    /** The hosts, including ports, that downloads were redirected to. */
    fileHosts: new Set<string>(),
    signed: options.signed === true,
    send: sender.send,
    slashes: createSlashes(),
    urlOf(this: void, path: string, query: Record<string, string | number> = {}): URL {
      const url = new URL(`1/${path}`, address)
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
      return url
    },
    /** Aborts all requests with `aborted` and closes the connections. */
    async close(this: void): Promise<void> {
      // Destroy the agents, because `close` would wait for pending responses, even from a service that no longer
      // responds.
      sender.abort(new ContentSpaceError('aborted', 'The space was closed.'))
      await Promise.all(agents.keys().map(async (name) => (await agents.get(name)).destroy()))
    },
  }
}
