import { inspect } from 'node:util'
import { ContentSpaceError } from '../errors.js'
import { decode } from '../space/http/credentials.js'
import { isLoopback } from '../space/http/redirect.js'

export type RemoteAddress = RedisAddress | S3Address | HttpAddress

interface Labeled {
  /** The address without credentials and query, for messages. */
  readonly label: string
  toJSON(): string
  [inspect.custom](): string
}

export interface RedisAddress extends Labeled {
  readonly kind: 'redis'
  url(this: void): string
}

export interface S3Address extends Labeled {
  readonly kind: 's3'
  readonly bucket: string
  /** Empty, or ends in `/`. */
  readonly prefix: string
}

export interface HttpAddress extends Labeled {
  readonly kind: 'http'
  /** Without credentials. The path ends in `/`. */
  readonly base: URL
  authorization(this: void): string | undefined
}

export interface RemoteAddressOptions {
  /** The bearer token of an `https` remote. It takes precedence over credentials in the address. */
  token: string | undefined
  insecure: boolean
}

const forms = 'redis://host:6379, rediss://host:6379, s3://bucket/prefix or https://host/path/'

/**
 * Reads option `remote`.
 * @throws ContentSpaceError `invalidOption`. Messages do not repeat the address, which may contain credentials.
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
  throw new ContentSpaceError('invalidOption', 'Option remote is not an address of a cache.', {
    hint: `Set it, or CONTENT_SPACE_REMOTE, to ${forms}.`,
  })
}

function redisAddress(url: URL): RedisAddress {
  const text = url.href
  return { kind: 'redis', url: () => text, ...labeled(`${url.protocol}//${url.host}${url.pathname}`) }
}

/** The name of a bucket has no upper-case letters, so it may be read as a host. */
function s3Address(url: URL): S3Address {
  if (url.username !== '' || url.password !== '') {
    throw new ContentSpaceError('invalidOption', 'The s3 address of option remote contains credentials.', {
      hint: 'Remove them, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    })
  }
  const path = decode(url.pathname).replace(/^\/+|\/+$/g, '')
  const prefix = path === '' ? '' : `${path}/`
  return { kind: 's3', bucket: url.hostname, prefix, ...labeled(`s3://${url.hostname}/${prefix}`) }
}

function httpAddress(url: URL, { token, insecure }: RemoteAddressOptions): HttpAddress {
  const base = new URL(`${url.pathname.replace(/\/+$/, '')}/`, url.origin)
  if (base.protocol === 'http:' && !isLoopback(base) && !insecure) {
    throw new ContentSpaceError('invalidOption', `The remote cache at ${base.origin} uses http without encryption.`, {
      hint: 'Use https. To accept http in a trusted network, set insecure: true.',
    })
  }
  const header = authorizationOf(token, decode(url.username), decode(url.password))
  return { kind: 'http', base, authorization: () => header, ...labeled(base.href) }
}

/** A password without a user name is a bearer token (RFC 6750); with one, they are Basic credentials (RFC 7617). */
function authorizationOf(token: string | undefined, user: string, password: string): string | undefined {
  const bearer = token ?? (user === '' ? password : '')
  if (bearer !== '') return `Bearer ${bearer}`
  return user === '' ? undefined : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

function labeled(label: string): Labeled {
  return { label, toJSON: () => label, [inspect.custom]: () => label }
}
