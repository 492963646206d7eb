import type { Sharp } from 'sharp'
import { ContentSpaceError, messageOf } from '../../errors.js'

/** The cuts that sharp makes of each type. Any other cut must be a file next to the original. */
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

/** The source of a cut. It has bytes and no path: with a path, an SVG could read the files next to it. */
export interface SourcePicture {
  type: string
  bytes: Uint8Array
  /** `<width>x<height>` in pixels, with the EXIF orientation applied. */
  dimensions?: string | undefined
}

/**
 * Makes a cut of the picture's own size from its first frame: upright, and on white for JPG. The output is
 * deterministic.
 * @throws ContentSpaceError `conversionFailed`
 */
export function makeCut(picture: SourcePicture, type: string): Promise<Uint8Array> {
  return convert(picture, type, 1)
}

/** Makes a PNG that fits into a square of `size` pixels. Raster pictures are not enlarged. */
export function makeThumbnail(picture: SourcePicture, size: number): Promise<Uint8Array> {
  const { width, height } = sizeOf(picture)
  const scale = size / Math.max(width, height)
  return convert(picture, 'PNG', picture.type === 'SVG' ? scale : Math.min(scale, 1))
}

async function convert(picture: SourcePicture, type: string, scale: number): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp')
  const { width, height } = sizeOf(picture)
  const encode = encoders[type]
  if (!encode) throw new Error(`No encoder for type ${type}.`)
  try {
    const density = picture.type === 'SVG' ? { density: await densityFor(picture, width * scale) } : {}
    const source = sharp(picture.bytes, { ...density, autoOrient: true })
    const pixels = (length: number) => Math.max(1, Math.round(length * scale))
    const sized = width > 0 ? source.resize(pixels(width), pixels(height), { fit: 'fill' }) : source
    return await encode(sized).toBuffer()
  } catch (cause) {
    const reason = messageOf(cause)
    throw new ContentSpaceError('conversionFailed', `The file cannot be converted to ${type}: ${reason}.`, { cause })
  }
}

/** Computes the density at which an SVG is drawn with a width, so that no pixels are stretched. */
async function densityFor(picture: SourcePicture, width: number): Promise<number> {
  const { default: sharp } = await import('sharp')
  const natural = await sharp(picture.bytes, { density: 72 }).metadata()
  return Math.min(Math.max((72 * Math.ceil(width)) / natural.width, 1), 100_000)
}

function sizeOf({ dimensions = '' }: SourcePicture): { width: number; height: number } {
  const [width = 0, height = 0] = dimensions.split('x').map(Number)
  return { width, height }
}
