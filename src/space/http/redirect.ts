import { ContentSpaceError, type ErrorFacts } from '../../errors.js'

export interface RedirectPolicy {
  /** Allows redirects from plain http to plain http. */
  insecure: boolean
  holdsSecret: (text: string) => boolean
}

/**
 * Resolves the target of a redirect, or a file URL that the service returned.
 * @throws ContentSpaceError `badRedirect` for a target that is neither https nor from loopback to loopback, and for a
 *   target that contains the token, because the token is sent in the Authorization header only
 */
export function resolveRedirect(
  from: URL,
  location: string,
  facts: ErrorFacts,
  { insecure, holdsSecret }: RedirectPolicy,
): URL {
  const url = URL.canParse(location, from.href) ? new URL(location, from) : undefined
  if (!url) throw new ContentSpaceError('badRedirect', 'The service redirected to an invalid URL.', facts)
  url.username = ''
  url.password = ''
  url.hash = ''
  if (holdsSecret(url.href))
    throw new ContentSpaceError('badRedirect', 'The service redirected to a URL that contains the token.', facts)
  const plainHttp =
    url.protocol === 'http:' && from.protocol === 'http:' && ((isLoopback(url) && isLoopback(from)) || insecure)
  if (url.protocol === 'https:' || plainHttp) return url
  throw new ContentSpaceError(
    'badRedirect',
    `The redirect from ${from.origin} to ${url.protocol}//${url.host} is not safe.`,
    { ...facts, hint: 'Only redirects to https, and from loopback to loopback, are followed.' },
  )
}

/** Checks whether a URL refers to this machine: 127.0.0.0/8, ::1, `localhost`, or a name under it (RFC 6761). */
export function isLoopback({ hostname }: Pick<URL, 'hostname'>): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}
