import type { Sharp } from 'sharp'
import { ContentSpaceError, messageOf } from '../../errors.js'
import { withSizeInPixels } from '../../text/svg-size.js'
import type { Cut } from '../space.js'
import { failOn, upright } from '../upright.js'

/** The cuts that sharp makes from each type. Any other cut must be a file next to the original. */
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

/**
 * The source of a cut. It holds bytes rather than a path, because an SVG with a path could read the files next to it.
 */
export interface SourcePicture {
  type: string
  bytes: Uint8Array
  /** `<width>x<height>` in pixels, with the EXIF orientation applied. */
  dimensions?: string | undefined
}

/**
 * Makes a cut from the first frame, at the cut's size or resolution if it specifies one, otherwise at the picture's own
 * size. Rotates it upright, and adds a white background for JPG. The output is deterministic.
 * @throws ContentSpaceError `conversionFailed`
 */
export function makeCut(picture: SourcePicture, { type, dimensions, dpi }: Cut): Promise<Uint8Array> {
  const own = sizeOfPicture(picture)
  return convert(
    picture,
    type,
    dimensions === undefined ? scaled(own, Number(dpi ?? 72) / 72) : sizeOfPicture({ dimensions }),
  )
}

/** Makes a PNG that fits into a square of `size` pixels. Doesn't enlarge raster pictures. */
export function makeThumbnail(picture: SourcePicture, size: number): Promise<Uint8Array> {
  const { width, height } = sizeOfPicture(picture)
  const scale = size / Math.max(width, height)
  return convert(picture, 'PNG', scaled({ width, height }, picture.type === 'SVG' ? scale : Math.min(scale, 1)))
}

async function convert(picture: SourcePicture, type: string, { width, height }: Size): Promise<Uint8Array> {
  const { default: sharp } = await import('../../disk/sharp.js')
  const encode = encoders[type]
  if (!encode) throw new Error(`No encoder for type ${type}.`)
  try {
    const isDrawing = picture.type === 'SVG'
    const bytes = isDrawing ? withSizeInPixels(picture.bytes) : picture.bytes
    const density = isDrawing ? { density: await densityFor(bytes, width) } : {}
    const opened = sharp(bytes, { ...density, failOn })
    const source = upright(opened, await opened.metadata())
    const sized = width > 0 ? source.resize(pixels(width), pixels(height), { fit: 'fill' }) : source
    return await encode(sized).toBuffer()
  } catch (cause) {
    const reason = messageOf(cause)
    throw new ContentSpaceError('conversionFailed', `The file cannot be converted to ${type}: ${reason}.`, { cause })
  }
}

/** Computes the density at which an SVG renders with the given width, so that no pixels are stretched. */
async function densityFor(drawing: Uint8Array, width: number): Promise<number> {
  const { default: sharp } = await import('../../disk/sharp.js')
  const natural = await sharp(drawing, { density: 72 }).metadata()
  return Math.min(Math.max((72 * Math.ceil(width)) / natural.width, 1), 100_000)
}

function pixels(length: number): number {
  return Math.max(1, Math.round(length))
}

interface Size {
  width: number
  height: number
}

function scaled({ width, height }: Size, scale: number): Size {
  return { width: width * scale, height: height * scale }
}

function sizeOfPicture({ dimensions = '' }: Pick<SourcePicture, 'dimensions'>): Size {
  const [width = 0, height = 0] = dimensions.split('x').map(Number)
  return { width, height }
}
