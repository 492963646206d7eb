import { crc32 } from 'node:zlib'
import sharp from '../../disk/sharp.js'
import type { Pixels } from './load.js'
import { checkPixels, maxAnimatedPixels } from './sharp-limits.js'

/** The frames of an animated PNG, as RGBA pixels. Each frame is as large as the whole picture. */
export interface Animation {
  frames: Pixels[]
  /** The duration of each frame in milliseconds. */
  delay: number[]
  /** How many times the animation plays; 0 means endlessly. */
  loop: number
}

interface Chunk {
  type: string
  data: Buffer
}

/** A frame as described by its control chunk: https://www.w3.org/TR/png-3/#fcTL-chunk */
interface Frame {
  width: number
  height: number
  x: number
  y: number
  delay: number
  /** How to treat the area of the frame after its delay: 0 keeps it, 1 clears it, 2 restores it. */
  dispose: number
  /** Whether the frame's pixels are blended over the previous ones instead of replacing them. */
  isOver: boolean
  data: Buffer[]
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
/** The bytes of a chunk's length, type, and checksum. */
const chunkOverhead = 12

/** Yields the chunks of a PNG, and nothing for any other file. */
function* chunksOf(file: Buffer): Generator<Chunk> {
  if (!file.subarray(0, signature.length).equals(signature)) return
  for (let at = signature.length; at + chunkOverhead <= file.length;) {
    const length = file.readUInt32BE(at)
    yield { type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, at + 8 + length) }
    at += length + chunkOverhead
  }
}

const isAnimationChunk = ({ type }: Chunk): boolean => type === 'acTL' || type === 'fcTL' || type === 'fdAT'

/**
 * Removes the animation from an animated PNG and keeps the still picture. sharp rejects a PNG whose control chunks are
 * invalid.
 */
export function withoutFrames(file: Buffer): Buffer {
  const chunks = [...chunksOf(file)]
  if (!chunks.some(({ type }) => type === 'acTL')) return file
  return writePng(chunks.filter((chunk) => !isAnimationChunk(chunk)))
}

/**
 * Decodes an animated PNG, because sharp reads only the still picture in it.
 * @returns undefined if the file isn't animated, or if its frames contradict the header or are out of order; browsers
 *   also show the still picture in these cases
 * @throws Error if the frames have more pixels than the limit; sharp's error if a frame can't be decoded
 */
export async function readAnimation(file: Buffer): Promise<Animation | undefined> {
  const chunks = [...chunksOf(file)]
  const header = chunks[0]?.data ?? Buffer.of()
  const control = chunks.find(({ type }) => type === 'acTL')?.data
  if (control?.length !== 8 || header.length !== 13) return undefined
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const frames = framesOf(chunks)
  const isValid = frames.every(
    (one) => one.data.length > 0 && one.x + one.width <= width && one.y + one.height <= height,
  )
  if (!isValid || !isInOrder(chunks) || frames.length < 2 || frames.length !== control.readUInt32BE(0)) return undefined
  checkPixels(width * height * frames.length, maxAnimatedPixels)
  const firstData = chunks.findIndex(({ type }) => type === 'IDAT')
  const shared = chunks.slice(1, firstData).filter((chunk) => !isAnimationChunk(chunk))
  const canvas = Buffer.alloc(width * height * 4)
  const made: Pixels[] = []
  for (const frame of frames) {
    const before = frame.dispose === 2 ? Buffer.from(canvas) : undefined
    const size = Buffer.from(header)
    size.writeUInt32BE(frame.width, 0)
    size.writeUInt32BE(frame.height, 4)
    const data = frame.data.map((part) => ({ type: 'IDAT', data: part }))
    const still = writePng([{ type: 'IHDR', data: size }, ...shared, ...data, { type: 'IEND', data: Buffer.of() }])
    const opened = sharp(still, { limitInputPixels: maxAnimatedPixels }).toColourspace('srgb').ensureAlpha()
    const { data: pixels, info } = await opened.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
    draw(canvas, width, frame, pixels)
    made.push({ data: Buffer.from(canvas), info: { ...info, width, height } })
    if (frame.dispose === 1) draw(canvas, width, { ...frame, isOver: false }, Buffer.alloc(pixels.length))
    before?.copy(canvas)
  }
  return { frames: made, delay: frames.map(({ delay }) => delay), loop: control.readUInt32BE(4) }
}

/** Checks that the frame chunks are numbered 0, 1, 2 …: https://www.w3.org/TR/png-3/#4Concepts.APNGSequence */
function isInOrder(chunks: readonly Chunk[]): boolean {
  const numbered = chunks.filter(({ type, data }) => (type === 'fcTL' || type === 'fdAT') && data.length >= 4)
  return numbered.every(({ data }, at) => data.readUInt32BE(0) === at)
}

/** Reads the frames. The image data belongs to the first frame only if a control chunk precedes it. */
function framesOf(chunks: readonly Chunk[]): Frame[] {
  const frames: Frame[] = []
  for (const { type, data } of chunks) {
    if (type === 'fcTL' && data.length === 26) frames.push(frameOf(data))
    else if (type === 'IDAT') frames.at(-1)?.data.push(data)
    else if (type === 'fdAT') frames.at(-1)?.data.push(data.subarray(4))
  }
  return frames
}

function frameOf(data: Buffer): Frame {
  const [width = 0, height = 0, x = 0, y = 0] = [4, 8, 12, 16].map((at) => data.readUInt32BE(at))
  const delay = Math.round((1000 * data.readUInt16BE(20)) / (data.readUInt16BE(22) || 100))
  return { width, height, x, y, delay, dispose: data.readUInt8(24), isOver: data.readUInt8(25) === 1, data: [] }
}

/** Draws the pixels of a frame on a canvas. Both are RGBA with one byte per channel. */
function draw(canvas: Buffer, width: number, frame: Omit<Frame, 'data'>, pixels: Buffer): void {
  for (let row = 0; row < frame.height; row++) {
    const to = ((frame.y + row) * width + frame.x) * 4
    const from = row * frame.width * 4
    if (!frame.isOver) pixels.copy(canvas, to, from, from + frame.width * 4)
    else for (let at = 0; at < frame.width * 4; at += 4) drawOver(canvas, to + at, pixels, from + at)
  }
}

/** https://www.w3.org/TR/png-3/#13Alpha-channel-processing */
function drawOver(canvas: Buffer, to: number, pixels: Buffer, from: number): void {
  const above = (pixels[from + 3] ?? 0) / 255
  const below = ((canvas[to + 3] ?? 0) / 255) * (1 - above)
  const alpha = above + below
  for (let channel = 0; channel < 3; channel++) {
    const mixed = (pixels[from + channel] ?? 0) * above + (canvas[to + channel] ?? 0) * below
    canvas[to + channel] = alpha === 0 ? 0 : Math.round(mixed / alpha)
  }
  canvas[to + 3] = Math.round(alpha * 255)
}

function writePng(chunks: readonly Chunk[]): Buffer {
  const parts = chunks.map(({ type, data }) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length, 0)
    ends.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
  })
  return Buffer.concat([signature, ...parts])
}
