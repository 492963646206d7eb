import { pipeline, Readable, type Duplex } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { ContentSpaceError, type ErrorFacts } from '../../errors.js'

/** The headers of a response, by lower-case name. */
export type Headers = Record<string, string | string[] | undefined>

/** Decoders by the name of the coding (RFC 9110, section 8.4.1). */
const decoders: ReadonlyMap<string, () => Duplex> = new Map<string, () => Duplex>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
])

/** The `Accept-Encoding` for listings. Files are requested without compression. */
export const listingEncodings = 'gzip, br'

/**
 * Returns the coding of a body, or undefined for an uncompressed body.
 * @throws ContentSpaceError `invalidResponse` for several codings, because they can unpack to any size, and for unknown
 *   codings
 */
export function codingOf(headers: Headers, facts: ErrorFacts): string | undefined {
  const coding = String(headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase()
  const transfer = String(headers['transfer-encoding'] ?? 'chunked')
    .trim()
    .toLowerCase()
  const isPlain = coding === '' || coding === 'identity'
  if (transfer === 'chunked' && (isPlain || decoders.has(coding))) return isPlain ? undefined : coding
  const sent = transfer === 'chunked' ? coding : transfer
  throw new ContentSpaceError('invalidResponse', `The service sent a response with the encoding \`${sent}\`.`, {
    ...facts,
    hint: 'Turn off compression for its address, in the service or in the proxy in front of it, or use gzip or br.',
  })
}

/**
 * Decompresses a body chunk by chunk. Stops decompressing when the reader stops early.
 * @throws ContentSpaceError `truncated` for a body that ends early or is damaged
 */
export async function* unpack(
  body: AsyncIterable<Uint8Array>,
  coding: string,
  facts: ErrorFacts,
): AsyncGenerator<Uint8Array> {
  const decoder = decoders.get(coding)?.()
  if (!decoder) return
  let failure: unknown
  const source = Readable.from(body).on('error', (error) => (failure = error))
  pipeline(source, decoder, () => {})
  try {
    for await (const chunk of decoder) yield chunk
  } catch (error) {
    if (failure !== undefined) throw failure
    throw new ContentSpaceError('truncated', 'A compressed response of the service is damaged or cut short.', {
      ...facts,
      cause: error,
    })
  }
}
