import { readFileSync } from 'node:fs'
import { ownPackage } from '../../disk/own-file.js'
import { ContentSpaceError } from '../../errors.js'
import { isLoopback } from './redirect.js'

/**
 * Returns the User-Agent of all requests: `unplugin-content-space/0.1.0`. Common firewalls refuse requests without one.
 */
export function userAgent(): string {
  const { name, version }: { name: string; version: string } = JSON.parse(readFileSync(ownPackage(), 'utf8'))
  return `${name}/${version}`
}

/** Identifies a service and a space in caches. */
/** Identifies a service and a space in caches. Listings with signed addresses are never taken for others. */
export function serviceKey({ address, credentials, signed }: ServiceOptions): string {
  return `${address.href} ${credentials.account}${signed === true ? ' signed' : ''}`
}

interface ServiceOptions {
  address: URL
  credentials: { account: string }
  signed?: boolean
}

/**
 * @throws ContentSpaceError `invalidOption` for plain http beyond loopback
 */
export function requireSecureTransport({ address, insecure }: { address: URL; insecure: boolean }): void {
  if (address.protocol !== 'http:' || isLoopback(address) || insecure) return
  throw new ContentSpaceError(
    'invalidOption',
    `${address.origin} uses plain http, which would expose the token on the network.`,
    { hint: 'Use https, or set `insecure: true` if the network is trusted.' },
  )
}
