/** The maximum number of pixels that we decode: 200 MB at four bytes each. sharp's own limit is five times as high. */
export const maxPixels = 5e7

/** The maximum number of pixels of an animation, in all its frames together. */
export const maxAnimatedPixels = 2e8

/** Formats whose frames sharp decodes and encodes together, as one picture. */
export const animatedFormats: ReadonlySet<string> = new Set(['gif', 'webp'])

/** @throws Error with the number of pixels */
export function checkPixels(pixels: number, limit: number): void {
  if (pixels > limit) {
    throw new Error(`it has ${Math.round(pixels / 1e6)} million pixels, and the limit is ${limit / 1e6} million`)
  }
}
