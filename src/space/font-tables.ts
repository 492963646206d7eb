import { promisify } from 'node:util'
import { brotliDecompress, inflate } from 'node:zlib'

export type FontFormat = 'woff2' | 'woff' | 'otf' | 'ttf'

/** Formats by the first four bytes. Font collections are left out, because browsers don't load them. */
const signatures: ReadonlyMap<string, FontFormat> = new Map([
  ['wOF2', 'woff2'],
  ['wOFF', 'woff'],
  ['OTTO', 'otf'],
  ['true', 'ttf'],
  ['\0\x01\0\0', 'ttf'],
])

export function formatOfFont(bytes: Buffer): FontFormat | undefined {
  return signatures.get(bytes.toString('latin1', 0, 4))
}

/** The tables that contain names, weight, style and axes. */
const described = ['OS/2', 'fvar', 'head', 'name']

/** Limits in bytes for all decompressed data, and for one described table. The names of a font take a few kB. */
const limits = { all: 64 * 1024 * 1024, table: 128 * 1024 }

/**
 * Extracts the tables that describe a font into an uncompressed font file. Font libraries decompress the whole file
 * without a limit, and some loop endlessly on damaged data. zlib does neither.
 * @throws Error for a file that is damaged or too large
 */
export async function describedTables(bytes: Buffer, format: FontFormat): Promise<Buffer> {
  const { entries, data } = await readers[format](bytes)
  const tables = new Map<string, Buffer>()
  for (const { tag, offset, length, original } of entries) {
    if (!described.includes(tag)) continue
    if (offset + length > data.length || original > limits.table) throw new RangeError(`${tag} is too large.`)
    const table = data.subarray(offset, offset + length)
    tables.set(tag, length < original ? await promisify(inflate)(table, { maxOutputLength: limits.table }) : table)
  }
  return toFile(tables)
}

interface Directory {
  entries: TableEntry[]
  data: Buffer
}

interface TableEntry {
  tag: string
  offset: number
  length: number
  /** The uncompressed length. */
  original: number
}

const readers: Readonly<Record<FontFormat, (bytes: Buffer) => Promise<Directory>>> = {
  ttf: readOpenType,
  otf: readOpenType,
  woff: readWoff,
  woff2: readWoff2,
}

async function readOpenType(data: Buffer): Promise<Directory> {
  const entries = Array.from({ length: data.readUInt16BE(4) }, (_, index) => {
    const at = 12 + 16 * index
    const length = data.readUInt32BE(at + 12)
    return { tag: data.toString('latin1', at, at + 4), offset: data.readUInt32BE(at + 8), length, original: length }
  })
  return { entries, data }
}

/** WOFF 1.0 compresses each table separately, unless compression would make it longer. */
async function readWoff(data: Buffer): Promise<Directory> {
  const entries = Array.from({ length: data.readUInt16BE(12) }, (_, index) => {
    const at = 44 + 20 * index
    const field = (offset: number): number => data.readUInt32BE(at + offset)
    return { tag: data.toString('latin1', at, at + 4), offset: field(4), length: field(8), original: field(12) }
  })
  return { entries, data }
}

/**
 * Tags that WOFF 2.0 encodes as numbers. Lists the tags that we read, and the tags of tables with their own
 * transformation.
 */
const numbered: Readonly<Record<number, string>> = {
  1: 'head',
  5: 'name',
  6: 'OS/2',
  10: 'glyf',
  11: 'loca',
  47: 'fvar',
}

/**
 * WOFF 2.0, section 4.1: each entry has flags, an optional tag, a length, and for a transformed table another length.
 */
async function readWoff2(bytes: Buffer): Promise<Directory> {
  const entries: TableEntry[] = []
  let at = 48
  let offset = 0
  function readLength(): number {
    for (let length = 0, count = 1; count <= 5; count++) {
      const byte = bytes.readUInt8(at++)
      length = length * 128 + (byte & 0x7f)
      if (byte < 0x80) return length
    }
    throw new RangeError('A length has more than five bytes.')
  }
  for (let count = bytes.readUInt16BE(12); count > 0; count--) {
    const flags = bytes.readUInt8(at++)
    const number = flags & 0x3f
    const tag = number === 0x3f ? bytes.toString('latin1', at, at + 4) : (numbered[number] ?? '')
    if (number === 0x3f) at += 4
    const original = readLength()
    const version = flags >> 6
    const isTransformed = tag === 'glyf' || tag === 'loca' ? version === 0 : version !== 0
    const length = isTransformed ? readLength() : original
    // We don't support other transformations.
    entries.push({ tag: isTransformed ? '' : tag, offset, length, original: length })
    offset += length
  }
  const compressed = bytes.subarray(at, at + bytes.readUInt32BE(20))
  return { entries, data: await promisify(brotliDecompress)(compressed, { maxOutputLength: limits.all }) }
}

/** Writes tables as an OpenType file. Omits the checksums, because readers don't need them. */
function toFile(tables: ReadonlyMap<string, Buffer>): Buffer {
  const head = Buffer.alloc(12 + 16 * tables.size)
  head.writeUInt32BE(0x10000, 0)
  head.writeUInt16BE(tables.size, 4)
  let offset = head.length
  for (const [index, [tag, table]] of [...tables].entries()) {
    const at = 12 + 16 * index
    head.write(tag, at, 'latin1')
    head.writeUInt32BE(offset, at + 8)
    head.writeUInt32BE(table.length, at + 12)
    offset += table.length
  }
  return Buffer.concat([head, ...tables.values()])
}
