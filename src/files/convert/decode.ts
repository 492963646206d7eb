import sharp from '../../disk/sharp.js'
import { failOn } from '../../space/upright.js'
import { withoutFrames } from './apng.js'
import { explainFailure } from './problem.js'
import { animatedFormats, maxAnimatedPixels, maxPixels } from './sharp-limits.js'

/** The maximum number of TIFF pages that we decode. Real files have fewer. */
const maxPages = 1000

/**
 * Decodes all pages of a picture line by line and discards the pixels. Accepts a picture without decoding it if it has
 * more pixels than the limit or the decoder doesn't support it.
 * @throws sharp's error if the picture is damaged or truncated
 */
export async function checkDecodes(file: Buffer): Promise<void> {
  const bytes = withoutFrames(file)
  try {
    const { format, width, height, pages = 1 } = await sharp(bytes, { failOn, limitInputPixels: false }).metadata()
    const animated = animatedFormats.has(format)
    const count = Math.min(pages, maxPages)
    if (width * height * (animated ? count : 1) > (animated && count > 1 ? maxAnimatedPixels : maxPixels)) return
    for (let page = 0; page < (animated ? 1 : count); page++) await decodePage(bytes, animated ? -1 : 1, page)
  } catch (error) {
    if ((await explainFailure(error, bytes)).problem !== 'unsupported') throw error
  }
}

async function decodePage(bytes: Buffer, pages: number, page: number): Promise<void> {
  await sharp(bytes, { failOn, limitInputPixels: maxAnimatedPixels, sequentialRead: true, pages, page })
    .resize(1, 1, { fit: 'fill', fastShrinkOnLoad: false })
    .raw()
    .toBuffer()
}
