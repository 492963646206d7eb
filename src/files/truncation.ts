import { setImmediate as nextTurn } from 'node:timers/promises'
import { readPart, type Content } from '../disk/content.js'
import { declarationSize, xmlDecoder } from '../text/xml-decoder.js'

/**
 * Uses the structure of a file's format to detect whether the file is truncated, without decoding it. Returns the
 * reason, or undefined if the file is complete.
 */
type Check = (content: Content) => Promise<string | undefined>

/** The checks by uppercase type. Spaces use the type `TEXT_STYLE` for fonts; other types have their usual names. */
const checks: ReadonlyMap<string, Check> = new Map([
  ['PDF', checkPdf],
  ['EPS', checkEps],
  ['SVG', checkSvg],
  ['PNG', checkPng],
  ['GIF', checkGif],
  ['WEBP', checkWebp],
  ['TIFF', checkTiff],
  ['WOFF', checkFont],
  ['WOFF2', checkFont],
  ['TTF', checkFont],
  ['OTF', checkFont],
  ['TEXT_STYLE', checkFont],
  ['SKETCH', checkZip],
])

/** @param type in any case */
export function canDetectTruncation(type: string): boolean {
  return checks.has(type.toUpperCase())
}

export async function findTruncation(content: Content, type: string): Promise<string | undefined> {
  return content.size === 0 ? undefined : checks.get(type.toUpperCase())?.(content)
}

const shorterThanHeader = 'it is shorter than its header states'

/** The last line of a document must be within this many bytes of its end. Other readers search no more than that. */
const tailSize = 2048

async function readTail(content: Content): Promise<string> {
  return (await readPart(content, content.size - tailSize, tailSize)).toString('latin1')
}

/** The last line of a PDF is the end-of-file marker (ISO 32000-1, 7.5.5). */
async function checkPdf(content: Content): Promise<string | undefined> {
  return (await readTail(content)).includes('%%EOF') ? undefined : 'it ends without %%EOF'
}

/**
 * The last comment of an EPS file is `%%EOF` (DSC 3.0). A file with a preview begins with a header that contains the
 * offset and length of each part (Adobe TN 5002).
 */
async function checkEps(content: Content): Promise<string | undefined> {
  const header = await readPart(content, 0, 28)
  if (header.length === 28 && header.readUInt32BE(0) === 0xc5d0d3c6) {
    const ends = [4, 12, 20].map((at) => header.readUInt32LE(at) + header.readUInt32LE(at + 4))
    return Math.max(...ends) <= content.size ? undefined : shorterThanHeader
  }
  return checkPdf(content)
}

/** The number of bytes that are parsed or read at a time. */
const chunkSize = 64 * 1024

/** Accepts an SVG whose root element is closed, even if it is malformed or followed by other data. */
async function checkSvg(content: Content): Promise<string | undefined> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ position: false })
  const state = { depth: 0, errors: 0, closed: false }
  parser.on('error', () => void state.errors++)
  parser.on('opentag', () => void state.depth++)
  parser.on('closetag', () => {
    state.depth--
    state.closed ||= state.depth === 0
  })
  const decoder = xmlDecoder(await readPart(content, 0, declarationSize)) ?? new TextDecoder()
  for (let at = 0; at < content.size && !state.closed && !exceedsLimits(state); at += chunkSize) {
    const bytes = await readPart(content, at, chunkSize)
    parser.write(decoder.decode(bytes, { stream: at + chunkSize < content.size }))
    if (at > 0) await nextTurn()
  }
  if (state.closed) return undefined
  // The parser can miss the end because of a malformed tag.
  const tail = (await readTail(content)).replaceAll('\0', '')
  const unreliable = state.errors > 0 || exceedsLimits(state)
  return unreliable && /<\/([\w-]+:)?svg\s*>/i.test(tail) ? undefined : 'it ends before its last tag'
}

/**
 * Checks whether a parse has become too expensive: errors take time, and open elements take memory. If so, only the
 * last tag is checked.
 */
function exceedsLimits({ depth, errors }: { depth: number; errors: number }): boolean {
  return depth >= 10_000 || errors >= 1000
}

/** Follows the chunks to the last one, IEND. Ignores bytes after it. */
async function checkPng(content: Content): Promise<string | undefined> {
  for (let at = 8; at + 12 <= content.size;) {
    const header = await readPart(content, at, 8)
    if (header.subarray(4).toString('latin1') === 'IEND') return undefined
    at += header.readUInt32BE(0) + 12
  }
  return 'it ends without its last chunk'
}

/** Follows the blocks to the trailer. Decoding wouldn't detect missing frames. */
async function checkGif(content: Content): Promise<string | undefined> {
  const readByte = byteReader(content)
  /** Returns the offset after a list of data blocks, which ends with an empty block. */
  async function skipBlocks(from: number): Promise<number> {
    let at = from
    for (let length = await readByte(at); length > 0; length = await readByte(at)) at += length + 1
    return at + 1
  }
  let at = 13 + colorTableSize(await readByte(10))
  for (let kind = await readByte(at); at < content.size; kind = await readByte(at)) {
    if (kind === 0x3b) return undefined
    if (kind === 0x21) at = await skipBlocks(at + 2)
    else if (kind === 0x2c) at = await skipBlocks(at + 11 + colorTableSize(await readByte(at + 9)))
    // Browsers render the frames before an invalid block.
    else return undefined
  }
  return 'it ends without its trailer'
}

/** The RIFF header contains the length of the rest. */
async function checkWebp(content: Content): Promise<string | undefined> {
  const header = await readPart(content, 0, 8)
  return header.length === 8 && content.size >= header.readUInt32LE(4) + 8 ? undefined : shorterThanHeader
}

/** The header contains the offset of the first directory, which writers often put at the end (TIFF 6.0, section 2). */
async function checkTiff(content: Content): Promise<string | undefined> {
  const header = Buffer.concat([await readPart(content, 0, 8), Buffer.alloc(8)])
  const kind = header.toString('latin1', 0, 4)
  if (kind !== 'II*\0' && kind !== 'MM\0*') return undefined
  const offset = kind.startsWith('M') ? header.readUInt32BE(4) : header.readUInt32LE(4)
  return content.size >= Math.max(8, offset + 2) ? undefined : 'it ends before its directory'
}

/**
 * Returns the size of a color table in bytes.
 * @param flags from the header or an image descriptor
 */
function colorTableSize(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

/** Returns a function that reads single bytes from buffered chunks and returns -1 after the end. */
function byteReader(content: Content): (at: number) => Promise<number> {
  let start = 0
  let chunk: Buffer = Buffer.alloc(0)
  return async (at) => {
    if (at < start || at >= start + chunk.length) {
      start = at
      chunk = await readPart(content, at, chunkSize)
    }
    return chunk[at - start] ?? -1
  }
}

/**
 * The header of WOFF and WOFF2 contains the length of the file. TrueType and OpenType begin with a table of offsets and
 * lengths. Accepts any other format.
 */
async function checkFont(content: Content): Promise<string | undefined> {
  const start = Buffer.concat([await readPart(content, 0, 12), Buffer.alloc(12)])
  const kind = start.toString('latin1', 0, 4)
  if (kind === 'wOFF' || kind === 'wOF2') {
    return content.size >= Math.max(12, start.readUInt32BE(8)) ? undefined : shorterThanHeader
  }
  if (!['OTTO', 'true', '\0\x01\0\0'].includes(kind)) return undefined
  const count = start.readUInt16BE(4)
  const table = await readPart(content, 12, 16 * count)
  if (table.length < 16 * count) return shorterThanHeader
  const ends = Array.from(
    { length: count },
    (_, index) => table.readUInt32BE(16 * index + 8) + table.readUInt32BE(16 * index + 12),
  )
  return Math.max(12, ...ends) <= content.size ? undefined : shorterThanHeader
}

/** A ZIP file ends with the end of central directory record and a comment of at most 64 kB (APPNOTE 4.3.16). */
async function checkZip(content: Content): Promise<string | undefined> {
  const tail = await readPart(content, content.size - 65_557, 65_557)
  return tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1')) === -1 ? 'it ends without its directory' : undefined
}
