import { ContentSpaceError } from '../../errors.js'
import type { HttpOptions } from './connection.js'
import { isLoopback } from './redirect.js'

/** Returns the key of a service: its address and the id of the space. */
export function serviceKey({ address, credentials }: Pick<HttpOptions, 'address' | 'credentials'>): string {
  return `${address.href} ${credentials.spaceId}`
}

/** @throws ContentSpaceError `invalidOption` for plain http beyond loopback */
export function requireSecureTransport({ address, insecure }: Pick<HttpOptions, 'address' | 'insecure'>): void {
  if (address.protocol !== 'http:' || isLoopback(address) || insecure) return
  throw new ContentSpaceError(
    'invalidOption',
    `${address.origin} uses plain http, which would expose the token on the network.`,
    { hint: 'Use https, or set `insecure: true` if the network is trusted.' },
  )
}
