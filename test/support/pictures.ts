import sharp, { type Sharp } from 'sharp'

/** Returns a picture whose left half is red and whose right half is blue. */
export function halves(width: number, height: number): Sharp {
  const half = { width: Math.floor(width / 2), height, channels: 3, background: '#00f' } as const
  return sharp({ create: { width, height, channels: 3, background: '#f00' } }).composite([
    { input: { create: half }, left: Math.ceil(width / 2), top: 0 },
  ])
}

export const halvesSvg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><rect width="45" height="60" fill="#f00"/><rect x="45" width="45" height="60" fill="#00f"/></svg>',
)

/** Returns an endless animation with a red frame of 100 ms and a blue frame of 200 ms. */
export async function animation(width: number, height: number): Promise<Buffer> {
  const frames = await Promise.all(
    ['#f00', '#00f'].map((background) =>
      sharp({ create: { width, height, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  return sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 200], loop: 0 })
    .toBuffer()
}

/** Returns red, green, blue, and alpha of one pixel, from 0 to 255. */
export async function pixel(bytes: Uint8Array, x: number, y: number): Promise<number[]> {
  const { data } = await sharp(bytes)
    .ensureAlpha()
    .toColourspace('srgb')
    .extract({ left: x, top: y, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data]
}

/** Checks whether two colors are the same, except for the losses of lossy formats. */
export function near(actual: number[], expected: number[]): boolean {
  return expected.every((value, index) => Math.abs(value - (actual[index] ?? Infinity)) <= 24)
}
