import type { Metadata, OutputInfo, Sharp } from 'sharp'
import sharp from '../../disk/sharp.js'
import { failOn, upright, uprightSize } from '../../space/upright.js'
import type { RasterRecipe } from '../recipe.js'
import { checkPixels, maxAnimatedPixels, maxPixels } from './sharp-limits.js'

export interface Pixels {
  data: Buffer
  info: OutputInfo
}

/** A source that is ready to be resized: its orientation is applied, and it is rotated by the angle in the recipe. */
export interface LoadedPicture {
  picture: Sharp
  /** `width` and `height` have the picture's proportions, but may be of any scale. */
  width: number
  height: number
}

interface LoadOptions {
  metadata: Metadata
  recipe: RasterRecipe
  /** Whether to read all frames instead of only the first. */
  animated: boolean
  /** The frames of an animated PNG; empty if the output is a still picture. */
  frames: readonly Pixels[]
}

export const transparent = '#0000'

/** @throws Error if the picture has more pixels than the limit */
export async function loadPicture(bytes: Buffer, options: LoadOptions): Promise<LoadedPicture> {
  const { metadata, recipe, animated, frames } = options
  if (metadata.format === 'svg') return loadSvg(bytes, metadata, recipe)
  const { width, height } = uprightSize(metadata)
  const pages = animated ? (metadata.pages ?? 1) : 1
  const limit = pages > 1 ? maxAnimatedPixels : maxPixels
  checkPixels(width * height * pages, limit)
  const open = (page: number, count: number) =>
    upright(sharp(bytes, { failOn, limitInputPixels: limit, page, pages: count }), metadata)
  const [first] = frames
  if (isRotated(recipe)) {
    const opened = first ? frames.map(fromPixels) : Array.from({ length: pages }, (_, page) => open(page, 1))
    return rotate(opened, recipe)
  }
  return { picture: first ? await joinFrames(frames, first) : open(0, pages > 1 ? -1 : 1), width, height }
}

/** Rasterizes at the requested size, so that edges aren't blurred. */
async function loadSvg(bytes: Buffer, metadata: Metadata, recipe: RasterRecipe): Promise<LoadedPicture> {
  const { width, height } = metadata
  const factor = Math.max((recipe.width ?? 0) / width, (recipe.height ?? 0) / height) || 1
  const density = Math.min(100_000, Math.max(1, 72 * factor))
  const scale = density / 72
  checkPixels(width * height * scale * scale, maxPixels)
  const picture = sharp(bytes, { density, limitInputPixels: maxPixels })
  if (isRotated(recipe)) return rotate([picture], recipe)
  // sharp rounds fractional sizes, so measure the proportions on a large rendering.
  const large = Math.min(100_000, Math.max(72, 720_000 / Math.max(width, height)))
  const exact = await sharp(bytes, { density: large, limitInputPixels: false }).metadata()
  return { picture, width: exact.width, height: exact.height }
}

function isRotated({ rotate: degrees = 0 }: RasterRecipe): boolean {
  return degrees % 360 !== 0
}

/**
 * Rotates before resizing, so that the output has the requested size.
 * @param frames at least one; opened separately, because sharp rotates only single frames
 */
async function rotate(frames: readonly Sharp[], recipe: RasterRecipe): Promise<LoadedPicture> {
  const { rotate: degrees = 0, background = transparent } = recipe
  const rotated: Pixels[] = []
  for (const frame of frames) {
    rotated.push(await frame.rotate(degrees, { background }).raw().toBuffer({ resolveWithObject: true }))
  }
  const [first] = rotated
  if (first === undefined) throw new Error('it has no frames')
  const { width, height } = first.info
  return { picture: rotated.length > 1 ? await joinFrames(rotated, first) : fromPixels(first), width, height }
}

function fromPixels({ data, info: { width, height, channels } }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
}

/** Joins frames into a TIFF with one page per frame, because sharp resizes TIFF pages one by one but not raw frames. */
async function joinFrames(
  frames: readonly Pixels[],
  { info: { width, height: pageHeight, channels } }: Pixels,
): Promise<Sharp> {
  const raw = { width, height: pageHeight * frames.length, channels, pageHeight }
  const tiff = await sharp(Buffer.concat(frames.map(({ data }) => data)), { raw, limitInputPixels: false })
    .tiff({ compression: 'none' })
    .toBuffer()
  return sharp(tiff, { pages: -1, limitInputPixels: false })
}
