import { SaxesParser } from 'saxes'
import { cssPixels } from '../../text/css-length.js'
import { xmlDecoder } from '../../text/xml-decoder.js'
import { isRaster } from '../asset-type.js'
import { failOn, uprightSize } from '../upright.js'

/**
 * Reads width and height in pixels from the header of a file. Returns them in the format of the REST interface, such as
 * `320x200`. Doesn't decode the pixels. Applies the EXIF orientation as browsers do.
 * @returns undefined for a type without dimensions, and for an unreadable header
 */
export async function readDimensions(type: string, bytes: Buffer): Promise<string | undefined> {
  if (type === 'SVG') return svgDimensions(bytes)
  if (!isRaster(type) || bytes.length === 0) return undefined
  const { default: sharp } = await import('../../disk/sharp.js')
  const reading = sharp(bytes, { failOn, limitInputPixels: false }).metadata()
  const metadata = await reading.catch(() => undefined)
  if (metadata === undefined) return undefined
  const { width, height } = uprightSize(metadata)
  return `${width}x${height}`
}

/** Returns `width` and `height` of the root element. Computes a missing value from the `viewBox`. */
function svgDimensions(bytes: Buffer): string | undefined {
  const root = rootAttributes(bytes)
  const [, , boxWidth = 0, boxHeight = 0] = (root['viewBox'] ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const ratio = boxWidth > 0 && boxHeight > 0 ? boxWidth / boxHeight : undefined
  const width = cssPixels(root['width'])
  const height = cssPixels(root['height'])
  const w = width ?? (ratio && height ? height * ratio : boxWidth)
  const h = height ?? (ratio && width ? width / ratio : boxHeight)
  return w > 0 && h > 0 ? `${rounded(w)}x${rounded(h)}` : undefined
}

/** Parses the attributes of the first element. The comments and the DOCTYPE before it may contain anything. */
function rootAttributes(bytes: Buffer): Record<string, string> {
  const text = (xmlDecoder(bytes) ?? new TextDecoder()).decode(bytes)
  const parser = new SaxesParser()
  const found: Record<string, string>[] = []
  parser.on('opentag', (tag) => found.push(tag.attributes))
  // Exported files often use entities that only an internal DTD declares. They are harmless here.
  parser.on('error', () => undefined)
  for (let start = 0; start < text.length && found.length === 0; start += 4096)
    parser.write(text.slice(start, start + 4096))
  return found[0] ?? {}
}

function rounded(value: number): number {
  return Number(value.toFixed(3))
}
