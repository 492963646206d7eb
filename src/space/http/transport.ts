import { ContentSpaceError } from '../../errors.js'
import { isLoopback } from './redirect.js'

export function serviceKey({ address, credentials }: { address: URL; credentials: { spaceId: string } }): string {
  return `${address.href} ${credentials.spaceId}`
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
