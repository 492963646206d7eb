import sharp from 'sharp'
import { maxAnimatedPixels, maxPixels } from './raster.js'

/** Formats whose frames are decoded together. */
const animated = new Set(['gif', 'webp'])
/** More pages than anybody puts into a TIFF by hand. */
const maxPages = 1000

/** What says that the decoder lacks something, and nothing of the file. */
const unable = /unsupported (?!image format)|not supported|not implemented|not configured|no decode delegate/i

/**
 * Decodes a picture wholly, all of its pages, and keeps no pixel of it: it is read line by line and becomes one.
 * One with more pixels than are decoded here, or of a kind that the decoder lacks, passes.
 * @throws what sharp throws for a picture that ends early or is damaged
 */
export async function decodeWholly(bytes: Buffer): Promise<void> {
  try {
    const { format, width, height, pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata()
    const together = animated.has(format)
    const count = Math.min(pages, maxPages)
    if (width * height * (together ? count : 1) > (count > 1 && together ? maxAnimatedPixels : maxPixels)) return
    for (let page = 0; page < (together ? 1 : count); page++) await decode(bytes, together ? -1 : 1, page)
  } catch (error) {
    if (!(error instanceof Error && unable.test(error.message))) throw error
  }
}

async function decode(bytes: Buffer, pages: number, page: number): Promise<void> {
  await sharp(bytes, { failOn: 'warning', limitInputPixels: maxAnimatedPixels, sequentialRead: true, pages, page })
    .resize(1, 1, { fit: 'fill', fastShrinkOnLoad: false })
    .raw()
    .toBuffer()
}
