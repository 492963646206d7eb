import type { Sharp } from 'sharp'
import { ContentSpaceError } from '../../errors.js'

/** The cuts that sharp makes here of each type; any other has to lie beside the file. */
export const cutsMadeHere: ReadonlyMap<string, readonly string[]> = new Map([
  ['SVG', ['PNG']],
  ['JPG', ['PNG']],
  ['PNG', ['JPG']],
  ['GIF', ['PNG', 'JPG']],
  ['TIFF', ['PNG', 'JPG']],
])

const encoders: Readonly<Record<string, (picture: Sharp) => Sharp>> = {
  PNG: (picture) => picture.png(),
  JPG: (picture) => picture.flatten({ background: '#fff' }).jpeg({ quality: 90 }),
}

/** What a cut starts from. Bytes, never a path: from a path, an SVG could read the files beside it. */
export interface SourcePicture {
  type: string
  bytes: Uint8Array
  /** `<width>x<height>` in pixels, as it is shown. */
  dimensions?: string | undefined
}

/**
 * A cut at the picture's own size: upright, its first frame, JPG on white. The same bytes give the same bytes.
 * @throws ContentSpaceError `conversionFailed`
 */
export function makeCut(picture: SourcePicture, type: string): Promise<Uint8Array> {
  return convert(picture, type, 1)
}

/** A PNG that fits into a square of so many pixels; pictures of pixels are not enlarged. */
export function makeThumbnail(picture: SourcePicture, size: number): Promise<Uint8Array> {
  const { width, height } = sizeOf(picture)
  const scale = size / Math.max(width, height)
  return convert(picture, 'PNG', picture.type === 'SVG' ? scale : Math.min(scale, 1))
}

async function convert(picture: SourcePicture, type: string, scale: number): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp')
  const { width, height } = sizeOf(picture)
  const encode = encoders[type]
  if (!encode) throw new Error(`There is no encoder for ${type}.`)
  try {
    const density = picture.type === 'SVG' ? { density: await densityFor(picture, width * scale) } : {}
    const source = sharp(picture.bytes, { ...density, autoOrient: true })
    const pixels = (length: number) => Math.max(1, Math.round(length * scale))
    const sized = width > 0 ? source.resize(pixels(width), pixels(height), { fit: 'fill' }) : source
    return await encode(sized).toBuffer()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ContentSpaceError('conversionFailed', `The file cannot be converted to ${type}: ${reason}.`, { cause })
  }
}

/** The density at which an SVG is drawn as wide as wanted, so that no pixels are ever stretched. */
async function densityFor(picture: SourcePicture, width: number): Promise<number> {
  const { default: sharp } = await import('sharp')
  const natural = await sharp(picture.bytes, { density: 72 }).metadata()
  return Math.min(Math.max((72 * Math.ceil(width)) / natural.width, 1), 100_000)
}

function sizeOf({ dimensions = '' }: SourcePicture): { width: number; height: number } {
  const [width = 0, height = 0] = dimensions.split('x').map(Number)
  return { width, height }
}
