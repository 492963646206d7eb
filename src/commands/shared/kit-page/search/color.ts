import { modeHsl, modeOklab, modeRgb, parse, useMode } from 'culori/fn'

useMode(modeRgb)
useMode(modeHsl)
const toOklab = useMode(modeOklab)

/** Lightness and two hue axes, in which distances are close to human perception. */
export type Lab = readonly [number, number, number]

/** @returns undefined for text that isn't a CSS color */
export function labOf(css: string): Lab | undefined {
  const color = parse(css)
  const lab = color && toOklab(color)
  return lab && [lab.l, lab.a, lab.b]
}

/** Reads what people type: `#e5603f`, `e5603f`, `coral`. */
export function colorOf(text: string): Lab | undefined {
  const isHex = /^#?(?:[\da-f]{3}|[\da-f]{6})$/i.test(text)
  if (isHex) return labOf(text.startsWith('#') ? text : `#${text}`)
  return /^[a-z]{3,}$/i.test(text) ? labOf(text.toLowerCase()) : undefined
}

/** A distance in Oklab. At a greater distance, most people give two colors different names. */
export const nearColor = 0.13

export const distance = (a: Lab, b: Lab): number =>
  Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)
