import { brotliCompressSync, constants, deflateSync } from 'node:zlib'

export interface FontOptions {
  /** The typographic family. */
  family?: string
  /** The typographic variant. */
  variant?: string
  weight?: number
  italic?: boolean
  oblique?: boolean
  /** The smallest, default, and largest weight of a variable font. */
  axis?: [number, number, number]
  /** Other axes of a variable font, by tag. */
  axes?: Record<string, [number, number, number]>
  /** The width class: 5 is normal, 3 is condensed. */
  widthClass?: number
  /** The width of each character in thousandths of the font size. */
  advance?: number
  format?: 'ttf' | 'otf' | 'woff' | 'woff2'
  /** The bytes of an additional table. */
  other?: Buffer
}

type Tables = (readonly [tag: string, bytes: Buffer])[]

const u16 = (...values: number[]) => Buffer.from(values.flatMap((value) => [(value >> 8) & 0xff, value & 0xff]))
const u32 = (...values: number[]) => Buffer.concat(values.map((value) => u16(value >>> 16, value & 0xffff)))
const fixed = (value: number) => u32(value * 65_536)
const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])

/** The first printable ASCII character. Each is drawn as a box. */
const first = 0x20
const count = 95
const glyphs = count + 1

/**
 * Makes a font that browsers can render and whose ASCII characters are boxes, with the given names, weight, and style.
 * An `otf` has only the signature of OpenType: it can be read but not rendered.
 */
export function makeFont(options: FontOptions = {}): Buffer {
  const tables = tablesOf(options)
  if (options.format === 'woff') return makeWoff(tables)
  if (options.format === 'woff2') return makeWoff2(tables)
  return makeSfnt(tables, options.format === 'otf' ? 'OTTO' : '\0\x01\0\0')
}

function tablesOf(options: FontOptions): Tables {
  const { weight = 400, italic = false, oblique = false, widthClass = 5, advance = 1000, other } = options
  const axes = { ...options.axes, ...(options.axis && { wght: options.axis }) }
  // One contour with four on-curve points: bounding box, last point, instructions, flags, and the steps in x and y.
  const outline = [u16(1, 0, 0, advance, 700), u16(3, 0), Buffer.from([1, 1, 1, 1])]
  const glyph = padded(Buffer.concat([...outline, u16(0, 0, advance, 0), u16(0, 700, 0, -700)]))
  const selection = (italic ? 1 : 0) | (oblique ? 0x200 : 0) | (!italic && !oblique && weight === 400 ? 0x40 : 0)
  const os2 = Buffer.concat([
    u16(4, advance, weight, widthClass, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0),
    Buffer.alloc(10),
    u32(1, 0, 0, 0),
    Buffer.from('TEST'),
    u16(selection, first, first + count - 1, 800, -200, 0, 800, 200),
    u32(1, 0),
    u16(500, 700, 0, first, 1),
  ])
  const cmap = Buffer.concat([
    u16(0, 1, 3, 1),
    u32(12),
    u16(4, 32, 0, 4, 4, 1, 0, first + count - 1, 0xffff, 0, first, 0xffff, 1 - first, 1, 0, 0),
  ])
  const head = Buffer.concat([
    u32(0x10000, 0x10000, 0, 0x5f0f3cf5),
    u16(3, 1000),
    Buffer.alloc(16),
    u16(0, 0, advance, 700, italic ? 2 : 0, 8, 2, 1, 0),
  ])
  return [
    ['OS/2', os2],
    ['cmap', cmap],
    ...(Object.keys(axes).length > 0 ? [['fvar', fvar(axes)] as const] : []),
    ['glyf', Buffer.concat(Array.from({ length: glyphs }, () => glyph))],
    ['head', head],
    [
      'hhea',
      Buffer.concat([u32(0x10000), u16(800, -200, 0, advance, 0, 0, advance, 1), Buffer.alloc(14), u16(glyphs)]),
    ],
    ['hmtx', u16(...Array.from({ length: glyphs }, () => [advance, 0]).flat())],
    ['loca', u32(...Array.from({ length: glyphs + 1 }, (_, index) => index * glyph.length))],
    ['maxp', Buffer.concat([u32(0x10000), u16(glyphs, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)])],
    ['name', names(options)],
    ['post', Buffer.concat([u32(0x30000), fixed(italic ? -10 : 0), u16(-75, 50), u32(0, 0, 0, 0, 0)])],
    ...(other ? [['test', other] as const] : []),
  ]
}

/** Names 1 and 2 are for the four variants that old programs support, and names 16 and 17 for all others. */
function names({ family = 'Test Sans', variant = 'Regular' }: FontOptions): Buffer {
  const texts = new Map([
    [1, `${family} ${variant}`],
    [2, 'Regular'],
    [3, `${family} ${variant} unique`],
    [4, `${family} ${variant}`],
    [5, 'Version 1.0'],
    [6, `${family}-${variant}`.replaceAll(/[^\w-]/g, '')],
    [16, family],
    [17, variant],
    [256, 'Weight'],
  ])
  const records: Buffer[] = []
  const strings: Buffer[] = []
  let offset = 0
  for (const [id, text] of texts) {
    const bytes = Buffer.from(text, 'utf16le').swap16()
    records.push(u16(3, 1, 0x409, id, bytes.length, offset))
    strings.push(bytes)
    offset += bytes.length
  }
  return Buffer.concat([u16(0, texts.size, 6 + 12 * texts.size), ...records, ...strings])
}

function fvar(axes: NonNullable<FontOptions['axes']>): Buffer {
  const records = Object.entries(axes).map(([tag, numbers]) =>
    Buffer.concat([Buffer.from(tag), ...numbers.map(fixed), u16(0, 256)]),
  )
  return Buffer.concat([u16(1, 0, 16, 2, records.length, 20, 0, 4 + 4 * records.length), ...records])
}

function makeSfnt(tables: Tables, signature: string): Buffer {
  let offset = 12 + 16 * tables.length
  const entries = tables.map(([tag, bytes]) => {
    const entry = Buffer.concat([Buffer.from(tag), u32(checksum(bytes), offset, bytes.length)])
    offset += padded(bytes).length
    return entry
  })
  const power = Math.floor(Math.log2(tables.length))
  const head = u16(tables.length, 2 ** power * 16, power, tables.length * 16 - 2 ** power * 16)
  return Buffer.concat([
    Buffer.from(signature, 'latin1'),
    head,
    ...entries,
    ...tables.map(([, bytes]) => padded(bytes)),
  ])
}

function checksum(bytes: Buffer): number {
  const all = padded(bytes)
  let sum = 0
  for (let at = 0; at < all.length; at += 4) sum = (sum + all.readUInt32BE(at)) >>> 0
  return sum
}

function sfntSize(tables: Tables): number {
  return makeSfnt(tables, '\0\x01\0\0').length
}

function makeWoff(tables: Tables): Buffer {
  let offset = 44 + 20 * tables.length
  const bodies = tables.map(([, bytes]) => {
    const compressed = deflateSync(bytes)
    return compressed.length < bytes.length ? compressed : bytes
  })
  const entries = tables.map(([tag, bytes], index) => {
    const body = bodies[index] ?? bytes
    const entry = Buffer.concat([Buffer.from(tag), u32(offset, body.length, bytes.length, checksum(bytes))])
    offset += padded(body).length
    return entry
  })
  const size = offset
  const head = Buffer.concat([
    Buffer.from('wOFF'),
    u32(0x10000, size),
    u16(tables.length, 0),
    u32(sfntSize(tables)),
    u16(1, 0),
    u32(0, 0, 0, 0, 0),
  ])
  return Buffer.concat([head, ...entries, ...bodies.map(padded)])
}

/** The tables that WOFF 2.0 identifies by number, in the order of their numbers. */
const known = ['cmap', 'head', 'hhea', 'hmtx', 'maxp', 'name', 'OS/2', 'post', 'cvt ', 'fpgm', 'glyf', 'loca']

/**
 * Compresses tables without transforming them: transformation version 3 for `glyf` and `loca`, and 0 for the others.
 */
function makeWoff2(tables: Tables): Buffer {
  const entries = tables.map(([tag, bytes]) => {
    const version = tag === 'glyf' || tag === 'loca' ? 3 << 6 : 0
    const number = known.indexOf(tag)
    const flags = number === -1 ? [version | 0x3f, ...Buffer.from(tag)] : [version | number]
    return Buffer.from([...flags, ...base128(bytes.length)])
  })
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 }
  const data = brotliCompressSync(Buffer.concat(tables.map(([, bytes]) => bytes)), { params })
  const directory = Buffer.concat(entries)
  const size = padded(Buffer.concat([Buffer.alloc(48), directory, data])).length
  const head = Buffer.concat([
    Buffer.from('wOF2'),
    u32(0x10000, size),
    u16(tables.length, 0),
    u32(sfntSize(tables), data.length),
    u16(1, 0),
    u32(0, 0, 0, 0, 0),
  ])
  return padded(Buffer.concat([head, directory, data]))
}

function base128(value: number): number[] {
  const digits = [value & 0x7f]
  for (let rest = value >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80)
  return digits
}
