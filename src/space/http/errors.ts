import { ContentSpaceError, codes, type ErrorCode, type ErrorFacts } from '../../errors.js'
import { isTooManyFiles, tooManyFilesError } from '../../disk/open-files.js'

const byNumber = new Map<number, ErrorCode>()
for (const [code, entry] of Object.entries(codes))
  if ('service' in entry && isCode(code)) byNumber.set(entry.service, code)

function isCode(text: string): text is ErrorCode {
  return Object.hasOwn(codes, text)
}

const summaries: Partial<Record<ErrorCode, string>> = {
  unknown: 'The service failed for a reason that it does not know.',
  serverError: 'The service failed.',
  invalidParams: 'The service does not understand the request (error 103).',
  unauthorized: 'The service does not accept the space id and token.',
  permissionDenied: 'The token does not permit this.',
  objectNotFound: 'The service has nothing there.',
  rateLimited: 'The service asks for fewer requests.',
  kitNotFound: 'The service has no such kit.',
  versionNotFound: 'The kit has no such version.',
  sectionNotFound: 'The service has no such section.',
  assetNotFound: 'The service has no such asset.',
  fileCutUnavailable: 'The service has no such cut of the asset.',
}

const hints: Partial<Record<ErrorCode, string>> = {
  unauthorized:
    'Check spaceId and token (CONTENT_SPACE_ID, CONTENT_SPACE_TOKEN), and that they belong to this address.',
  permissionDenied: 'Ask for a token of this space that may read it.',
  objectNotFound: 'Check the address of the space.',
}

/**
 * The error for a number of the service.
 * @param message the service's own, redacted
 */
export function serviceError(number: number, message: string, facts: ErrorFacts): ContentSpaceError {
  const code = byNumber.get(number) ?? 'unexpectedCode'
  const summary = summaries[code] ?? `The service answers with error ${number}, which its interface does not list.`
  const own = message === '' ? '' : ` It says: ${message}`
  const hint = hints[code]
  return new ContentSpaceError(code, summary + own, { ...facts, serviceCode: number, ...(hint ? { hint } : {}) })
}

/** The error for an HTTP status that comes without an envelope. */
export function statusError(status: number, excerpt: string, facts: ErrorFacts): ContentSpaceError {
  if (status === 401 || status === 403 || status === 404 || status === 429)
    return serviceError(status, '', { ...facts, status })
  const text = excerpt === '' ? '' : ` It says: ${excerpt}`
  const code = status >= 500 ? 'serverError' : 'invalidResponse'
  return new ContentSpaceError(code, `The service answers with HTTP status ${status}.${text}`, { ...facts, status })
}

/**
 * `Retry-After` in milliseconds (RFC 9110, section 10.2.3): seconds, or a date, which is compared with the answer's
 * own `Date`, because the clock here may be wrong.
 * @returns undefined for what makes no sense
 */
export function readRetryAfter(retryAfter: string | undefined, date: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1000
  const [until, now] = [Date.parse(retryAfter), Date.parse(date ?? '')]
  if (Number.isNaN(until) || !/[a-z]/i.test(retryAfter)) return undefined
  return Math.max(0, until - (Number.isNaN(now) ? Date.now() : now))
}

/** What a connection that broke in the middle of an answer is called. */
const brokenOff = new Set([
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_ABORTED',
  'ECONNRESET',
  'UND_ERR_BODY_TIMEOUT',
])

/** The error for an exchange that ended without a whole answer. */
export function connectionError(cause: unknown, { origin }: URL, facts: ErrorFacts): ContentSpaceError {
  if (isTooManyFiles(cause)) return tooManyFilesError(cause, facts)
  const reason = reasonOf(cause)
  const broken = brokenOff.has(reason) || (cause instanceof Error && !('code' in cause))
  return new ContentSpaceError('unreachable', `${origin} ${broken ? 'broke off' : 'cannot be reached'} (${reason}).`, {
    ...facts,
    hint: broken
      ? 'Try again.'
      : 'Check the address of the space and the network, or build with `offline` from the cache.',
    cause,
  })
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
