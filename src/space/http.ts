import PQueue from 'p-queue'
import { Agent, fetch, type Response } from 'undici'
import { codes, ContentSpaceError, type ErrorCode } from '../errors.js'
import type { Credentials } from './credentials.js'
import type { Call, SectionRecord, Space } from './space.js'
import { inDisplayOrder, parseKit, parseKits, parseOutline, parsePage, type PlacedItem } from './wire.js'

export interface HttpOptions {
  /** Without credentials; the path ends in `/`. */
  address: URL
  credentials: Credentials
  /** Milliseconds without progress. */
  timeout: number
  /** Requests under way at once. */
  concurrency: number
  /** Told of each request that is sent. */
  onRequest: () => void
}

type Page = ReturnType<typeof parsePage>

const pageSize = 200
const redirects = 5

/** A space behind the REST interface. */
export function httpSpace({ address, credentials, timeout, concurrency, onRequest }: HttpOptions): Space {
  const agent = new Agent({ connectTimeout: Math.min(timeout, 10_000), headersTimeout: timeout, bodyTimeout: timeout })
  const queue = new PQueue({ concurrency })
  let firstPage: Promise<0 | 1> | undefined

  async function send(url: URL, call: Call | undefined): Promise<Response> {
    onRequest()
    const own = url.origin === address.origin
    const headers = { 'accept-encoding': 'identity', ...(own ? { authorization: credentials.header() } : {}) }
    try {
      return await fetch(url, { dispatcher: agent, redirect: 'manual', headers, signal: call?.signal ?? null })
    } catch (cause) {
      if (call?.signal?.aborted) throw new ContentSpaceError('aborted', 'The request was called off.', { cause })
      throw new ContentSpaceError('unreachable', `${url.origin} cannot be reached.`, { hint: reason(cause) })
    }
  }

  async function follow(url: URL, call: Call | undefined): Promise<Response> {
    let at = url
    for (let hop = 0; hop <= redirects; hop++) {
      const response = await send(at, call)
      const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
      if (location === null) return response
      const next = new URL(location, at)
      if (next.protocol !== 'https:' && !(isLoopback(next) && isLoopback(at))) {
        throw new ContentSpaceError('badRedirect', `${at.origin} redirects to ${next.protocol}//, which is not safe.`)
      }
      at = new URL(next.pathname + next.search, next.origin)
    }
    throw new ContentSpaceError('badRedirect', `${url.origin} redirects more than ${redirects} times.`)
  }

  function get(path: string, query: Record<string, string | number>, call: Call | undefined): Promise<{ status: number; bytes: Uint8Array }> {
    return queue.add(async () => {
      const url = new URL(`1/${path}`, address)
      for (const [key, value] of Object.entries(query)) url.searchParams.set(key, String(value))
      const response = await follow(url, call)
      return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) }
    })
  }

  async function result(path: string, query: Record<string, string | number>, call: Call | undefined): Promise<unknown> {
    const { status, bytes } = await get(path, query, call)
    return readEnvelope(bytes, status, `GET /1/${path}`)
  }

  const page = async (uuid: string, version: number, number: number | undefined, call: Call | undefined): Promise<Page> => {
    const query = { limit: pageSize, version, v: version, ...(number === undefined ? {} : { page: number }) }
    return parsePage(await result(`sections/${uuid}/`, query, call))
  }

  async function section(uuid: string, version: number, call: Call | undefined): Promise<SectionRecord> {
    const first = await page(uuid, version, undefined, call)
    checkVersion(first.version, version, `section ${uuid}`)
    const total = first.counts.items ?? first.items.length
    const items = new Map<string, PlacedItem>()
    const add = (more: readonly PlacedItem[]): void => more.forEach((item) => void items.set(item.uuid, item))
    add(first.items)
    if (items.size < total && first.items.length > 0) {
      // `page=1` repeats the first page where pages are counted from 1, and is the second where they are counted from 0.
      firstPage ??= page(uuid, version, 1, call).then((one) => {
        add(one.items)
        return one.items[0]?.uuid === first.items[0]?.uuid ? 1 : 0
      })
      const base = await firstPage
      const start = base === 1 ? 2 : items.size > first.items.length ? 2 : 1
      const count = Math.ceil((total - items.size) / first.items.length)
      const numbers = Array.from({ length: count }, (_, index) => start + index)
      for (const more of await Promise.all(numbers.map((number) => page(uuid, version, number, call)))) add(more.items)
    }
    return { ...first, items: inDisplayOrder([...items.values()]) }
  }

  return {
    label: address.origin,
    key: `${address.href} ${credentials.spaceId}`,
    spaceId: credentials.spaceId,
    kits: async (call) => parseKits(await result('kits/', {}, call)),
    kit: async (uuid, include, call) => parseKit(await result(`kits/${uuid}`, { include }, call)),
    async outline(kit, version, call) {
      const outline = parseOutline(await result(`kits/${kit}/outline/`, { version, v: version }, call))
      checkVersion(outline.version, version, `kit ${kit}`)
      return outline
    },
    section: (uuid, version, call) => section(uuid, version, call),
    async download({ uuid, size }, cut, call) {
      const path = `assets/${uuid}/download`
      const { status, bytes } = await get(path, cut === undefined ? {} : { type: cut.toLowerCase() }, call)
      const envelope = envelopeIn(bytes)
      if (status >= 400 || (envelope && envelope.success !== true)) readEnvelope(bytes, status, `GET /1/${path}`)
      const url = envelope && Object(envelope.result).url
      const body = typeof url === 'string' ? new Uint8Array(await (await follow(new URL(url), call)).arrayBuffer()) : bytes
      if (cut === undefined && size !== undefined && body.length !== size) {
        throw new ContentSpaceError('truncated', `${uuid} came with ${body.length} of ${size} bytes.`, { asset: uuid })
      }
      return body
    },
    close: () => agent.close(),
  }
}

function reason(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  return inner instanceof Error ? inner.message : String(inner)
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}

interface Envelope {
  success: unknown
  result?: unknown
  error?: unknown
}

function envelopeIn(bytes: Uint8Array): Envelope | undefined {
  if (bytes[0] !== 0x7b) return undefined
  try {
    const json: unknown = JSON.parse(Buffer.from(bytes).toString())
    return typeof json === 'object' && json !== null && 'success' in json && 'server_clock' in json ? json : undefined
  } catch {
    return undefined
  }
}

/** The envelope comes first, whatever the status. */
function readEnvelope(bytes: Uint8Array, status: number, endpoint: string): unknown {
  const envelope = envelopeIn(bytes)
  if (envelope?.success === true && status < 400) return envelope.result
  const { code, message } = Object(envelope?.error)
  const known = typeof code === 'number' ? byNumber.get(code) : byNumber.get(status)
  const said = typeof message === 'string' ? `: ${message}` : ''
  if (known) throw new ContentSpaceError(known, `The service answers ${known}${said}.`, { endpoint, status, ...(typeof code === 'number' ? { serviceCode: code } : {}) })
  const fallback = status >= 500 ? 'serverError' : typeof code === 'number' ? 'unexpectedCode' : 'invalidResponse'
  throw new ContentSpaceError(fallback, `The answer to ${endpoint} cannot be read (HTTP ${status})${said}.`, { endpoint, status })
}

const byNumber = new Map<number, ErrorCode>(
  Object.entries(codes).flatMap(([code, entry]) => ('service' in entry && isCode(code) ? [[entry.service, code] as const] : [])),
)

function isCode(text: string): text is ErrorCode {
  return Object.hasOwn(codes, text)
}

function checkVersion(found: number, wanted: number, what: string): void {
  if (found === wanted) return
  throw new ContentSpaceError('invalidResponse', `The service answers with version ${found} of ${what}, not ${wanted}.`)
}
