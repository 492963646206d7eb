import type { Metadata, Sharp } from 'sharp'
import sharp from '../../disk/sharp.js'
import { parameterOf, recipeKeys } from '../../request/parameters.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { withSizeInPixels } from '../../text/svg-size.js'
import { xmlDecoder } from '../../text/xml-decoder.js'
import { failOn } from '../../space/upright.js'
import { keepsFrames, transformationOf, type RasterRecipe } from '../recipe.js'
import { readAnimation, withoutFrames, type Animation } from './apng.js'
import { loadPicture, type Pixels, type LoadedPicture, transparent } from './load.js'
import { animatedFormats, maxAnimatedPixels } from './sharp-limits.js'

/**
 * Opens a picture to convert it with one recipe at a time. Converts colors to sRGB, applies the EXIF orientation as
 * browsers do, and drops metadata. Consecutive recipes that differ only in their encoding share the decoded pixels,
 * which doesn't change the output.
 * @param threads how many threads libvips may use when that doesn't change the bytes
 * @returns a function that takes a recipe and calls `onDecoded` before the encoding starts
 * @throws sharp's error if the input is too large or can't be decoded
 */
export function openPicture(
  file: Buffer,
  threads: number,
): (recipe: RasterRecipe, onDecoded: () => void) => Promise<Buffer> {
  const bytes = withSizeInPixels(withoutUtf16(withoutFrames(file)))
  let own: Metadata | undefined
  let animation: Animation | undefined
  let last: { key: string; pixels: Pixels } | undefined

  return async function make(recipe, onDecoded): Promise<Buffer> {
    if (recipe.format === 'ico') {
      const pictures = []
      for (const side of icoSides)
        pictures.push({ side, png: await make({ ...recipe, format: 'png', width: side, height: side }, onDecoded) })
      return joinIco(pictures)
    }
    own ??= await sharp(bytes, { failOn, limitInputPixels: false }).metadata()
    const { format } = recipe
    const moving = keepsFrames(recipe) ? (animation ??= await readAnimation(file)) : undefined
    const { frames = [], ...times } = moving ?? {}
    const metadata = moving ? { ...own, ...times, pages: frames.length } : own
    const animated = keepsFrames(recipe) && (moving !== undefined || animatedFormats.has(own.format))
    const flatten = (format === 'jpg' || recipe.opaque === true) && !isOpaque(metadata, recipe)
    const key = JSON.stringify([transformationOf(recipe), animated, flatten])
    if (last?.key !== key) {
      // Free the previous pixels first, because each picture may be as large as the limits allow.
      last = undefined
      // With several threads, the fastest one would choose between equally interesting areas.
      sharp.concurrency(recipe.position === 'attention' ? 1 : threads)
      const source = await loadPicture(bytes, { metadata, recipe, animated, frames })
      last = { key, pixels: await render(source, recipe, flatten) }
    }
    onDecoded()
    // The AV1 encoder divides a picture into one tile per thread, which changes the bytes.
    sharp.concurrency(format === 'avif' ? 1 : threads)
    return encodePixels(last.pixels, recipe, metadata)
  }
}

/** The side lengths in pixels of the pictures in an ICO file: for tabs, task bars, and the Windows desktop. */
const icoSides = [16, 32, 48]

/** Converts an SVG from UTF-16 to UTF-8 and removes its XML declaration, because sharp doesn't recognize UTF-16. */
function withoutUtf16(bytes: Buffer): Buffer {
  const decoder = xmlDecoder(bytes)
  if (!decoder?.encoding.startsWith('utf-16')) return bytes
  return Buffer.from(decoder.decode(bytes).replace(/^<\?xml[^>]*>/, ''))
}

/** Checks whether all pixels of the output are opaque, so that a JPEG doesn't need a background. */
function isOpaque({ hasAlpha }: Metadata, { rotate = 0, fit }: RasterRecipe): boolean {
  return !hasAlpha && rotate % 90 === 0 && fit !== 'contain'
}

function encodePixels({ data, info }: Pixels, recipe: RasterRecipe, metadata: Metadata): Promise<Buffer> {
  const { width, height, channels, pages = 1, pageHeight } = info
  const frames = pages > 1 && pageHeight !== undefined ? { pageHeight } : undefined
  const raw = sharp(data, { raw: { width, height, channels, ...frames }, limitInputPixels: maxAnimatedPixels })
  return encode(raw, recipe, frames && metadata).toBuffer()
}

/** @param animation the metadata of a source with several frames: their delays and the loop count */
function encode(picture: Sharp, recipe: RasterRecipe, animation: Metadata | undefined): Sharp {
  const { format, quality, lossless, effort } = recipe
  const options = omitUndefined({ quality })
  const atMost = (limit: number) => omitUndefined({ effort: effort === undefined ? effort : Math.min(effort, limit) })
  const frames = animation && { loop: animation.loop ?? 0, delay: animation.delay ?? [] }
  if (format === 'avif') return picture.avif({ ...options, ...omitUndefined({ lossless }), ...atMost(9) })
  if (format === 'webp') return picture.webp({ ...options, ...omitUndefined({ lossless }), ...atMost(6), ...frames })
  if (format === 'jpg') return picture.jpeg(options)
  if (format === 'gif') return picture.gif({ ...frames, ...(effort !== undefined && { effort: Math.max(effort, 1) }) })
  return format === 'tiff' ? picture.tiff({ ...options, compression: 'lzw' }) : picture.png()
}

/**
 * Joins PNG files into an ICO file: https://learn.microsoft.com/windows/win32/menurc/about-icons
 * @param pictures squares of at most 256 pixels
 */
function joinIco(pictures: readonly { side: number; png: Buffer }[]): Buffer {
  const [headerBytes, entryBytes] = [6, 16]
  const directory = Buffer.alloc(headerBytes + entryBytes * pictures.length)
  directory.writeUInt16LE(1, 2)
  directory.writeUInt16LE(pictures.length, 4)
  let offset = directory.length
  for (const [at, { side, png }] of pictures.entries()) {
    const entry = headerBytes + entryBytes * at
    // Sides are stored in one byte, so 256 becomes 0.
    directory.writeUInt8(side % 256, entry)
    directory.writeUInt8(side % 256, entry + 1)
    directory.writeUInt16LE(1, entry + 4)
    directory.writeUInt16LE(32, entry + 6)
    directory.writeUInt32LE(png.length, entry + 8)
    directory.writeUInt32LE(offset, entry + 12)
    offset += png.length
  }
  return Buffer.concat([directory, ...pictures.map(({ png }) => png)])
}

/** The longer side of a blurred preview in pixels. A WebP of this size has about 300 bytes. */
const previewEdge = 24

/**
 * Resizes a source and applies the effects in a recipe.
 * @param flatten whether to put transparent pixels on a background
 */
function render(source: LoadedPicture, recipe: RasterRecipe, flatten: boolean): Promise<Pixels> {
  const { preview, background = '#fff' } = recipe
  let picture = resize(source, recipe)
  for (const key of recipeKeys) {
    const { apply } = parameterOf(key)
    if (typeof apply === 'function' && recipe[key] !== undefined) picture = apply(picture, recipe[key])
  }
  if (flatten) picture = picture.flatten({ background })
  if (preview === undefined) return picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  return preview === 'color' ? shrink(picture, 1, 'fill') : shrink(picture, previewEdge, 'inside')
}

/** Resizes in a separate pipeline, because a sharp pipeline resizes only once. */
async function shrink(picture: Sharp, edge: number, fit: 'fill' | 'inside'): Promise<Pixels> {
  const { data, info } = await picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
    .resize(edge, edge, { fit })
    .raw()
    .toBuffer({ resolveWithObject: true })
}

function resize(source: LoadedPicture, recipe: RasterRecipe): Sharp {
  const { picture } = source
  if (recipe.padding) return padded(source, recipe, recipe.padding)
  const { width, height, fit, position = 'centre', background = transparent, enlarge = false } = recipe
  if (width === undefined && height === undefined) return picture
  const hasBoth = width !== undefined && height !== undefined
  if (fit !== 'scale') {
    const withoutEnlargement = !hasBoth && !enlarge
    return picture.resize({ width, height, fit, position: position.replace('-', ' '), background, withoutEnlargement })
  }
  // Unless the service reported a wrong size, the planned size has the source's proportions, apart from rounding.
  const isProportional = hasBoth && Math.abs((width * source.height) / source.width - height) <= 1.5
  if (isProportional) return picture.resize({ width, height, fit: 'fill' })
  return picture.resize({ ...(width === undefined ? { height } : { width }), withoutEnlargement: !enlarge })
}

/** Adds space around a square picture. */
function padded(source: LoadedPicture, recipe: RasterRecipe, percent: number): Sharp {
  const { width: side = 1, background = transparent } = recipe
  const space = Math.round((side * percent) / 100)
  const inner = side - 2 * space
  const resized = resize(source, { ...recipe, padding: 0, width: inner, height: inner })
  return resized.extend({ left: space, right: space, top: space, bottom: space, background })
}
