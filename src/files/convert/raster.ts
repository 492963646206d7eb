import sharp, { type Metadata, type OutputInfo, type Sharp } from 'sharp'
import type { RasterRecipe } from '../recipe.js'

/** The most pixels that are decoded. Each takes four bytes; sharp's own limit is five times as high. */
export const maxPixels = 5e7
/** Of all frames of an animation together. */
export const maxAnimatedPixels = 2e8

/** Written in several frames when they are read in several. */
const animated = new Set(['gif', 'webp'])

/**
 * Prepares sharp for hostile input in a process of its own: only decoders of the formats we know, from memory,
 * nothing kept, one thread.
 */
export function hardenSharp(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Svg', 'Heif']
  sharp.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}Buffer`) })
  sharp.cache(false)
  sharp.concurrency(1)
}

/** Pixels as they are encoded. */
interface Rendered {
  data: Buffer
  info: OutputInfo
}

/**
 * Makes pictures of one file, each as its recipe says. Colours become sRGB, the orientation of EXIF is applied,
 * metadata is dropped. Recipes in turn that differ only in how they are encoded share their pixels; the bytes are the
 * same as alone.
 * @returns takes a recipe, and `decoded`, called when what the input can make slow is over, and only encoding is left
 * @throws what sharp throws for input it cannot decode, or that is too large
 */
export function openPicture(bytes: Buffer): (recipe: RasterRecipe, decoded: () => void) => Promise<Buffer> {
  let metadata: Metadata | undefined
  let last: { key: string; rendered: Rendered } | undefined

  return async (recipe, decoded) => {
    metadata ??= await sharp(bytes, { limitInputPixels: false }).metadata()
    const { format, quality: _, ...look } = recipe
    const frames = animated.has(format) && animated.has(metadata.format) && recipe.preview === undefined
    const flat = format === 'jpg' && !isOpaque(metadata, recipe)
    const key = JSON.stringify([look, frames, flat])
    if (last?.key !== key) {
      // never two at a time: each can be as large as the limits allow
      last = undefined
      last = { key, rendered: await render(await open(bytes, metadata, recipe), recipe, flat) }
    }
    const { data, info } = last.rendered
    decoded()
    const moving = info.pages !== undefined && info.pages > 1 && info.pageHeight !== undefined
    const { width, height, channels } = info
    const raw = sharp(data, {
      raw: { width, height, channels, ...(moving ? { pageHeight: info.pageHeight } : {}) },
      limitInputPixels: maxAnimatedPixels,
    })
    return encode(raw, recipe, moving ? metadata : undefined).toBuffer()
  }
}

/** Nothing of it can be transparent, before or after: what cannot be in a JPEG need not be filled. */
function isOpaque({ hasAlpha }: Metadata, { rotate = 0, fit }: RasterRecipe): boolean {
  return !hasAlpha && rotate % 90 === 0 && fit !== 'contain'
}

interface Source {
  picture: Sharp
  /** Of one frame, upright. */
  width: number
  height: number
}

async function open(bytes: Buffer, metadata: Metadata, recipe: RasterRecipe): Promise<Source> {
  const { width, height } = metadata.autoOrient
  if (metadata.format === 'svg') return openSvg(bytes, metadata, recipe)
  const pages =
    animated.has(recipe.format) && !recipe.preview && animated.has(metadata.format) ? (metadata.pages ?? 1) : 1
  const limit = pages > 1 ? maxAnimatedPixels : maxPixels
  checkPixels(width * height * pages, limit)
  const page = (number: number, count: number) =>
    sharp(bytes, { limitInputPixels: limit, page: number, pages: count }).autoOrient()
  const turned = turnsIn(recipe) ? Array.from({ length: pages }, (_, number) => page(number, 1)) : []
  return turn({ picture: page(0, pages > 1 ? -1 : 1), width, height }, recipe, turned)
}

/** Drawn at the size that is asked for, so that edges are sharp. */
async function openSvg(bytes: Buffer, metadata: Metadata, recipe: RasterRecipe): Promise<Source> {
  const natural = { width: metadata.width, height: metadata.height }
  const factor = Math.max((recipe.width ?? 0) / natural.width, (recipe.height ?? 0) / natural.height) || 1
  const density = Math.min(100_000, Math.max(1, 72 * factor))
  const scale = density / 72
  checkPixels(natural.width * natural.height * scale * scale, maxPixels)
  const picture = sharp(bytes, { density, limitInputPixels: maxPixels })
  return turn({ picture, width: natural.width * scale, height: natural.height * scale }, recipe, [picture])
}

function checkPixels(pixels: number, limit: number): void {
  if (pixels > limit) {
    throw new Error(`it has ${Math.round(pixels / 1e6)} million pixels, and the limit is ${limit / 1e6}`)
  }
}

function turnsIn({ rotate = 0 }: RasterRecipe): boolean {
  return rotate % 360 !== 0
}

/**
 * Turned before it is resized: the size asked for is the size that comes out.
 * @param frames each by itself, for only what has one frame can be turned
 */
async function turn(source: Source, recipe: RasterRecipe, frames: readonly Sharp[]): Promise<Source> {
  if (!turnsIn(recipe)) return source
  const { rotate = 0, background = transparent } = recipe
  const turned: Rendered[] = []
  for (const frame of frames)
    turned.push(await frame.rotate(rotate, { background }).raw().toBuffer({ resolveWithObject: true }))
  const [first] = turned
  if (first === undefined) return source
  const { width, height, channels } = first.info
  const one = sharp(first.data, { raw: { width, height, channels }, limitInputPixels: false })
  return { picture: turned.length > 1 ? await stack(turned, first) : one, width, height }
}

/** Frames as one picture that is resized frame by frame, as no raw one is. */
async function stack(
  frames: readonly Rendered[],
  { info: { width, height: pageHeight, channels } }: Rendered,
): Promise<Sharp> {
  const raw = { width, height: pageHeight * frames.length, channels, pageHeight }
  const tiff = await sharp(Buffer.concat(frames.map(({ data }) => data)), { raw, limitInputPixels: false })
    .tiff({ compression: 'none' })
    .toBuffer()
  return sharp(tiff, { pages: -1, limitInputPixels: false })
}

const transparent = '#0000'

/** @param flat fills what is transparent */
function render(source: Source, recipe: RasterRecipe, flat: boolean): Promise<Rendered> {
  const { preview, blur, greyscale } = recipe
  let picture = resize(source, recipe)
  if (blur !== undefined) picture = picture.blur(blur)
  if (greyscale) picture = picture.greyscale()
  if (flat) picture = picture.flatten({ background: recipe.background ?? '#fff' })
  if (preview === undefined) return picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  return preview === 'color' ? shrink(picture, 1, 'fill') : shrink(picture, previewEdge, 'inside')
}

/** Of the longer edge of a blurred preview: some 300 bytes. */
const previewEdge = 24

/** In a second step: a pipeline resizes once. */
async function shrink(picture: Sharp, edge: number, fit: 'fill' | 'inside'): Promise<Rendered> {
  const { data, info } = await picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
    .resize(edge, edge, { fit })
    .raw()
    .toBuffer({ resolveWithObject: true })
}

function resize({ picture, width: actualWidth, height: actualHeight }: Source, recipe: RasterRecipe): Sharp {
  const { width, height, fit, position = 'centre', background = transparent, enlarge = false } = recipe
  if (width === undefined && height === undefined) return picture
  const planned = width !== undefined && height !== undefined
  if (fit !== 'scale') {
    return picture.resize({
      width,
      height,
      fit,
      position: position.replace('-', ' '),
      background,
      withoutEnlargement: !planned && !enlarge,
    })
  }
  // The plan knows the proportions but for rounding, unless the service does not know the file.
  const proportional = planned && Math.abs((width * actualHeight) / actualWidth - height) <= 1.5
  if (proportional) return picture.resize({ width, height, fit: 'fill' })
  return picture.resize({ width, ...(width === undefined ? { height } : {}), withoutEnlargement: !enlarge })
}

/** @param animation of the source, when there is one */
function encode(picture: Sharp, { format, quality }: RasterRecipe, animation: Metadata | undefined): Sharp {
  const asked = quality === undefined ? {} : { quality }
  const frames = animation ? { loop: animation.loop ?? 0, delay: animation.delay ?? [] } : {}
  switch (format) {
    case 'avif':
      return picture.avif(asked)
    case 'webp':
      return picture.webp({ ...asked, ...frames })
    case 'jpg':
      return picture.jpeg(asked)
    case 'gif':
      return picture.gif(frames)
    case 'tiff':
      return picture.tiff({ ...asked, compression: 'lzw' })
    default:
      return picture.png()
  }
}
