import { createHash } from 'node:crypto'
import { ContentSpaceError, type ErrorFacts } from '../../errors.js'
import { blockedError, isBlocked } from './blocked.js'
import type { Credentials } from './credentials.js'
import { serviceError, statusError } from './errors.js'
import type { Response } from './fetch.js'
import { jsonLimits, latin1Of, measureJson, parseJson } from './json.js'
import { omitUndefined } from '../../text/omit-undefined.js'

/** The number of characters of an unexpected response that an error quotes. */
const excerptLength = 200
/** The number of bytes of an unexpected response that are searched for credentials before it is quoted. */
const excerptBytes = 65_536

export interface EnvelopeContext {
  facts: ErrorFacts
  /** `redact` removes credentials that the service echoes. */
  credentials: Pick<Credentials, 'redact' | 'spaceId'> & Partial<Pick<Credentials, 'variables'>>
}

export interface ReceivedResponse extends Pick<Response, 'status' | 'headers'> {
  bytes: Uint8Array
  /** The result of `parseJson` for the bytes, if it is already known. */
  json?: unknown
}

/**
 * Returns the `result` of an envelope: `{ success: true, result }` or `{ success: false, error: { code, message } }`.
 * The envelope takes precedence over the HTTP status, because the interface doesn't define the status.
 * @throws ContentSpaceError the error in the envelope, otherwise `requestBlocked`, otherwise the error for the status,
 *   otherwise `invalidResponse` or `truncated`
 */
export function readResult(response: ReceivedResponse, context: EnvelopeContext): object {
  const { status, bytes } = response
  const json = 'json' in response ? response.json : parseJson(bytes)
  if (isRecord(json)) {
    const { success, result, error } = json
    if (success === false && isRecord(error) && typeof error['code'] === 'number') {
      const { facts, credentials } = context
      throw serviceError(
        error['code'],
        messageIn(error, context),
        { ...facts, status },
        { isTokenAlone: credentials.spaceId === undefined, ...omitUndefined({ variables: credentials.variables }) },
      )
    }
    if (success === true && status < 400 && isRecord(result)) return result
    if (success === true && status >= 400)
      throw invalidError(`reports success with HTTP status ${status}`, response, context)
  }
  const start = new TextDecoder().decode(bytes.subarray(0, excerptBytes))
  requireUnblocked(response, start, context)
  if (status >= 400) throw statusError(status, excerpt(start, context), context.facts)
  if (start.trim() === '') throw truncatedError('is empty', response, context)
  if (json === undefined && !measureJson(bytes).isBounded) {
    const { levels, values } = jsonLimits
    throw invalidError(`has more than ${levels} levels or more than ${values} values`, response, context)
  }
  if (json === undefined && /^\s*[[{]/.test(start))
    throw truncatedError('is cut short or not valid JSON', response, context)
  if (json === undefined) throw invalidError(`is not JSON: ${excerpt(start, context)}`, response, context)
  throw invalidError('has no envelope with `success` and `result`', response, context)
}

/**
 * Returns the URL of a file from the envelope that a download endpoint may send instead of the file.
 * @returns undefined if the response is the file itself, which may be JSON, or if the file isn't ready (status 202)
 * @throws ContentSpaceError the error in the envelope or for the status
 */
export function readFileUrl(response: ReceivedResponse, context: EnvelopeContext): string | undefined {
  if (response.status >= 400) readResult(response, context)
  const json = parseJson(response.bytes)
  if (!isRecord(json) || typeof json['success'] !== 'boolean') return undefined
  if (!['server_clock', 'error', 'result'].some((name) => name in json)) return undefined
  const result: { url?: unknown } = readResult(response, context)
  if (typeof result.url === 'string') return result.url
  if (response.status !== 200) return undefined
  throw invalidError('is an envelope without `result.url`', response, context)
}

/**
 * @param start of the body
 * @throws ContentSpaceError `requestBlocked` for a firewall's response
 */
export function requireUnblocked(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  start: string,
  context: EnvelopeContext,
): void {
  if (isBlocked(status, headers, start)) throw blockedError(status, excerpt(start, context), context.facts)
}

function invalidError(what: string, { status }: ReceivedResponse, { facts }: EnvelopeContext): ContentSpaceError {
  return new ContentSpaceError('invalidResponse', `The response of the service ${what}.`, {
    ...facts,
    status,
    hint: 'Check that the address belongs to a Content Space.',
  })
}

function truncatedError(what: string, { status }: ReceivedResponse, { facts }: EnvelopeContext): ContentSpaceError {
  return new ContentSpaceError('truncated', `The response of the service ${what}.`, { ...facts, status })
}

function excerpt(text: string, { credentials: { redact } }: EnvelopeContext): string {
  // Remove the token from much more text than the excerpt, so that the excerpt can't end within the token.
  const clean = redact(text)
    .slice(0, excerptBytes / 2)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return clean.length > excerptLength ? `${clean.slice(0, excerptLength)}…` : clean
}

/** Returns the message of an error, including the service's own details and its advice on how to recover. */
function messageIn({ message, details, recovery }: Record<string, unknown>, context: EnvelopeContext): string {
  const texts = [message, details, recovery].map((part) => {
    if (typeof part === 'string') return part
    const isEmpty = !isRecord(part) || Object.keys(part).length === 0
    return isEmpty ? '' : typeof part['message'] === 'string' ? part['message'] : JSON.stringify(part)
  })
  return excerpt(texts.filter(Boolean).join(' '), context)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The number of bytes at the start and at the end of an envelope that are searched for its `server_clock`. */
const edge = 256
/**
 * The value of `server_clock`, before all lists and objects of the envelope or after them. Anywhere else, it may belong
 * to another object.
 */
const clockAtStart = /(?<=^\s*\{[^{}[\]]*"server_clock"\s*:\s*)[\d.]+/
const clockAtEnd = /(?<="server_clock"\s*:\s*)[\d.]+(?=[^{}[\]]*\}\s*$)/

/** Returns a digest of a response, except for `server_clock`, which is different every second. */
export function digestOf({ status }: Pick<Response, 'status'>, bytes: Uint8Array): string {
  const rest = Math.max(0, bytes.length - edge)
  const start = clockAtStart.exec(latin1Of(bytes.subarray(0, edge)))
  const end = clockAtEnd.exec(latin1Of(bytes.subarray(rest)))
  const [at, clock] = start ? [start.index, start[0]] : end ? [rest + end.index, end[0]] : [0, '']
  const digest = createHash('sha256').update(`${status} `)
  return digest
    .update(bytes.subarray(0, at))
    .update(bytes.subarray(at + clock.length))
    .digest('base64')
}
