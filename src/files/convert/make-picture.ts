import { omitUndefined } from '../../text/omit-undefined.js'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { xmlDecoder } from '../../text/xml-decoder.js'
import type { RasterRecipe } from '../recipe.js'
import { joinIco } from './ico.js'
import { load, type Pixels } from './load.js'
import { render } from './render.js'
import { animatedFormats, maxAnimatedPixels } from './sharp-limits.js'

/**
 * Makes pictures from one file, one recipe at a time. Colors become sRGB, the EXIF orientation is applied, metadata is
 * dropped. Consecutive recipes that differ only in format and quality share their pixels, which does not change the
 * bytes.
 * @returns a function that takes a recipe, and `onDecoded`, which it calls when only encoding is left
 * @throws what sharp throws for input that it cannot decode, or that is too large
 */
export function openPicture(file: Buffer): (recipe: RasterRecipe, onDecoded: () => void) => Promise<Buffer> {
  const bytes = withoutUtf16(file)
  let metadata: Metadata | undefined
  let last: { key: string; pixels: Pixels } | undefined

  return async function make(recipe, onDecoded): Promise<Buffer> {
    if (recipe.format === 'ico') {
      const pictures = []
      for (const side of icoSides)
        pictures.push({ side, png: await make({ ...recipe, format: 'png', width: side, height: side }, onDecoded) })
      return joinIco(pictures)
    }
    metadata ??= await sharp(bytes, { limitInputPixels: false }).metadata()
    const { format, quality: _, ...transformation } = recipe
    const animated = isAnimated(metadata, recipe)
    const flatten = (format === 'jpg' || recipe.opaque === true) && !isOpaque(metadata, recipe)
    const key = JSON.stringify([transformation, animated, flatten])
    if (last?.key !== key) {
      // Frees the previous pixels first: each picture can be as large as the limits allow.
      last = undefined
      const source = await load(bytes, { metadata, recipe, animated })
      last = { key, pixels: await render(source, recipe, flatten) }
    }
    onDecoded()
    return encodePixels(last.pixels, recipe, metadata)
  }
}

/** Pixels of the pictures in an ICO file: tabs, task bars, and desktops of Windows. */
const icoSides = [16, 32, 48]

/** Returns a drawing in UTF-16 in UTF-8, without its declaration: sharp recognizes only these. */
function withoutUtf16(bytes: Buffer): Buffer {
  const decoder = xmlDecoder(bytes)
  if (!decoder?.encoding.startsWith('utf-16')) return bytes
  return Buffer.from(decoder.decode(bytes).replace(/^<\?xml[^>]*>/, ''))
}

/** Whether all frames of the source go into the output. */
function isAnimated(metadata: Metadata, { format, preview }: RasterRecipe): boolean {
  return animatedFormats.has(format) && animatedFormats.has(metadata.format) && preview === undefined
}

/** Whether no pixel of the output can be transparent, so that a JPEG needs no background. */
function isOpaque({ hasAlpha }: Metadata, { rotate = 0, fit }: RasterRecipe): boolean {
  return !hasAlpha && rotate % 90 === 0 && fit !== 'contain'
}

function encodePixels({ data, info }: Pixels, recipe: RasterRecipe, metadata: Metadata): Promise<Buffer> {
  const { width, height, channels, pages = 1, pageHeight } = info
  const frames = pages > 1 && pageHeight !== undefined ? { pageHeight } : undefined
  const raw = sharp(data, { raw: { width, height, channels, ...frames }, limitInputPixels: maxAnimatedPixels })
  return encode(raw, recipe, frames && metadata).toBuffer()
}

/** @param animation metadata of the source when the picture has several frames: their delays and the loop count */
function encode(picture: Sharp, { format, quality }: RasterRecipe, animation: Metadata | undefined): Sharp {
  const options = omitUndefined({ quality })
  const frames = animation && { loop: animation.loop ?? 0, delay: animation.delay ?? [] }
  if (format === 'avif') return picture.avif(options)
  if (format === 'webp') return picture.webp({ ...options, ...frames })
  if (format === 'jpg') return picture.jpeg(options)
  if (format === 'gif') return picture.gif(frames)
  return format === 'tiff' ? picture.tiff({ ...options, compression: 'lzw' }) : picture.png()
}
