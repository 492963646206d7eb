import { ContentSpaceError } from '../../errors.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { sizeText } from '../../text/quantities.js'
import { pageHint } from '../offline.js'
import type { Body } from '../space.js'
import { readUpTo } from './body.js'
import { readFileUrl, requireUnblocked, type EnvelopeContext } from './envelope.js'
import type { Response } from './fetch.js'

/** In bytes. A body longer than `envelope` is a file and isn't parsed. `page` is enough to recognize a challenge. */
const limits = { file: 2e9, envelope: 1e6, page: 65_536 }

export interface ExpectedFile {
  /** The size of an original in bytes, as listed. */
  size: number | undefined
  /** Whether the file is a cut, which is never empty. */
  cut: boolean
  /** The next step if the size is wrong. */
  hint?: string | undefined
}

/**
 * Reads the start of the response to a download, to distinguish a file from an envelope.
 * @throws ContentSpaceError the error in the envelope or for the status; `truncated` for a status without a file, or if
 *   the length differs from the listed size
 */
export async function readDownloadResponse(
  response: Response,
  expected: ExpectedFile,
  context: EnvelopeContext,
): Promise<{ body: Body } | { url: string }> {
  const { status, headers, body, delimited, encoded } = response
  const chunks = body[Symbol.asyncIterator]()
  const head: Uint8Array[] = []
  const complete =
    (await readUpTo(chunks, head, 0)) ||
    ((status >= 400 || mayBeJson(head)) && (await readUpTo(chunks, head, limits.envelope)))
  const url =
    complete || status >= 400 ? readFileUrl({ status, headers, bytes: Buffer.concat(head) }, context) : undefined
  if (url !== undefined) return { url }
  const isPage = /\bhtml\b/i.test(String(headers['content-type']))
  if (isPage) await readUpTo(chunks, head, limits.page)
  requireUnblocked(response, isPage ? Buffer.concat(head).toString() : '', context)
  if (status !== 200) {
    const message = `The service responded to a download with HTTP status ${status} and no file.`
    throw new ContentSpaceError('truncated', message, { ...context.facts, status })
  }
  const hint = isPage ? pageHint : undefined
  const sized = { ...expected, hint }
  const { size } = sized
  const length = Number((encoded ? undefined : headers['content-length']) ?? Number.NaN)
  if (size !== undefined && length !== size && !Number.isNaN(length)) throw wrongSizeError(length, sized, context)
  if (length > limits.file) throw tooLargeError(context)
  const confirmed = delimited || size !== undefined
  return {
    body: Object.assign(checkSize(head, chunks, sized, context), confirmed ? {} : { unconfirmed: true as const }),
  }
}

/** Checks whether the first byte after white space and a byte order mark opens an object. */
function mayBeJson(head: readonly Uint8Array[]): boolean {
  const first = head.flatMap((chunk) => chunk.find((byte) => !ignored.has(byte)) ?? []).at(0)
  return first === undefined || first === 0x7b
}

const ignored: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])

/** Yields the bytes of a file. Throws as soon as it is too long, or at the end if it is too short. */
async function* checkSize(
  head: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
  expected: ExpectedFile,
  context: EnvelopeContext,
): AsyncGenerator<Uint8Array> {
  let received = 0
  const count = (chunk: Uint8Array): Uint8Array => {
    received += chunk.length
    if (expected.size !== undefined && received > expected.size) throw wrongSizeError(received, expected, context)
    if (received > limits.file) throw tooLargeError(context)
    return chunk
  }
  for (const chunk of head) yield count(chunk)
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield count(next.value)
  if (received !== (expected.size ?? received) || (expected.cut && received === 0))
    throw wrongSizeError(received, expected, context)
}

function wrongSizeError(received: number, { size, hint }: ExpectedFile, { facts }: EnvelopeContext): ContentSpaceError {
  const what =
    size === undefined
      ? 'is empty'
      : received > size
        ? `has more than the ${size} bytes that are listed`
        : `has ${received} of the ${size} bytes that are listed`
  return new ContentSpaceError('truncated', `The downloaded file ${what}.`, {
    ...facts,
    status: 200,
    ...omitUndefined({ hint }),
  })
}

function tooLargeError({ facts }: EnvelopeContext): ContentSpaceError {
  return new ContentSpaceError('invalidResponse', `The file is larger than ${sizeText(limits.file)}.`, facts)
}
