import { ContentSpaceError } from '../../errors.js'
import type { Space } from '../space.js'
import type { Connection } from './connection.js'
import { readDownloadResponse } from './download.js'
import { fetchResponse } from './fetch.js'
import { isLoopback } from './redirect.js'

/** Milliseconds within which a preview must arrive. */
const deadline = 60_000

/**
 * Creates a function that requests previews without credentials, or with credentials if the origin of the service
 * itself requires them. The URL is content, so it is requested from, and redirected to, hosts of the service only.
 * Otherwise, a record could make this machine send requests into its own network.
 */
export function createGetPreview(
  { context, credentials, fileHosts }: Connection,
  service: URL,
): NonNullable<Space['preview']> {
  return async (text, receive, call) => {
    const { getDomain } = await import('tldts')
    // Storage providers give each customer their own registrable domain.
    const domainOf = (host: string) => getDomain(host, { allowPrivateDomains: true })
    const check = (url: URL): void => {
      if (isOfService(url, service, domainOf) || (isSecure(url, service) && fileHosts.has(url.host))) return
      throw new ContentSpaceError('badRedirect', `A preview is at ${url.host}, which is not a host of the service.`, {
        hint: 'Previews are loaded from the host of the service, and from hosts of the same domain.',
      })
    }
    const url = readUrl(text, context)
    check(url)
    const facts = { endpoint: 'GET preview' }
    const { signal = new AbortController().signal } = call ?? {}
    const options = { accept: 'image/*', deadline, facts, signal }

    const fetchFrom = async (origin: string) => {
      let isFromService = url.origin === context.origin
      const onRedirect = (target: URL): void => {
        check(target)
        isFromService &&= target.origin === context.origin
      }
      const response = await fetchResponse(url, options, { ...context, origin, onRedirect })
      try {
        const expected = { size: undefined, cut: false }
        const file = await readDownloadResponse(response, expected, { facts, credentials })
        if ('body' in file) return { result: await receive(file.body) }
      } catch (error) {
        if (isFromService && origin === '' && isRefusal(error)) return 'refused'
        throw error
      } finally {
        response.close()
      }
      throw new ContentSpaceError('invalidResponse', 'The preview is text rather than a picture.', facts)
    }

    const first = await fetchFrom('')
    const answer = first === 'refused' ? await fetchFrom(context.origin) : first
    if (answer !== 'refused') return answer.result
    throw new ContentSpaceError('permissionDenied', 'The service refuses the preview.', facts)
  }
}

function readUrl(text: string, { holdsSecret }: Connection['context']): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || holdsSecret(url.href))
    throw new ContentSpaceError('badRedirect', 'The service lists an invalid URL for a preview.')
  url.username = ''
  url.password = ''
  url.hash = ''
  return url
}

function isRefusal(error: unknown): boolean {
  return error instanceof ContentSpaceError && (error.facts.status === 401 || error.facts.status === 403)
}

/**
 * Checks whether a host belongs to the service, or has the same registrable domain: `example.com`, `brand.github.io`.
 */
export function isOfService(url: URL, service: URL, domainOf: (host: string) => string | null): boolean {
  if (!isSecure(url, service)) return false
  if (isLoopback(url) || url.hostname === service.hostname) return true
  const domain = domainOf(service.hostname)
  return domain !== null && domainOf(url.hostname) === domain
}

/**
 * Checks whether a URL is https, or whether both URLs are on this machine. Only a service on this machine may refer to
 * this machine.
 */
function isSecure(url: URL, service: URL): boolean {
  if (isLoopback(url)) return isLoopback(service) && (url.protocol === 'https:' || url.protocol === 'http:')
  return url.protocol === 'https:'
}
