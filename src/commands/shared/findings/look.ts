import type { Sharp } from 'sharp'
import sharp from '../../../disk/sharp.js'
import * as v from 'valibot'
import { maxPixels } from '../../../files/convert/sharp-limits.js'
import { sanitizeSvg } from '../../../files/svg/sanitize.js'

/**
 * The content of a picture on a small grid. Files with the same picture have nearly the same look, regardless of size,
 * format and background.
 */
export interface Look {
  /** The width of the content, divided by its height. */
  aspect: number
  /** The color around the content: `clear` if transparent, `none` if the content fills the picture. */
  ground: Rgb | 'clear' | 'none'
  /** The cells: red, green and blue, premultiplied by alpha, and alpha. */
  cells: readonly number[]
}

type Rgb = [red: number, green: number, blue: number]

/** Pixels with red, green, blue and alpha. */
interface Pixels {
  data: Uint8Array
  width: number
  height: number
}

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

const byte = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255))
/** The number of cells in each direction. */
const grid = 16

export const lookSchema = v.object({
  aspect: v.pipe(v.number(), v.gtValue(0)),
  ground: v.union([v.tuple([byte, byte, byte]), v.picklist(['clear', 'none'])]),
  cells: v.pipe(v.array(byte), v.length(grid * grid * 4)),
})

/** The longer side of a picture to analyze, in pixels. */
export const lookSize = 128

/**
 * The maximum difference between a channel of a background pixel and the background color, because codecs such as JPEG
 * change pixels.
 */
const tolerance = 40

/** Pixels below this opacity aren't part of the content. */
const visible = 64

/**
 * The maximum logarithm of the ratio of two aspects for which contents can be the same. For example, a difference of
 * one pixel in 24 is 4 %.
 */
const maxStretch = 0.1

/**
 * Reads the looks of a picture. A picture on a flat background has two looks, its content and the whole picture,
 * because copies of a photo with an even sky would be cropped differently.
 * @param bytes a file of any format that sharp reads. An SVG may come from a page.
 * @returns an empty list for an unreadable or empty picture
 */
export async function lookAt(bytes: Uint8Array): Promise<Look[]> {
  const pixels = await decodePixels(bytes).catch(() => undefined)
  if (pixels === undefined) return []
  const ground = groundOf(pixels)
  const whole = { left: 0, top: 0, right: pixels.width, bottom: pixels.height }
  const content = ground === 'none' ? undefined : contentBox(pixels, ground)
  return [
    ...(content ? [lookIn(pixels, content, ground)] : []),
    ...(ground === 'clear' ? [] : [lookIn(pixels, whole, 'none')]),
  ]
}

/** Returns whether decoding a picture takes more memory than several pictures together may use. */
export async function isLarge(bytes: Uint8Array): Promise<boolean> {
  if (isDrawing(bytes)) return bytes.length > 2 ** 18
  const facts = await sharp(bytes, { limitInputPixels: maxPixels })
    .metadata()
    .catch(() => undefined)
  return facts !== undefined && facts.width * facts.height > 4e6
}

/** Returns whether two SVGs have the same size on a page, and the same content in the same position. */
export async function isInterchangeable(one: Uint8Array, other: Uint8Array, limit: number): Promise<boolean> {
  const [first, second] = [await frameOf(one), await frameOf(other)]
  return first.size === second.size && differenceOf(first.look, second.look, limit) <= limit
}

async function frameOf(bytes: Uint8Array): Promise<{ size: string; look: Look }> {
  const [root = ''] = /<svg\b[^>]*>/i.exec(Buffer.from(bytes).toString()) ?? []
  // Without its own width and height, an SVG gets its size from the page.
  const sides = root.match(/(?<=\s)(?:width|height|style)\s*=\s*(?:"[^"]*|'[^']*)/g) ?? []
  const own = sides.map((side) => side.replaceAll(/["'\s]/g, '')).toSorted()
  const pixels = await decodePixels(bytes)
  const { width: right, height: bottom } = pixels
  return { size: [right, bottom, ...own].join(), look: lookIn(pixels, { left: 0, top: 0, right, bottom }, 'clear') }
}

/** Returns whether bytes start like an SVG or a part of one. */
export function isDrawing(bytes: Uint8Array): boolean {
  return /^\s*<[?!s]/i.test(startOf(bytes))
}

/** Returns the first bytes as characters, without a byte order mark. */
export function startOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 64)).toString('latin1').replace('\xef\xbb\xbf', '')
}

async function decodePixels(bytes: Uint8Array): Promise<Pixels> {
  const picture = (await openPicture(bytes, lookSize)).ensureAlpha().raw()
  const { data, info } = await picture.toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/**
 * Opens a picture of any format that sharp reads.
 * @param size pixels of its longer side. Only SVGs are enlarged.
 */
export async function openPicture(bytes: Uint8Array, size: number): Promise<Sharp> {
  const isSvg = isDrawing(bytes)
  const picture = isSvg ? await openDrawing(bytes, size) : sharp(bytes, { failOn: 'none', limitInputPixels: maxPixels })
  return picture.resize(size, size, { fit: 'inside', withoutEnlargement: !isSvg }).toColourspace('srgb')
}

/** Opens an SVG with a resolution that makes it as large as other pictures. */
async function openDrawing(bytes: Uint8Array, size: number): Promise<Sharp> {
  const clean = Buffer.from(sanitizeSvg(Buffer.from(bytes).toString()) ?? '')
  const { width, height } = await sharp(clean).metadata()
  const density = (72 * size) / Math.max(width, height)
  return sharp(clean, { density: Math.min(Math.max(density, 1), 2400) })
}

/** Returns the background, which is the color of at least half of the border. */
function groundOf({ data, width, height }: Pixels): Look['ground'] {
  const border: number[] = []
  for (let x = 0; x < width; x++) border.push(x, (height - 1) * width + x)
  for (let y = 0; y < height; y++) border.push(y * width, y * width + width - 1)
  const places = border.map((pixel) => pixel * 4)
  const opaque = places.filter((at) => (data[at + 3] ?? 0) >= visible)
  if (opaque.length < places.length * 0.9) return 'clear'
  const [red, green, blue] = [0, 1, 2].map((channel) => {
    const values = opaque.map((at) => data[at + channel] ?? 0).toSorted((a, b) => a - b)
    return values[values.length >> 1] ?? 0
  })
  const ground: Rgb = [red ?? 0, green ?? 0, blue ?? 0]
  const near = opaque.filter((at) => distanceTo(data, at, ground) <= tolerance / 2)
  return near.length >= places.length / 2 ? ground : 'none'
}

function distanceTo(data: Uint8Array, at: number, ground: Rgb): number {
  return Math.max(...ground.map((value, channel) => Math.abs((data[at + channel] ?? 0) - value)))
}

/** Returns the box of the pixels that differ from the background. */
function contentBox({ data, width, height }: Pixels, ground: Rgb | 'clear'): Box | undefined {
  const box = { left: width, top: height, right: 0, bottom: 0 }
  for (let at = 0; at < data.length; at += 4) {
    if (ground === 'clear' ? (data[at + 3] ?? 0) < visible : distanceTo(data, at, ground) <= tolerance) continue
    const x = (at / 4) % width
    const y = Math.floor(at / 4 / width)
    box.left = Math.min(box.left, x)
    box.right = Math.max(box.right, x + 1)
    box.top = Math.min(box.top, y)
    box.bottom = Math.max(box.bottom, y + 1)
  }
  return box.right > box.left ? box : undefined
}

/** Averages the pixels of each cell. At its edges, a cell contains fractions of pixels. */
function lookIn({ data, width }: Pixels, { left, top, right, bottom }: Box, ground: Look['ground']): Look {
  const columns = shares(left, right)
  const cells = shares(top, bottom).flatMap((rows) =>
    columns.flatMap((row) => {
      const sums = [0, 0, 0, 0]
      let area = 0
      for (const [y, high] of rows) {
        for (const [x, wide] of row) {
          const at = (y * width + x) * 4
          const opacity = ((data[at + 3] ?? 0) / 255) * high * wide
          for (let channel = 0; channel < 3; channel++)
            sums[channel] = (sums[channel] ?? 0) + (data[at + channel] ?? 0) * opacity
          sums[3] = (sums[3] ?? 0) + 255 * opacity
          area += high * wide
        }
      }
      return sums.map((sum) => Math.round(sum / area))
    }),
  )
  return { aspect: (right - left) / (bottom - top), ground, cells }
}

/** Divides a side into cells, each with its pixels and the fraction of each pixel within the cell. */
function shares(from: number, to: number): [pixel: number, share: number][][] {
  const step = (to - from) / grid
  return Array.from({ length: grid }, (_, cell) => {
    const [start, end] = [from + cell * step, from + (cell + 1) * step]
    const pixels: [number, number][] = []
    for (let pixel = Math.floor(start); pixel < Math.min(Math.ceil(end), to); pixel++)
      pixels.push([pixel, Math.min(pixel + 1, end) - Math.max(pixel, start)])
    return pixels
  })
}

/**
 * Returns the difference between a look and a known look: 0 if they are the same, 1 if they differ as much as the known
 * look differs from its background. Compares a transparent picture on the background of the other picture.
 * @param limit the largest difference to measure. A larger difference is returned as Infinity.
 */
export function differenceOf(found: Look, known: Look, limit: number): number {
  if (Math.abs(Math.log(found.aspect / known.aspect)) > maxStretch) return Infinity
  const ground = [found.ground, known.ground].find((one) => Array.isArray(one))
  const [first, second] = ground === undefined ? [found.cells, known.cells] : [on(ground, found), on(ground, known)]
  const isClear = found.ground === 'clear' || known.ground === 'clear'
  const base = ground ?? (isClear ? [0, 0, 0, 0] : meanOf(second))
  const contrast = second.reduce((sum, value, at) => sum + (value - (base[at % 4] ?? 255)) ** 2, 0)
  const most = limit * limit * contrast
  let differs = 0
  for (let at = 0; at < second.length; at++) {
    differs += ((first[at] ?? 0) - (second[at] ?? 0)) ** 2
    if (differs > most) return Infinity
  }
  return contrast === 0 ? Infinity : Math.sqrt(differs / contrast)
}

/** Returns the cells on an opaque background. */
function on(ground: Rgb, { cells }: Look): number[] {
  return cells.map((value, at) => {
    const behind = ground[at % 4]
    return behind === undefined ? 255 : value + behind * (1 - (cells[at - (at % 4) + 3] ?? 0) / 255)
  })
}

function meanOf(cells: readonly number[]): number[] {
  const sums = [0, 0, 0, 0]
  for (const [at, value] of cells.entries()) sums[at % 4] = (sums[at % 4] ?? 0) + value
  return sums.map((sum) => (sum * 4) / cells.length)
}
