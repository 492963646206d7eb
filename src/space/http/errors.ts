import { isTooManyFiles, tooManyFilesError } from '../../disk/file-error.js'
import { ContentSpaceError, codes, type ErrorCode, type ErrorFacts } from '../../errors.js'
import { keysOf } from '../../text/keys.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { certificateHint, networkHint } from '../offline.js'
import { proxyVariable } from '../proxies.js'

const codeByNumber = new Map<number, ErrorCode>()
for (const code of keysOf(codes)) {
  const entry = codes[code]
  if ('service' in entry) codeByNumber.set(entry.service, code)
}

/** This package only reads, so an error about a write means that something changed the request on its way. */
const addedOrChanged = 'The service mistook a read request for one that adds or changes content.'

const summaries: Partial<Record<ErrorCode, string>> = {
  unknown: 'Unknown service error.',
  serverError: 'The service failed.',
  invalidParams: 'The service rejected the parameters of the request (error 103).',
  unauthorized: 'The service rejected the space id and token.',
  permissionDenied: 'The token does not have permission for this request.',
  objectNotFound: 'The service found nothing at this address.',
  rateLimited: 'The service is limiting the rate of requests.',
  kitNotFound: 'The service has no such kit.',
  versionNotFound: 'The kit has no such version.',
  sectionNotFound: 'The service has no such section.',
  assetNotFound: 'The service has no such asset.',
  fileCutUnavailable: 'The asset has no such cut.',
  deprecatedAction: 'The service no longer supports this request.',
  deprecatedApi: 'The service no longer supports this version of its interface.',
  featureUnavailable: 'The plan of the space does not include API access.',
  fileTooLarge: 'The file is larger than the service allows.',
  fileNotValid: 'The service cannot read the file.',
  fileNotAccepted: 'The service does not accept files of this kind.',
  assetReferenceDenied: 'The token is not allowed to read an asset that the kit refers to.',
  kitAlreadyExists: addedOrChanged,
  kitNotAccepted: addedOrChanged,
  sectionAlreadyExists: addedOrChanged,
  sectionNotAccepted: addedOrChanged,
  assetAlreadyExists: addedOrChanged,
  assetNotAccepted: addedOrChanged,
  itemAlreadyExists: addedOrChanged,
  itemNotAccepted: addedOrChanged,
}

const hints: Partial<Record<ErrorCode, string>> = {
  unauthorized:
    'Check spaceId and token (CONTENT_SPACE_ID, CONTENT_SPACE_TOKEN), and that they belong to this address. If the ' +
    'service gave you only a token, remove spaceId.',
  permissionDenied: 'Use a token that is allowed to read this space.',
  objectNotFound: 'Check the address of the space.',
  deprecatedAction: 'Update unplugin-content-space.',
  deprecatedApi: 'Update unplugin-content-space.',
  featureUnavailable: 'Choose a plan with API access, or ask the owner of the space.',
  fileTooLarge: 'Make the file smaller in the space.',
  fileNotValid: 'Upload the file to the space again.',
  fileNotAccepted: 'Upload the file in another format.',
  assetReferenceDenied: 'Request access to the kit that the asset comes from.',
}

/** The error for a token that was sent without a space id. */
const unauthorizedToken = {
  summary: 'The service rejected the token, which was sent without a space id.',
  hint:
    'Check token (CONTENT_SPACE_TOKEN), and that it belongs to this address. If the service has given you a space ' +
    'id, set spaceId (CONTENT_SPACE_ID).',
}

/**
 * Creates the error for an error number of the service.
 * @param message from the service, with its details, redacted
 * @param sent `isTokenAlone`: whether the request was sent without a space id. `variables`: the prefix of the
 *   environment variables that set the credentials.
 */
export function serviceError(
  number: number,
  message: string,
  facts: ErrorFacts,
  { isTokenAlone = false, variables = 'CONTENT_SPACE_' } = {},
): ContentSpaceError {
  const code = codeByNumber.get(number) ?? 'unexpectedCode'
  // If only a file is missing, the address of the space isn't wrong.
  const known =
    isTokenAlone && code === 'unauthorized' ? unauthorizedToken : { summary: summaries[code], hint: hints[code] }
  const hint = code === 'objectNotFound' && facts.address === undefined ? undefined : known.hint
  const own = hint?.replaceAll('CONTENT_SPACE_', () => variables)
  const summary = known.summary ?? `The service returned error ${number}, which its interface does not define.`
  const text = summary.replace('this address', (here) => facts.address ?? here) + quote(message)
  return new ContentSpaceError(code, text, { ...facts, serviceCode: number, ...omitUndefined({ hint: own }) })
}

/** Creates the error for an HTTP status without an envelope. `blocked.ts` handles firewalls. */
export function statusError(status: number, excerpt: string, facts: ErrorFacts): ContentSpaceError {
  if (status === 404 || status === 429) return serviceError(status, '', { ...facts, status })
  if (status === 405) return serviceError(404, '', { ...facts, status })
  const code = status >= 500 ? 'serverError' : 'invalidResponse'
  const summary = `The service responded with HTTP status ${status}.${quote(excerpt)}`
  return new ContentSpaceError(code, summary, { ...facts, status })
}

function quote(text: string): string {
  return text === '' ? '' : ` Its message: ${text}`
}

/**
 * Converts `Retry-After` to milliseconds (RFC 9110, section 10.2.3). The header contains seconds or a date. A date is
 * compared with the response's own `Date`, because the clock of this machine may be wrong.
 * @returns undefined for an invalid value
 */
export function readRetryAfter(retryAfter: string | undefined, date: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1000
  const [until, now] = [Date.parse(retryAfter), Date.parse(date ?? '')]
  if (Number.isNaN(until) || !/[a-z]/i.test(retryAfter)) return undefined
  return Math.max(0, until - (Number.isNaN(now) ? Date.now() : now))
}

/** Error codes that mean that a response was interrupted. */
const interruptions: ReadonlySet<string> = new Set([
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_ABORTED',
  'ECONNRESET',
  'UND_ERR_BODY_TIMEOUT',
])

/** Error codes that suggest a wrong address or a stopped machine rather than a temporary failure. */
const unreachableHost: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/**
 * Responses that undici can't parse, by the name of its error. `HTTPParserError` may be temporary: retrying a response
 * that broke off can succeed.
 */
const unreadable = new Map([
  [
    'HeadersOverflowError',
    {
      problem: 'sent headers that are longer than 16 kB',
      hint: 'Shorten them, such as cookies, in the service or in the proxy in front of it.',
      retryable: false,
    },
  ],
  [
    'HTTPParserError',
    {
      problem: 'sent a response that is not valid HTTP',
      hint: 'Check the scheme, host and port of the address, and the proxy in front of the service.',
      retryable: true,
    },
  ],
])

/** undici's messages for a proxy that responds instead of connecting. */
const refusedByProxy = /^Proxy (?:response|Authentication Required) \((\d{3})\)/

export function connectionError(cause: unknown, url: URL, facts: ErrorFacts): ContentSpaceError {
  if (isTooManyFiles(cause)) return tooManyFilesError(cause, facts)
  const { origin } = url
  const proxy = proxyVariable(url)
  const [, status] = refusedByProxy.exec(cause instanceof Error ? cause.message : '') ?? []
  if (proxy !== undefined && status !== undefined) {
    const summary = `The proxy refused a connection to ${origin} (HTTP status ${status}).`
    const hint =
      status === '407'
        ? `Add the user and the password to ${proxy}: http://user:password@proxy.example.com:3128.`
        : `Check ${proxy}, or list the host in NO_PROXY.`
    return new ContentSpaceError('unreachable', summary, { ...facts, hint, retryable: !status.startsWith('4'), cause })
  }
  const code = causeCode(cause)
  const { problem, ...details } = unreadable.get(cause instanceof Error ? cause.name : '') ?? {}
  if (problem !== undefined)
    return new ContentSpaceError('invalidResponse', `${origin} ${problem} (${code}).`, { ...facts, ...details, cause })
  const interrupted = interruptions.has(code) || (cause instanceof Error && !('code' in cause))
  const what = interrupted ? `The connection to ${origin} was interrupted` : `${origin} is unreachable`
  const hint = certificateHint(code)
  const step = hint ?? (interrupted ? 'Try again.' : networkHint)
  return new ContentSpaceError('unreachable', `${what} (${code}).`, {
    ...facts,
    hint:
      proxy === undefined ? step : `${step} Requests to it go through the proxy in ${proxy}, unless NO_PROXY lists it.`,
    // Retrying doesn't help with a certificate.
    retryable: hint === undefined,
    cause,
  })
}

/** Checks whether no connection could be made. In that case, more than a few retries are useless. */
export function isUnreachableHost({ code, cause }: ContentSpaceError): boolean {
  return code === 'unreachable' && unreachableHost.has(causeCode(cause))
}

/** Returns the code of an error, or otherwise its message. */
function causeCode(error: unknown): string {
  if (error instanceof AggregateError) return causeCode(error.errors[0])
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
