import type { Metadata, Sharp } from 'sharp'
import { omitUndefined } from '../../text/omit-undefined.js'
import type { RasterRecipe } from '../recipe.js'

/** @param animation metadata of the source when the picture has several frames: their delays and the loop count */
export function encode(picture: Sharp, { format, quality }: RasterRecipe, animation: Metadata | undefined): Sharp {
  const options = omitUndefined({ quality })
  const frames = animation && { loop: animation.loop ?? 0, delay: animation.delay ?? [] }
  switch (format) {
    case 'avif':
      return picture.avif(options)
    case 'webp':
      return picture.webp({ ...options, ...frames })
    case 'jpg':
      return picture.jpeg(options)
    case 'gif':
      return picture.gif(frames)
    case 'tiff':
      return picture.tiff({ ...options, compression: 'lzw' })
    default:
      return picture.png()
  }
}
