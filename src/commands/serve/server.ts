import { setMaxListeners } from 'node:events'
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { ContentSpaceError } from '../../errors.js'
import { createFolderReader } from '../../space/folder/cached-read.js'
import { checkCredentials } from './auth.js'
import { failure, failureOf, type Response } from './response.js'
import { createFaults, applyFault, type Fault } from './faults.js'
import { createRateLimit, type RateLimit } from './rate-limit.js'
import { createPublicFiles, type PublicFiles } from './signed-files.js'
import { findRoute, type RouteName, type Service } from './routes.js'

export interface ServerOptions {
  /** Path of an embedded space. */
  folder: string
  /** Default 0: a free one. */
  port?: number
  /** Default `127.0.0.1`. */
  host?: string
  /** Default the one in `space.json`. */
  spaceId?: number | string
  /** Default made up. */
  token?: string
  /** Downloads in any rolling window; default 2000 in 300 s, as the interface says. */
  rateLimit?: RateLimit | false
  /** Milliseconds that every answer waits; default 0. */
  latency?: number
  /** Number of the first page; default 1. */
  pageBase?: 0 | 1
  /** How a download answers: default with the bytes; or with a redirect to, or the address of, another origin. */
  downloads?: 'bytes' | 'redirect' | 'url'
  /** `ok` sends the envelope of every error with HTTP 200; default `http`, a fitting status. */
  errorStatus?: 'http' | 'ok'
  faults?: readonly Fault[]
  onRequest?: (request: ServedRequest) => void
}

/** A request as it came in. */
export interface ServedRequest {
  method: string
  /** Without the query. */
  path: string
  /** The endpoint; absent where the interface has none. */
  route?: RouteName
  /** The parameter `type` as it was sent. */
  type: string | null
  /** `files` is the other origin that downloads may be sent to. */
  origin: 'service' | 'files'
  /** Whether it carried an Authorization header. */
  authorization: boolean
}

export interface RunningServer {
  /** `http://127.0.0.1:49152` */
  url: string
  spaceId: number
  token: string
  /** Ends open connections, too. */
  close(): Promise<void>
}

/** What the interface says of downloads. */
const interfaceLimit: RateLimit = { requests: 2000, seconds: 300 }

/**
 * Puts the REST interface in front of an embedded space.
 * @throws ContentSpaceError `invalidSpace`, `invalidOption` (space id), `fileSystem` (the port is taken)
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { downloads = 'bytes', host = '127.0.0.1', port = 0, pageBase = 1, rateLimit = interfaceLimit } = options
  const reader = createFolderReader(options.folder, readSpaceId(options.spaceId))
  const { spaceId } = await reader.now()
  const token = options.token ?? randomBytes(24).toString('base64url')
  const closed = new AbortController()
  // Every answer that is held back listens.
  setMaxListeners(0, closed.signal)

  const service = createServer()
  const elsewhere = downloads === 'bytes' ? undefined : createServer()
  const url = await listen(service, host, port)
  const files = createPublicFiles(elsewhere ? await listen(elsewhere, host, 0) : url, token)
  const takeDownload = rateLimit ? createRateLimit(rateLimit) : () => 0
  const world = {
    reader,
    shown: new Map<string, string>(),
    pageBase,
    downloads,
    ...files,
    takeDownload,
    spaceId,
    token,
  }

  const faultFor = createFaults(options.faults ?? [])
  const answer = async (request: IncomingMessage, response: ServerResponse, origin: ServedRequest['origin']) => {
    const served = describe(request, url, origin)
    options.onRequest?.(served)
    if (options.latency) await wait(options.latency, undefined, { ref: false })
    const fault = faultFor(served.route)
    const made = fault ? await applyFault(fault, response, closed.signal) : await respond(world, request, url, origin)
    if (made) send(response, options.errorStatus === 'ok' && made.status >= 400 ? { ...made, status: 200 } : made)
  }
  const attend = (server: Server, origin: ServedRequest['origin']) =>
    server.on('request', (request, response) => void answer(request, response, origin).catch(() => response.destroy()))
  attend(service, 'service')
  if (elsewhere) attend(elsewhere, 'files')

  return {
    url,
    spaceId,
    token,
    async close() {
      closed.abort()
      await Promise.all([service, ...(elsewhere ? [elsewhere] : [])].map(closeServer))
    },
  }
}

type World = Service & PublicFiles & { spaceId: number; token: string }

async function respond(
  world: World,
  request: IncomingMessage,
  url: string,
  origin: ServedRequest['origin'],
): Promise<Response> {
  try {
    const address = addressOf(request, url)
    const open = await world.answer(address, world.reader)
    if (open) return open
    const route = origin === 'service' ? findRoute(address.pathname) : undefined
    const refused =
      origin === 'service' ? checkCredentials(request.headers.authorization, world.spaceId, world.token) : undefined
    if (refused) return refused
    if (!route) return failure('objectNotFound', `There is nothing at ${address.pathname}.`)
    if (request.method === 'GET' || request.method === 'HEAD') return await route.answer(world, address.searchParams)
    return {
      ...failure('invalidParams', 'The interface is read only: GET and HEAD.', { allow: 'GET, HEAD' }),
      status: 405,
    }
  } catch (error) {
    return failureOf(error)
  }
}

function describe(request: IncomingMessage, url: string, origin: ServedRequest['origin']): ServedRequest {
  const { pathname, searchParams } = addressOf(request, url)
  const route = origin === 'service' ? findRoute(pathname) : undefined
  return {
    method: request.method ?? 'GET',
    path: pathname,
    ...(route ? { route: route.name } : {}),
    type: searchParams.get('type'),
    origin,
    authorization: request.headers.authorization !== undefined,
  }
}

function addressOf({ url: target = '/' }: IncomingMessage, url: string): URL {
  return new URL(target.replace(/^\/+/, '/'), url)
}

function readSpaceId(spaceId: number | string | undefined): number | undefined {
  if (spaceId === undefined) return undefined
  if (/^\d+$/.test(String(spaceId))) return Number(spaceId)
  throw new ContentSpaceError('invalidOption', `The space id ${spaceId} is no integer.`)
}

function send(response: ServerResponse, { status, headers, body }: Response): void {
  // for HEAD, Node sends the headers alone
  response.writeHead(status, { 'cache-control': 'no-store', ...headers, 'content-length': body.byteLength }).end(body)
}

function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(
        new ContentSpaceError('fileSystem', `The server cannot listen on ${host}:${port}: ${cause.message}.`, {
          cause,
        }),
      )
    })
    server.listen(port, host, () => {
      const address = server.address()
      const actual = typeof address === 'object' ? address?.port : undefined
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${actual}`)
    })
  })
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
