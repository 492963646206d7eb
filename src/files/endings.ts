import { setImmediate as turn } from 'node:timers/promises'
import { readPart, type Content } from '../disk/content.js'

/** Tells why a file is not whole by its own structure, without decoding it; undefined: nothing is missing. */
type Ending = (content: Content) => Promise<string | undefined>

/** Bytes at the end of a PDF in which its last lines stand; readers look no further back. */
const tail = 2048

/** By type as the interface spells it, and what the interface does not list by its usual name. */
const endings = new Map<string, Ending>([
  ['PDF', pdfEnding],
  ['EPS', epsEnding],
  ['SVG', svgEnding],
  ['PNG', pngEnding],
  ['GIF', gifEnding],
  ['WOFF', fontEnding],
  ['WOFF2', fontEnding],
  ['TTF', fontEnding],
  ['OTF', fontEnding],
  ['TEXT_STYLE', fontEnding],
  ['SKETCH', zipEnding],
])

/** @param type in any case */
export function hasEnding(type: string): boolean {
  return endings.has(type.toUpperCase())
}

/** @param type in any case */
export async function missingEnd(content: Content, type: string): Promise<string | undefined> {
  return content.size === 0 ? undefined : endings.get(type.toUpperCase())?.(content)
}

/** ISO 32000-1, 7.5.5: the last line is the marker of the end. */
async function pdfEnding(content: Content): Promise<string | undefined> {
  const text = (await readPart(content, content.size - tail, tail)).toString('latin1')
  return text.includes('%%EOF') ? undefined : 'it ends without %%EOF'
}

/**
 * DSC 3.0: the last comment. A file with a preview has a header of Adobe TN 5002 with the place and the length of each
 * part.
 */
async function epsEnding(content: Content): Promise<string | undefined> {
  const header = await readPart(content, 0, 28)
  if (header.length === 28 && header.readUInt32BE(0) === 0xc5d0d3c6) {
    const ends = [4, 12, 20].map((at) => header.readUInt32LE(at) + header.readUInt32LE(at + 4))
    return Math.max(...ends) <= content.size ? undefined : 'it is shorter than its header says'
  }
  const text = (await readPart(content, content.size - tail, tail)).toString('latin1')
  return text.includes('%%EOF') ? undefined : 'it ends without %%EOF'
}

/**
 * Whole where its root is closed. What else is malformed in it, or stands behind it, is as it was made: whoever reads
 * it decides what to do about that.
 */
async function svgEnding(content: Content): Promise<string | undefined> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ position: false })
  const read = { depth: 0, errors: 0, closed: false }
  parser.on('error', () => void read.errors++)
  parser.on('opentag', () => void read.depth++)
  parser.on('closetag', () => {
    read.depth--
    read.closed ||= read.depth === 0
  })
  const decoder = new TextDecoder(await encodingOf(content))
  for (let at = 0; at < content.size && !read.closed && !tooMuch(read); at += piece) {
    const bytes = await readPart(content, at, piece)
    parser.write(decoder.decode(bytes, { stream: at + piece < content.size }))
    if (at > 0) await turn()
  }
  if (read.closed) return undefined
  // After an odd tag, the parser may have missed the end.
  const end = (await readPart(content, content.size - tail, tail)).toString('latin1').replaceAll('\0', '')
  return (read.errors > 0 || tooMuch(read)) && /<\/([\w-]+:)?svg\s*>/i.test(end)
    ? undefined
    : 'it ends before its last tag'
}

/** Errors take time, and open elements take memory. A file with more of them is judged by its last tag. */
function tooMuch({ depth, errors }: { depth: number; errors: number }): boolean {
  return depth >= 10_000 || errors >= 1000
}

/** Bytes that are parsed at a time. */
const piece = 64 * 1024

async function encodingOf(content: Content): Promise<string> {
  const start = await readPart(content, 0, 200)
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  const named = /^<\?xml[^>]*\bencoding=["']([\w.:-]+)["']/.exec(start.toString('latin1'))?.[1] ?? 'utf-8'
  // A declaration that can be read like this is not in UTF-16.
  if (/^utf-?16/i.test(named)) return 'utf-8'
  try {
    return new TextDecoder(named).encoding
  } catch {
    return 'utf-8'
  }
}

/** Chunks to the last one; what stands behind it is nothing to a picture. */
async function pngEnding(content: Content): Promise<string | undefined> {
  for (let at = 8; at + 12 <= content.size;) {
    const header = await readPart(content, at, 8)
    if (header.subarray(4).toString('latin1') === 'IEND') return undefined
    at += header.readUInt32BE(0) + 12
  }
  return 'it ends without its last chunk'
}

/** Bytes of a table of colours. */
function colours(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

/** Blocks to the trailer: a decoder makes as many frames as it finds. */
async function gifEnding(content: Content): Promise<string | undefined> {
  const byte = async (at: number): Promise<number> => (await read(at)) ?? -1
  const read = reader(content)
  /** Behind data blocks, the last of which is empty. */
  async function skip(from: number): Promise<number> {
    let at = from
    for (let length = await byte(at); length > 0; length = await byte(at)) at += length + 1
    return at + 1
  }
  let at = 13 + colours(await byte(10))
  for (let kind = await byte(at); at < content.size; kind = await byte(at)) {
    if (kind === 0x3b) return undefined
    if (kind === 0x21) at = await skip(at + 2)
    else if (kind === 0x2c) at = await skip(at + 11 + colours(await byte(at + 9)))
    else return 'its blocks are damaged'
  }
  return 'it ends without its trailer'
}

/** Reads single bytes, a piece at a time from the disk. */
function reader(content: Content): (at: number) => Promise<number | undefined> {
  let start = 0
  let part: Buffer = Buffer.alloc(0)
  return async (at) => {
    if (at < start || at >= start + part.length) {
      start = at
      part = await readPart(content, at, piece)
    }
    return part[at - start]
  }
}

/**
 * WOFF and WOFF2 hold their length; TrueType and OpenType a table of where each part is. Anything else says nothing.
 */
async function fontEnding(content: Content): Promise<string | undefined> {
  const short = 'it is shorter than its header says'
  const start = Buffer.concat([await readPart(content, 0, 12), Buffer.alloc(12)])
  const kind = start.toString('latin1', 0, 4)
  if (kind === 'wOFF' || kind === 'wOF2') return content.size >= Math.max(12, start.readUInt32BE(8)) ? undefined : short
  if (!['OTTO', 'true', '\0\x01\0\0'].includes(kind)) return undefined
  const count = start.readUInt16BE(4)
  const table = await readPart(content, 12, 16 * count)
  if (table.length < 16 * count) return short
  const ends = Array.from(
    { length: count },
    (_, index) => table.readUInt32BE(16 * index + 8) + table.readUInt32BE(16 * index + 12),
  )
  return Math.max(12, ...ends) <= content.size ? undefined : short
}

/** APPNOTE 4.3.16: the end of the central directory, in front of a comment of at most 64 kB. */
async function zipEnding(content: Content): Promise<string | undefined> {
  const end = await readPart(content, content.size - 65_557, 65_557)
  return end.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1')) === -1 ? 'it ends without its directory' : undefined
}
