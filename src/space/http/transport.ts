import { readFileSync } from 'node:fs'
import { ownPackage } from '../../disk/own-file.js'
import { ContentSpaceError } from '../../errors.js'
import { isLoopback } from './redirect.js'

/**
 * Returns the User-Agent of all requests: `unplugin-content-space/0.1.0`. Common firewalls refuse requests without a
 * User-Agent.
 */
export function userAgent(): string {
  const { name, version }: { name: string; version: string } = JSON.parse(readFileSync(ownPackage(), 'utf8'))
  return `${name}/${version}`
}

/** Returns a key for a service and a space in caches. Listings with signed addresses get their own key. */
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
