import { contentOf } from '../../disk/content.js'
import { messageOf } from '../../errors.js'
import { findTruncation } from '../truncation.js'

/** The reason why a file can't be decoded. `unsupported`: the file is fine, but the decoder doesn't know its format. */
export type Problem = 'damaged' | 'cut short' | 'unsupported'

export interface Failure {
  /** Undefined if the error doesn't come from a decoder, so the file may be valid. */
  problem?: Problem | undefined
  /** Has no subject, because the caller knows the file. */
  reason: string
}

/** Matches messages about a feature that libvips and its decoders don't support. */
const unsupported = new RegExp(
  [
    'unsupported (?!image format)|not supported|not implemented|not configured|no decode delegate',
    // Lab with 8 bits, and 12 bits per channel in TIFF.
    'bad labq format|not a whole number of bytes',
  ].join('|'),
  'i',
)

const cutShort = /premature end|unexpected end|bad seek/i

/** Matches the beginning of decoders' messages, but not of encoders' messages or messages about our own limits. */
const ofDecoder =
  /^(?:Input buffer (?:has|contains)|source:|(?:Vips\w+|vipspng|webp|webp2vips|tiff2vips|heif\w*):|svgload|gifload)/

/** Lines from sharp and libvips that don't say anything about the file. */
const noise = /^$|^Warning treated as error|^vips2\w+: unable to write/

/**
 * Explains why a task failed.
 * @param bytes the file that was decoded
 */
export async function explainFailure(error: unknown, bytes: Buffer): Promise<Failure> {
  const message = messageOf(error).trim()
  // Decoders repeat a message for each attempt.
  const lines = message
    .split('\n')
    .map((line) => line.replace(/^Input buffer has corrupt header:/, '').trim())
    .filter((line) => !noise.test(line))
  const first = lines.find((line) => unsupported.test(line) || cutShort.test(line)) ?? lines[0] ?? ''
  if (!ofDecoder.test(message)) return { reason: message }
  if (unsupported.test(message)) return { problem: 'unsupported', reason: first }
  const truncation = await findTruncation(contentOf(bytes), typeOfSignature(bytes))
  if (truncation !== undefined || cutShort.test(message)) return { problem: 'cut short', reason: truncation ?? first }
  return { problem: 'damaged', reason: first || 'its header cannot be read' }
}

/** Returns the type of a picture if truncation can be found in its structure, otherwise an empty string. */
function typeOfSignature(bytes: Buffer): string {
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith('\x89PNG')) return 'PNG'
  if (start.startsWith('GIF8')) return 'GIF'
  if (/^RIFF.{4}WEBP/s.test(start)) return 'WEBP'
  return /^(?:II\*\0|MM\0\*)/.test(start) ? 'TIFF' : ''
}
