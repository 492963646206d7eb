import { setMaxListeners } from 'node:events'
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ContentSpaceError } from '../../errors.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { createFolderReader } from '../../space/folder/cached-read.js'
import { revisionHeader } from '../../space/space.js'
import { closeServer, listen } from '../shared/listen.js'
import { checkCredentials } from './auth.js'
import { failure, failureOf, type Response } from './response.js'
import { createFaults, applyFault, type Fault, type FaultKind } from './faults.js'
import { createRateLimit, type RateLimit } from './rate-limit.js'
import { createPublicFiles } from './signed-files.js'
import { findRoute, type Route, type RouteName, type Service } from './routes.js'

export interface ServerOptions {
  /** Path of an embedded space. */
  folder: string
  /** Default: 0, which picks a free port. */
  port?: number
  /** Default: `127.0.0.1`. */
  host?: string
  /** Default: the id in `space.json`. */
  spaceId?: number | string
  /** Default: random. */
  token?: string
  /** The limit for downloads in any rolling window. Default: 2000 in 300 s, the limit of the interface. */
  rateLimit?: RateLimit | false
  /** The delay of every response in milliseconds. Default: 0. */
  latency?: number
  /** The number of the first page. Default: 1. */
  pageBase?: 0 | 1
  /** The response to a download: its bytes (default), a redirect to another origin, or the URL at that origin. */
  downloads?: 'bytes' | 'redirect' | 'url'
  /**
   * `perVersion` gives the assets of published versions their own uuids, with the uuid of the draft's asset in
   * `source_id`. Default: `shared`.
   */
  uuids?: 'shared' | 'perVersion'
  /** `ok` sends errors with HTTP status 200. Default: `http`, which sends the status of the error. */
  errorStatus?: 'http' | 'ok'
  faults?: readonly Fault[]
  /** Called for each request. If it returns a promise, the response waits for it. */
  onRequest?: (request: ServedRequest) => unknown
  /** Called when a response has been sent or its connection has been closed. */
  onResponse?: (response: ServedResponse) => void
}

export interface ServedRequest {
  method: string
  /** Without the query. */
  path: string
  /** The requested endpoint. Absent for an unknown path. */
  route?: RouteName
  type: string | null
  /** `files` is the second origin, for redirected downloads. */
  origin: 'service' | 'files'
  authorization: boolean
}

export interface ServedResponse extends ServedRequest {
  /** HTTP status. Undefined if the connection was closed without a response. */
  status: number | undefined
  /** Bytes of the body. */
  size: number
  milliseconds: number
  /** The parameters that specify what was requested, without the signature of a URL. */
  query: Record<string, string>
  fault?: FaultKind
}

export interface RunningServer {
  /** Such as `http://127.0.0.1:49152`. */
  url: string
  spaceId: number
  token: string
  close(): Promise<void>
}

/** The interface's rate limit for downloads. */
const interfaceLimit: RateLimit = { requests: 2000, seconds: 300 }

/**
 * Serves an embedded space through the REST interface.
 * @throws ContentSpaceError `invalidSpace`, `invalidOption` for the space id, `fileSystem` if the port is in use
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { downloads = 'bytes', host = '127.0.0.1', port = 0, pageBase = 1, rateLimit = interfaceLimit } = options
  const givenId = readSpaceId(options.spaceId)
  const reader = createFolderReader(options.folder, omitUndefined({ spaceId: givenId, uuids: options.uuids }))
  const { spaceId } = await reader.now()
  const token = options.token ?? randomBytes(24).toString('base64url')
  const service = createServer()
  const fileServer = downloads === 'bytes' ? undefined : createServer()
  const url = await listen(service, 'The server', host, port)
  const files = createPublicFiles(fileServer ? await listen(fileServer, 'The server', host, 0) : url, token)
  const takeDownload = rateLimit ? createRateLimit(rateLimit) : undefined
  const shown = new Map<string, string>()
  const context = { reader, shown, pageBase, downloads, ...files, takeDownload, url, spaceId, token }
  const closed = new AbortController()
  // Each stalled response adds a listener. 0 turns off Node's warning about many listeners.
  setMaxListeners(0, closed.signal)
  const handle = createHandler(context, options, closed.signal)
  const attach = (server: Server, origin: Origin) =>
    server.on('request', (request, response) => void handle(request, response, origin).catch(() => response.destroy()))
  attach(service, 'service')
  if (fileServer) attach(fileServer, 'files')
  return {
    url,
    spaceId,
    token,
    async close() {
      closed.abort()
      await Promise.all([service, ...(fileServer ? [fileServer] : [])].map(closeServer))
    },
  }
}

type Origin = ServedRequest['origin']
type ServerContext = Service & ReturnType<typeof createPublicFiles> & { url: string; spaceId: number; token: string }

/** Creates the request handler, which adds latency and faults, and otherwise responds with content of the space. */
function createHandler(
  context: ServerContext,
  { onRequest, onResponse, latency, errorStatus, faults = [] }: ServerOptions,
  closed: AbortSignal,
) {
  const nextFault = createFaults(faults)
  return async (request: IncomingMessage, response: ServerResponse, origin: Origin): Promise<void> => {
    const url = new URL((request.url ?? '/').replace(/^\/+/, '/'), context.url)
    const { pathname: path, searchParams } = url
    const route = origin === 'service' ? findRoute(path) : undefined
    const served: ServedRequest = {
      method: request.method ?? 'GET',
      path,
      ...omitUndefined({ route: route?.name }),
      type: searchParams.get('type'),
      origin,
      authorization: request.headers.authorization !== undefined,
    }
    await onRequest?.(served)
    const start = performance.now()
    if (latency) await wait(latency, undefined, { ref: false })
    const fault = nextFault(served.route)
    if (onResponse) {
      response.once('close', () => {
        const milliseconds = Math.round(performance.now() - start)
        const status = response.headersSent ? response.statusCode : undefined
        // The size of the body, which `send` has declared.
        const size = Number(response.getHeader('content-length') ?? 0)
        const query = Object.fromEntries([...searchParams].filter(([name]) => shownParameters.includes(name)))
        onResponse({ ...served, status, size, milliseconds, query, ...omitUndefined({ fault }) })
      })
    }
    const result = fault
      ? await applyFault(fault, response, closed)
      : await respond(context, request, { url, route, origin })
    if (result) await send(response, errorStatus === 'ok' && result.status >= 400 ? { ...result, status: 200 } : result)
  }
}

const shownParameters = ['version', 'page', 'limit', 'type']

async function respond(
  context: ServerContext,
  request: IncomingMessage,
  { url, route, origin }: { url: URL; route: Route | undefined; origin: Origin },
): Promise<Response> {
  try {
    const publicFile = await context.respond(url, context.reader)
    if (publicFile) return publicFile
    const refusal =
      origin === 'service' && checkCredentials(request.headers.authorization, context.spaceId, context.token)
    if (refusal) return refusal
    if (!route) return failure('objectNotFound', `Nothing exists at ${url.pathname}.`)
    if (request.method === 'GET' || request.method === 'HEAD')
      return await route.respond(context, url.searchParams, request.headers[revisionHeader]?.toString())
    const message = 'The interface is read-only: use GET or HEAD.'
    return { ...failure('invalidParams', message, { allow: 'GET, HEAD' }), status: 405 }
  } catch (error) {
    return failureOf(error)
  }
}

function readSpaceId(spaceId: number | string | undefined): number | undefined {
  if (spaceId === undefined) return undefined
  if (/^\d+$/.test(String(spaceId))) return Number(spaceId)
  throw new ContentSpaceError('invalidOption', `The space id ${spaceId} is not an integer.`)
}

async function send(response: ServerResponse, whole: Response): Promise<void> {
  const { status, headers, body } = await compressed(whole, response.req.headers['accept-encoding'])
  const size = 'path' in body ? body.size : body.byteLength
  const all = { 'cache-control': 'no-store', ...headers, 'content-length': size }
  // Set headers one by one, because `getHeader` doesn't return headers that were passed to `writeHead`.
  for (const [name, value] of Object.entries(all)) response.setHeader(name, value)
  response.writeHead(status)
  // For HEAD, Node sends only the headers.
  if (!('path' in body)) response.end(body)
  else if (response.req.method === 'HEAD') response.end()
  // If the file grows in the meantime, stop at the length in the header. A failure destroys the response.
  else pipeline(createReadStream(body.path, { end: body.size - 1 }), response, () => {})
}

/** The minimum number of bytes to compress. Compression hardly shrinks a shorter listing. */
const leastCompressed = 1024

/** Compresses JSON for clients that accept gzip. Sends files uncompressed. */
async function compressed(response: Response, accepted: string | string[] = ''): Promise<Response> {
  const { headers, body } = response
  if ('path' in body || !headers['content-type']?.startsWith('application/json')) return response
  const varied = { ...headers, vary: 'accept-encoding' }
  const isAsked = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(String(accepted))
  if (!isAsked || body.byteLength < leastCompressed) return { ...response, headers: varied }
  return { ...response, headers: { ...varied, 'content-encoding': 'gzip' }, body: await compress(body) }
}

const compress = promisify(gzip)
