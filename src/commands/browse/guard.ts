import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../../space/http/redirect.js'

/**
 * The hosts that requests may name. Other hosts are rejected, because anyone can point a host name at this machine (DNS
 * rebinding).
 */
export interface HostPolicy {
  /**
   * Hosts besides this machine, as a dev server lists them: a name, or `.example.com` for a domain and its subdomains.
   * `true` if the dev server has checked the host itself.
   */
  allowedHosts: true | readonly string[]
}

export interface Refusal {
  status: number
  message: string
}

/**
 * Checks that a request comes from the kit browser's own page, or from no page at all, such as a typed address. Rejects
 * pages of other origins, because they could read names of content and files of the project.
 * @returns undefined for an allowed request
 */
export function refusalOf(request: IncomingMessage, { allowedHosts }: HostPolicy): Refusal | undefined {
  const { headers, method = 'GET' } = request
  const host = headers.host ?? headers[':authority']
  const name = typeof host === 'string' ? hostName(host) : undefined
  if (typeof host !== 'string' || name === undefined) return { status: 400, message: 'The request has no valid Host.' }
  const isLocal = isLoopback({ hostname: name })
  if (!isLocal && allowedHosts !== true && !allowedHosts.some((allowed) => covers(allowed, name)))
    return forbidden('The kit browser does not respond to this host name. Open it at localhost.')
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return forbidden('The kit browser does not respond to other pages. Type its address into the browser.')
  if (site === undefined && !isLocal)
    return forbidden(
      'The browser does not say which page sent the request, because this address is not secure. ' +
        'Open the kit browser at localhost, or over https.',
    )
  const isWrite = method !== 'GET' && method !== 'HEAD'
  const isOwn = headers.origin === `http://${host}` || headers.origin === `https://${host}`
  return isWrite && !isOwn ? forbidden('The request has a foreign origin.') : undefined
}

const forbidden = (message: string): Refusal => ({ status: 403, message })

function hostName(host: string): string | undefined {
  // Accept only a host and a port, without a path, credentials or a list.
  if (!/^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.test(host)) return undefined
  return host
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/(?<!^)\.$/, '')
}

function covers(allowed: string, name: string): boolean {
  const entry = allowed.toLowerCase()
  return entry.startsWith('.') ? name === entry.slice(1) || name.endsWith(entry) : name === entry
}
