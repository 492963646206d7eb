import { ContentSpaceError, type ErrorFacts } from '../../errors.js'
import { userAgent } from './transport.js'
import type { Headers } from './encoding.js'

/**
 * Signs of a firewall's challenge page, which asks a browser to prove itself: a header (Cloudflare, AWS WAF, Vercel,
 * DataDome), or an address that the page loads (Cloudflare, Imperva, DataDome, HUMAN, Sucuri).
 */
const challenges = {
  headers: ['cf-mitigated', 'x-amzn-waf-action', 'x-vercel-mitigated', 'x-datadome'],
  page: /\/cdn-cgi\/challenge-platform\/|_Incapsula_Resource|captcha-delivery\.com|px-captcha|sucuri_cloudproxy_js/,
}

/**
 * Recognizes the response of a firewall or a proxy in front of the service: a challenge page with any status, or a
 * refusal without an envelope. Only an envelope means that the token is wrong.
 * @param text the start of the body
 */
export function isBlocked(status: number, headers: Headers, text: string): boolean {
  if (status === 401 || status === 403) return true
  return challenges.headers.some((name) => headers[name] !== undefined) || challenges.page.test(text)
}

/** @param excerpt the start of the page, redacted */
export function blockedError(status: number, excerpt: string, facts: ErrorFacts): ContentSpaceError {
  const quoted = excerpt === '' ? '' : ` The response: ${excerpt}`
  const summary = `A firewall or a proxy refused the request before it reached the service (HTTP status ${status}).`
  return new ContentSpaceError('requestBlocked', summary + quoted, { ...facts, status, hint: hintFor(status) })
}

function hintFor(status: number): string {
  const allow = `Ask its administrators to allow requests with the User-Agent ${userAgent()}.`
  return status === 401 ? `Check the address of the space: another server may be responding there. ${allow}` : allow
}
