import sharp from '../../disk/sharp.js'

/** The longer side of the compared renderings in pixels. */
const side = 320

/**
 * A pixel differs if any of its channels differs by more than `channel`. Two renderings count as equal if at most
 * `share` of their pixels differ, because edges move slightly when svgo rounds numbers.
 */
const tolerances = [
  { channel: 64, share: 0.0002 },
  { channel: 24, share: 0.01 },
]

/**
 * Renders two versions of an SVG and compares the results.
 * @param onRendering called before each rendering
 * @returns why the second version can't be used; undefined if both render the same
 */
export async function compareDrawings(
  drawing: Buffer,
  other: Buffer,
  onRendering: () => void,
): Promise<string | undefined> {
  onRendering()
  const before = await render(drawing)
  if (before === undefined || before.every((value) => value === 0))
    return 'it draws nothing on its own, so the result of svgo cannot be checked'
  onRendering()
  const after = await render(other)
  return after !== undefined && isSame(before, after) ? undefined : 'svgo would change how it renders'
}

/** @returns undefined if the SVG can't be rendered */
async function render(drawing: Buffer): Promise<Buffer | undefined> {
  try {
    const { width, height } = await sharp(drawing, { limitInputPixels: false }).metadata()
    const density = Math.min(100_000, Math.max(1, (72 * side) / Math.max(width, height)))
    return await sharp(drawing, { density }).ensureAlpha().raw().toBuffer()
  } catch {
    return undefined
  }
}

function isSame(a: Buffer, b: Buffer): boolean {
  if (a.length !== b.length) return false
  const differences = differencesOf(a, b)
  return tolerances.every(({ channel, share }) => {
    const different = differences.reduce((count, one) => count + (one > channel ? 1 : 0), 0)
    return different <= differences.length * share
  })
}

/** Returns the largest channel difference of each pixel. The more transparent a pixel is, the less its color counts. */
function differencesOf(a: Buffer, b: Buffer): Uint8Array {
  return Uint8Array.from({ length: a.length / 4 }, (_, pixel) => {
    const [at, alphaA = 0, alphaB = 0] = [pixel * 4, a[pixel * 4 + 3], b[pixel * 4 + 3]]
    const colors = [0, 1, 2].map((channel) =>
      Math.abs((a[at + channel] ?? 0) * alphaA - (b[at + channel] ?? 0) * alphaB),
    )
    return Math.max(Math.abs(alphaA - alphaB), ...colors.map((difference) => difference / 255))
  })
}
