import { SaxesParser } from 'saxes'

/** CSS: pixels in each absolute unit. */
const pixels: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
}

/** Types whose header sharp reads. */
const raster = new Set(['JPG', 'PNG', 'GIF', 'TIFF', 'WEBP', 'AVIF'])

/**
 * Width and height from a file's header, in pixels, as the wire spells them: `320x200`.
 * Nothing is decoded. Rasters are measured as they are shown, their EXIF orientation applied.
 * @returns undefined when the type has none, or its header cannot be read
 */
export async function readDimensions(type: string, bytes: Buffer): Promise<string | undefined> {
  if (type === 'SVG') return svgDimensions(bytes)
  if (!raster.has(type) || bytes.length === 0) return undefined
  const { default: sharp } = await import('sharp')
  try {
    const {
      autoOrient: { width, height },
    } = await sharp(bytes, { limitInputPixels: false }).metadata()
    return `${width}x${height}`
  } catch {
    return undefined
  }
}

/** The root's `width` and `height` where they are lengths; what is missing follows from the `viewBox`. */
function svgDimensions(bytes: Buffer): string | undefined {
  const root = rootAttributes(bytes)
  const [, , boxWidth = 0, boxHeight = 0] = (root['viewBox'] ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const ratio = boxWidth > 0 && boxHeight > 0 ? boxWidth / boxHeight : undefined
  const width = length(root['width'])
  const height = length(root['height'])
  const w = width ?? (ratio && height ? height * ratio : boxWidth)
  const h = height ?? (ratio && width ? width / ratio : boxHeight)
  return w > 0 && h > 0 ? `${rounded(w)}x${rounded(h)}` : undefined
}

function length(text = ''): number | undefined {
  const [, number, unit = ''] = /^\s*\+?(\d*\.?\d+(?:e[+-]?\d+)?)([a-z]*)\s*$/i.exec(text) ?? []
  const factor = pixels[unit.toLowerCase()]
  const value = Number(number) * (factor ?? Number.NaN)
  return value > 0 && Number.isFinite(value) ? value : undefined
}

/** Attributes of the first element. A real parser: comments and DOCTYPEs in front of it may hold anything. */
function rootAttributes(bytes: Buffer): Record<string, string> {
  const text = decode(bytes)
  const parser = new SaxesParser()
  const found: Record<string, string>[] = []
  parser.on('opentag', (tag) => found.push(tag.attributes))
  // entities that only an internal DTD declares are common in exported files, and harmless here
  parser.on('error', () => undefined)
  for (let start = 0; start < text.length && found.length === 0; start += 4096)
    parser.write(text.slice(start, start + 4096))
  return found[0] ?? {}
}

function decode(bytes: Buffer): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

function rounded(value: number): number {
  return Number(value.toFixed(3))
}
