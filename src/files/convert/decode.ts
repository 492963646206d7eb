import sharp from 'sharp'
import { animatedFormats, maxAnimatedPixels, maxPixels } from './sharp-limits.js'

/** Pages of a TIFF that are decoded. Real files have fewer. */
const maxPages = 1000

/** Messages about a feature that the decoder does not have. They do not mean that the file is damaged. */
const unsupported = /unsupported (?!image format)|not supported|not implemented|not configured|no decode delegate/i

/**
 * Decodes all pages of a picture, line by line, and discards the pixels.
 * Accepts without decoding a picture that has more pixels than the limit, and one that the decoder does not support.
 * @throws what sharp throws for a picture that is damaged or ends early
 */
export async function checkDecodes(bytes: Buffer): Promise<void> {
  try {
    const { format, width, height, pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata()
    const animated = animatedFormats.has(format)
    const count = Math.min(pages, maxPages)
    if (width * height * (animated ? count : 1) > (animated && count > 1 ? maxAnimatedPixels : maxPixels)) return
    for (let page = 0; page < (animated ? 1 : count); page++) await decode(bytes, animated ? -1 : 1, page)
  } catch (error) {
    if (!(error instanceof Error && unsupported.test(error.message))) throw error
  }
}

async function decode(bytes: Buffer, pages: number, page: number): Promise<void> {
  await sharp(bytes, { failOn: 'warning', limitInputPixels: maxAnimatedPixels, sequentialRead: true, pages, page })
    .resize(1, 1, { fit: 'fill', fastShrinkOnLoad: false })
    .raw()
    .toBuffer()
}
