/**
 * Functions that read data URIs in an SVG. Their declared types are often wrong, such as `img/png`, and browsers ignore
 * them, so we check the bytes.
 */

/** Media types, each with the Latin-1 characters that identify its files and their offset. */
type Signatures = readonly (readonly [type: string, characters: string, offset: number])[]

const pictures: Signatures = [
  ['image/png', '\x89PNG', 0],
  ['image/jpeg', '\xff\xd8\xff', 0],
  ['image/gif', 'GIF8', 0],
  ['image/webp', 'WEBP', 8],
  ['image/avif', 'ftypavi', 4],
  ['image/bmp', 'BM', 0],
]
const fonts: Signatures = [
  ['font/woff2', 'wOF2', 0],
  ['font/woff', 'wOFF', 0],
  ['font/ttf', '\0\x01\0\0', 0],
  ['font/ttf', 'true', 0],
  ['font/otf', 'OTTO', 0],
  ['font/collection', 'ttcf', 0],
]

/**
 * Returns a raster image as a data URI whose type matches its bytes.
 * @returns undefined for any other URL
 */
export function pictureIn(address: string): string | undefined {
  return typed(address, pictures)
}

/**
 * Returns a font as a data URI whose type matches its bytes.
 * @returns undefined for any other URL
 */
export function fontIn(address: string): string | undefined {
  return typed(address, fonts)
}

export function drawingAddress(text: string): string {
  return `${drawingStart}${Buffer.from(text).toString('base64')}`
}

/** The beginning of every embedded SVG. We neither accept nor write any other form. */
const drawingStart = 'data:image/svg+xml;base64,'

/** Checks whether a URL has the form that `drawingAddress` returns. */
export function isDrawingAddress(address: string): boolean {
  return address.startsWith(drawingStart) && isBase64(address.slice(drawingStart.length))
}

export function isBase64(text: string): boolean {
  return !/[^\w+/=\s]/.test(text)
}

function typed(address: string, types: Signatures): string | undefined {
  const bytes = bytesIn(address)
  const start = bytes?.subarray(0, 16).toString('latin1') ?? ''
  const [type] = types.find(([, characters, offset]) => start.startsWith(characters, offset)) ?? []
  return type && bytes && `data:${type};base64,${bytes.toString('base64')}`
}

/**
 * Returns the bytes of a data URI.
 * @returns undefined for any other URL
 */
export function bytesIn(address: string): Buffer | undefined {
  const uri = address.trim()
  const comma = uri.indexOf(',')
  if (comma === -1 || !/^data:/i.test(uri)) return undefined
  // We don't match the whole data URI with one pattern, because that would need memory for each character.
  const [data = ''] = uri.slice(comma + 1).split('#', 1)
  const isEncoded = /;\s*base64\s*$/i.test(uri.slice(0, comma))
  const bytes = percentDecoded(isEncoded ? data.replaceAll(/\s/g, '') : data)
  return isEncoded ? Buffer.from(bytes.toString('latin1'), 'base64') : bytes
}

function percentDecoded(text: string): Buffer {
  if (!text.includes('%')) return Buffer.from(text)
  const [first = '', ...others] = text.split('%')
  const parts = others.map((part) => {
    const code = /^[\da-f]{2}/i.exec(part)?.[0]
    return code === undefined
      ? Buffer.from(`%${part}`)
      : Buffer.concat([Buffer.of(Number.parseInt(code, 16)), Buffer.from(part.slice(2))])
  })
  return Buffer.concat([Buffer.from(first), ...parts])
}
