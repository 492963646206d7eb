/** The properties of a picture that determine its background. */
export interface Look {
  /** Whether it lacks transparent parts, so that it hides the background. */
  isOpaque: boolean
  /** The fractions of visible pixels, from 0 to 1, that are hard to see on a light or a dark background. */
  lostOnLight: number
  lostOnDark: number
}

/** The side of the square into which a picture is drawn for analysis. */
const side = 32
/** Contrast (WCAG) below which a shape is hard to see. */
const weak = 1.5
/** The approximate luminance of the background colors in `styles/base.css`. */
const light = 0.91
const dark = 0.01

/** @param pixels red, green, blue and alpha of each pixel */
export function lookAt(pixels: Uint8ClampedArray): Look {
  let visible = 0
  let transparent = 0
  let lostOnLight = 0
  let lostOnDark = 0
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0
    if (alpha < 250) transparent += 1
    if (alpha < 64) continue
    visible += 1
    const luminance = luminanceOf(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0)
    if (contrast(luminance, light) < weak) lostOnLight += 1
    if (contrast(luminance, dark) < weak) lostOnDark += 1
  }
  const share = (count: number): number => (visible === 0 ? 0 : count / visible)
  return { isOpaque: transparent === 0, lostOnLight: share(lostOnLight), lostOnDark: share(lostOnDark) }
}

/** Returns the background on which more of a picture is visible, or the background of the page if both are equal. */
export function groundFor({ lostOnLight, lostOnDark }: Look, isDark: boolean): 'light' | 'dark' {
  const here = isDark ? lostOnDark : lostOnLight
  const there = isDark ? lostOnLight : lostOnDark
  const isHere = here < 0.12 || here <= there
  return isHere === isDark ? 'dark' : 'light'
}

/** @returns undefined if the picture can't be read */
export function lookAtImage(image: HTMLImageElement): Look | undefined {
  const canvas = new OffscreenCanvas(side, side)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return undefined
  try {
    context.drawImage(image, 0, 0, side, side)
    return lookAt(context.getImageData(0, 0, side, side).data)
  } catch {
    // The SVG doesn't have a size, or the picture comes from another origin.
    return undefined
  }
}

function luminanceOf(red: number, green: number, blue: number): number {
  return 0.2126 * (red / 255) ** 2.2 + 0.7152 * (green / 255) ** 2.2 + 0.0722 * (blue / 255) ** 2.2
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}
