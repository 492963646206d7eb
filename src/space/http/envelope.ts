import { ContentSpaceError, type ErrorFacts } from '../../errors.js'
import { serviceError, statusError } from './errors.js'
import { bounds, isBounded, parseJson } from './json.js'

/** How much of a strange answer an error shows. */
const excerptLength = 200
/** Bytes of a strange answer that are looked at. */
const excerptBytes = 65_536

export interface EnvelopeContext {
  facts: ErrorFacts
  /** Takes credentials out of what the service echoes. */
  redact: (this: void, text: string) => string
}

/** An answer that was read. */
export interface ReceivedResponse {
  status: number
  bytes: Uint8Array
}

/**
 * The `result` of an answer. The envelope counts before the status, which the interface leaves open.
 * @throws ContentSpaceError the error in the envelope, else what the status or the body tells
 */
export function readResult(answer: ReceivedResponse, context: EnvelopeContext): object {
  const { status, bytes } = answer
  const json = parseJson(bytes)
  if (isRecord(json)) {
    const { success, result, error } = json
    if (success === false && isRecord(error) && typeof error['code'] === 'number') {
      const message = typeof error['message'] === 'string' ? excerpt(error['message'], context) : ''
      throw serviceError(error['code'], message, { ...context.facts, status })
    }
    if (success === true && status < 400 && isRecord(result)) return result
    if (success === true && status >= 400) throw invalid(`says success with HTTP status ${status}`, answer, context)
  }
  const start = new TextDecoder().decode(bytes.subarray(0, excerptBytes))
  if (status >= 400) throw statusError(status, excerpt(start, context), context.facts)
  if (start.trim() === '') throw cutShort('is empty', answer, context)
  if (json === undefined && !isBounded(bytes)) {
    throw invalid(`has more than ${bounds.levels} levels or more than ${bounds.values} values`, answer, context)
  }
  if (json === undefined && /^\s*[[{]/.test(start)) throw cutShort('is cut short', answer, context)
  if (json === undefined) throw invalid(`is not JSON: ${excerpt(start, context)}`, answer, context)
  throw invalid('has no envelope with success and result', answer, context)
}

/**
 * What a download's answer is when it is no file: an address that has it.
 * @returns undefined when the answer is the file itself, which may well be JSON
 * @throws ContentSpaceError the error in the envelope, or what the status tells
 */
export function readFileUrl(answer: ReceivedResponse, context: EnvelopeContext): string | undefined {
  if (answer.status >= 400) readResult(answer, context)
  const json = parseJson(answer.bytes)
  if (
    !isRecord(json) ||
    typeof json['success'] !== 'boolean' ||
    !('server_clock' in json || 'error' in json || 'result' in json)
  ) {
    return undefined
  }
  const result: { url?: unknown } = readResult(answer, context)
  if (typeof result.url === 'string') return result.url
  throw invalid('is an envelope without a file or result.url', answer, context)
}

function invalid(what: string, { status }: ReceivedResponse, { facts }: EnvelopeContext): ContentSpaceError {
  return new ContentSpaceError('invalidResponse', `The answer of the service ${what}.`, {
    ...facts,
    status,
    hint: 'Check that the address is that of a Content Space.',
  })
}

function cutShort(what: string, { status }: ReceivedResponse, { facts }: EnvelopeContext): ContentSpaceError {
  return new ContentSpaceError('truncated', `The answer of the service ${what}.`, { ...facts, status })
}

function excerpt(text: string, { redact }: EnvelopeContext): string {
  // What is cut off here is far from what is shown: no half of a secret is left at the edge.
  const plain = redact(text)
    .slice(0, excerptBytes / 2)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return plain.length > excerptLength ? `${plain.slice(0, excerptLength)}…` : plain
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
