import { inspect } from 'node:util'
import { ContentSpaceError } from '../errors.js'
import { decodeOrKeep } from '../space/http/credentials.js'
import { isLoopback } from '../space/http/redirect.js'
import type { RemoteEngine } from './engine.js'

/** The address of a remote cache. Only the function that connects has the credentials, so they can't be printed. */
export interface RemoteAddress {
  /** The address without credentials and query, for messages. */
  readonly label: string
  /** The package of the client. Absent if this package depends on it. */
  readonly peer?: string
  /**
   * Connects to the cache. Loads the client only at this point.
   * @param signal aborts the attempt
   * @param onFailure called when the connection becomes unusable
   */
  open(this: void, signal: AbortSignal, onFailure: (error: Error) => void): Promise<RemoteEngine>
  toJSON(): string
  [inspect.custom](): string
}

export interface RemoteAddressOptions {
  /** The bearer token of an `https` remote. It takes precedence over credentials in the address. */
  token: string | undefined
  insecure: boolean
}

const forms = 'redis://host:6379, rediss://host:6379, s3://bucket/prefix or https://host/path/'

/**
 * Reads option `remote`.
 * @throws ContentSpaceError `invalidOption`. Messages don't repeat the address, because it may contain credentials.
 */
export function readRemoteAddress(text: string, options: RemoteAddressOptions): RemoteAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined
  switch (url?.protocol) {
    case 'redis:':
    case 'rediss:':
      if (url.hostname !== '') return redisAddress(url)
      break
    case 's3:':
      if (url.hostname !== '') return s3Address(url)
      break
    case 'http:':
    case 'https:':
      return httpAddress(url, options)
  }
  throw new ContentSpaceError('invalidOption', 'Option remote is not the address of a cache.', {
    hint: `Set it, or CONTENT_SPACE_REMOTE, to ${forms}.`,
  })
}

function redisAddress(url: URL): RemoteAddress {
  return {
    ...labeled(`${url.protocol}//${url.host}${url.pathname}`),
    peer: 'redis',
    open: async (signal, onFailure) => (await import('./engines/redis.js')).redisEngine(url, signal, onFailure),
  }
}

/**
 * Returns the address of a bucket. A bucket's name never contains upper-case letters, so it can be parsed as a host.
 */
function s3Address(url: URL): RemoteAddress {
  if (url.username !== '' || url.password !== '') {
    throw new ContentSpaceError('invalidOption', 'The s3 address of option remote contains credentials.', {
      hint: 'Remove them, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    })
  }
  const path = decodeOrKeep(url.pathname).replace(/^\/+|\/+$/g, '')
  const prefix = path === '' ? '' : `${path}/`
  return {
    ...labeled(`s3://${url.hostname}/${prefix}`),
    peer: '@aws-sdk/client-s3',
    open: async () => (await import('./engines/s3.js')).s3Engine(url.hostname, prefix),
  }
}

function httpAddress(url: URL, { token, insecure }: RemoteAddressOptions): RemoteAddress {
  const base = new URL(`${url.pathname.replace(/\/+$/, '')}/`, url.origin)
  if (base.protocol === 'http:' && !isLoopback(base) && !insecure) {
    throw new ContentSpaceError('invalidOption', `The remote cache at ${base.origin} uses http without encryption.`, {
      hint: 'Use https. To accept http in a trusted network, set insecure: true.',
    })
  }
  const authorization = authorizationOf(token, decodeOrKeep(url.username), decodeOrKeep(url.password))
  return {
    ...labeled(base.href),
    open: async () => (await import('./engines/http.js')).httpEngine(base, authorization),
  }
}

/**
 * Returns the Authorization header. A password alone is a bearer token (RFC 6750); with a user name, they are Basic
 * credentials (RFC 7617).
 */
function authorizationOf(token: string | undefined, user: string, password: string): string | undefined {
  const bearer = token ?? (user === '' ? password : '')
  if (bearer !== '') return `Bearer ${bearer}`
  return user === '' ? undefined : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

function labeled(label: string): Omit<RemoteAddress, 'open'> {
  return { label, toJSON: () => label, [inspect.custom]: () => label }
}
