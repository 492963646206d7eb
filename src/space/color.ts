import { clampRgb, converter, parse, type Color } from 'culori'
import * as v from 'valibot'
import type { ColorToken } from '../asset.js'
import { attempt } from '../async/attempt.js'
import type { AssetRecord } from './space.js'

/** A color in sRGB. `rgb` is rounded; all other fields keep the precision they need. */
export type SrgbColor = Pick<ColorToken, 'hex' | 'alpha' | 'rgb' | 'hsb'>

/** Adding 0 turns -0 into 0. */
const upTo = (max: number) =>
  v.pipe(
    v.number(),
    v.minValue(0),
    v.maxValue(max),
    v.transform((value) => value + 0),
  )

const hsbEntry = v.object({
  hue: upTo(360),
  saturation: upTo(100),
  brightness: upTo(100),
  alpha: v.optional(upTo(100), 100),
})
const hexDigits = /^#?(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i
const hexEntry = v.object({ hex: v.pipe(v.string(), v.trim(), v.regex(hexDigits)) })

const toRgb = converter('rgb')
const toHsv = converter('hsv')

/** Reads the color of an asset: the first entry of `colors`, else `meta.hex`. */
export function readColor({ colors, meta }: Pick<AssetRecord, 'colors' | 'meta'>): SrgbColor | undefined {
  return readColorValue(colors[0]) ?? readHex(meta)
}

/**
 * Reads a color in any shape that services send: hue, saturation and brightness, a color of CSS, or an object with
 * `hex`. Clips colors outside of sRGB, as browsers do on an sRGB display.
 * @returns undefined for anything else, for out-of-range numbers, and for colors that depend on the page
 */
export function readColorValue(value: unknown): SrgbColor | undefined {
  if (typeof value === 'string') return readCss(value)
  const hsb = v.safeParse(hsbEntry, value)
  if (!hsb.success) return readHex(value)
  const { alpha, ...shown } = hsb.output
  const { hue: h, saturation, brightness } = shown
  const color = fromColor({ mode: 'hsv', h, s: saturation / 100, v: brightness / 100, alpha: alpha / 100 })
  return color && { ...color, hsb: shown }
}

/** Returns an entry of `colors` as the service sends it. Alpha and coverage range from 0 to 100. */
export function writeColorEntry(name: string, { alpha, hsb }: SrgbColor) {
  return { name, ...hsb, alpha: rounded(alpha * 100), coverage: 100 }
}

/** Returns a color as CSS: `#e5603f`, or `rgb(229 96 63 / 40%)`. */
export function cssOf({ hex, alpha, rgb }: Pick<SrgbColor, 'hex' | 'alpha' | 'rgb'>): string {
  return alpha < 1 ? `rgb(${rgb.join(' ')} / ${rounded(alpha * 100)}%)` : hex
}

function readHex(value: unknown): SrgbColor | undefined {
  const read = v.safeParse(hexEntry, value)
  return read.success ? fromColor(parse(`#${read.output.hex.replace('#', '')}`)) : undefined
}

/**
 * Reads a CSS color. The library is more lenient than CSS: it also accepts digits without `#`, and treats a missing
 * alpha component (`none`) as 100 %, although CSS treats it as 0 %. Both are invalid here. The library throws for some
 * strings, such as `/0A`.
 */
function readCss(text: string): SrgbColor | undefined {
  const css = text.trim().toLowerCase()
  return /^[\da-f]+$|\bnone\b/.test(css) ? undefined : fromColor(attempt(() => parse(css)))
}

function fromColor(color: Color | undefined): SrgbColor | undefined {
  if (color === undefined) return undefined
  const { r, g, b, alpha: opacity = 1 } = toRgb(color)
  if (![r, g, b, opacity].every(Number.isFinite)) return undefined
  const clamped = clampRgb({ mode: 'rgb', r, g, b })
  const rgb: SrgbColor['rgb'] = [eightBits(clamped.r), eightBits(clamped.g), eightBits(clamped.b)]
  const hex = `#${rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
  const alpha = rounded(Math.min(Math.max(opacity, 0), 1) * 100) / 100
  const { h = 0, s, v: value } = toHsv({ mode: 'rgb', r: rgb[0] / 255, g: rgb[1] / 255, b: rgb[2] / 255 })
  return { hex, alpha, rgb, hsb: { hue: rounded(h), saturation: rounded(s * 100), brightness: rounded(value * 100) } }
}

function eightBits(channel: number): number {
  return Math.round(channel * 255)
}

/** Rounds to two decimals, which are enough to distinguish all 8-bit colors. */
function rounded(value: number): number {
  return Number(value.toFixed(2))
}
