import { ContentSpaceError } from '../../errors.js'
import { readUpTo } from './body.js'
import { readFileUrl, type EnvelopeContext } from './envelope.js'
import type { Response } from './exchange.js'
import type { Body } from '../space.js'

/**
 * Bytes. A file may be as long as `file`; what is longer than `envelope` is no envelope, and is not looked at as one.
 */
const largest = { file: 2e9, envelope: 1e6 }

/** What is known of a file before it comes. */
export interface Expected {
  /** Bytes that the listing has for an original. */
  size: number | undefined
  /** A cut is never empty. */
  cut: boolean
}

/** Either the file, or the address where it is. */
export type DownloadResult = { body: Body; address?: undefined } | { address: string }

/**
 * Reads as much of the answer to a download as tells whether it is the file.
 * @throws ContentSpaceError the error in the envelope, or what the status tells; `truncated` for a status that brings
 *   no file, or for a length that is not the one listed
 */
export async function readDownloadResponse(
  answer: Response,
  expected: Expected,
  context: EnvelopeContext,
): Promise<DownloadResult> {
  const { status, headers, body, delimited } = answer
  const chunks = body[Symbol.asyncIterator]()
  const head: Uint8Array[] = []
  const whole =
    (await readUpTo(chunks, head, 0)) ||
    ((status >= 400 || mayBeJson(head)) && (await readUpTo(chunks, head, largest.envelope)))
  const address = whole || status >= 400 ? readFileUrl({ status, bytes: Buffer.concat(head) }, context) : undefined
  if (address !== undefined) return { address }
  if (status !== 200) {
    throw new ContentSpaceError(
      'truncated',
      `The service answers a download with HTTP status ${status}, which brings no file.`,
      {
        ...context.facts,
        status,
      },
    )
  }
  const { size } = expected
  const length = Number(headers['content-length'] ?? Number.NaN)
  if (size !== undefined && length !== size && !Number.isNaN(length)) throw wrongSize(length, expected, context)
  if (length > largest.file) throw tooLarge(context)
  const confirmed = delimited || size !== undefined
  return {
    body: Object.assign(checked(head, chunks, expected, context), confirmed ? {} : { unconfirmed: true as const }),
  }
}

/** Whether the first byte that is not blank, nor part of a byte order mark, opens an object. There may be none yet. */
function mayBeJson(head: readonly Uint8Array[]): boolean {
  const first = head.flatMap((chunk) => chunk.find((byte) => !blank.has(byte)) ?? []).at(0)
  return first === undefined || first === 0x7b
}

const blank: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])

/** The file, counted. It ends with an error as soon as it is longer than it may be, or when it is too short. */
async function* checked(
  head: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
  expected: Expected,
  context: EnvelopeContext,
): AsyncGenerator<Uint8Array> {
  let received = 0
  const count = (chunk: Uint8Array): Uint8Array => {
    received += chunk.length
    if (expected.size !== undefined && received > expected.size) throw wrongSize(received, expected, context)
    if (received > largest.file) throw tooLarge(context)
    return chunk
  }
  for (const chunk of head) yield count(chunk)
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield count(next.value)
  if (received !== (expected.size ?? received) || (expected.cut && received === 0))
    throw wrongSize(received, expected, context)
}

function wrongSize(received: number, { size }: Expected, { facts }: EnvelopeContext): ContentSpaceError {
  const what =
    size === undefined
      ? `${received} bytes`
      : received > size
        ? `more than the ${size} bytes that are listed`
        : `${received} of ${size} bytes`
  return new ContentSpaceError('truncated', `The file came with ${what}.`, { ...facts, status: 200 })
}

function tooLarge({ facts }: EnvelopeContext): ContentSpaceError {
  return new ContentSpaceError('invalidResponse', `The file is larger than ${largest.file} bytes.`, facts)
}
