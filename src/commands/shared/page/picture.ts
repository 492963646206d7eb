import { omitUndefined } from '../../../text/omit-undefined.js'

export interface SmallPicture {
  /** A data URI. */
  uri: string
  /** The background against which the picture is visible. Absent for an opaque picture. */
  ground?: Ground
}

/** The background color of a picture with transparent parts. */
export type Ground = 'light' | 'dark'

/** The relative luminance of both backgrounds in `style.ts`. */
const luminance = { light: 1, dark: 0.012 } as const satisfies Record<Ground, number>

/** Below this contrast, a part of a picture is invisible. */
const visible = 1.5

/** The longer side in pixels. A larger sample wouldn't change the result. */
const sample = 64

/** @param bytes a WebP file that this package has made */
export async function embedded(bytes: Uint8Array): Promise<SmallPicture> {
  const uri = `data:image/webp;base64,${Buffer.from(bytes).toString('base64')}`
  return { uri, ...omitUndefined({ ground: await groundOf(bytes) }) }
}

/**
 * Chooses the background against which more of a picture is visible: a white logo needs a dark background. Returns
 * undefined for an opaque picture, because it hides its background.
 * @param bytes of a picture that this package has made
 */
export async function groundOf(bytes: Uint8Array): Promise<Ground | undefined> {
  const { default: sharp } = await import('../../../disk/sharp.js')
  const options = { fit: 'inside', withoutEnlargement: true } as const
  const pixels = await sharp(bytes).resize(sample, sample, options).toColorspace('srgb').ensureAlpha().raw().toBuffer()
  const lost = { light: 0, dark: 0 }
  let opaque = 0
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(at, at + 4)
    opaque += alpha / 255
    const own = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    for (const ground of ['light', 'dark'] as const)
      if (contrast(own, luminance[ground]) < visible) lost[ground] += alpha / 255
  }
  if (opaque > (pixels.length / 4) * 0.98) return undefined
  return lost.light > lost.dark ? 'dark' : 'light'
}

/** Converts a channel of sRGB to linear light, as WCAG defines it. */
function linear(channel: number): number {
  const value = channel / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}
