import type { FontToken } from '../asset.js'
import { omitUndefined } from '../text/omit-undefined.js'

/**
 * CSS weights by their common names, without spaces. The first match applies, so longer names precede the names they
 * contain.
 */
const weights: readonly (readonly [names: RegExp, weight: number])[] = [
  [/(?:extra|ultra)light/, 200],
  [/(?:semi|demi)light/, 350],
  [/hairline|thin/, 100],
  [/light/, 300],
  [/(?:semi|demi)bold/, 600],
  [/(?:extra|ultra)bold/, 800],
  [/(?:extra|ultra)black/, 950],
  [/bold/, 700],
  [/black|heavy/, 900],
  [/medium/, 500],
  [/regular|normal|roman|book/, 400],
  [/demi/, 600],
]

/** CSS widths in percent, by their class in a font file minus 1. */
export const widths = [50, 62.5, 75, 87.5, 100, 112.5, 125, 150, 200] as const

/** CSS widths by their common names. The first match applies, so longer names precede the names they contain. */
const widthNames: readonly (readonly [names: RegExp, width: (typeof widths)[number]])[] = [
  [/ultra(?:cond|compressed|narrow)/, 50],
  [/extra(?:cond|compressed|narrow)/, 62.5],
  [/semi(?:cond|compressed|narrow)/, 87.5],
  [/cond|compressed|narrow/, 75],
  [/semi(?:expanded|extended|wide)/, 112.5],
  [/extra(?:expanded|extended|wide)/, 150],
  [/ultra(?:expanded|extended|wide)/, 200],
  [/expanded|extended|wide/, 125],
]

/** Returns the width in percent that a variant's name contains, or undefined for the normal width. */
export function readWidth(variant: string): number | undefined {
  const text = compact(variant)
  return widthNames.find(([names]) => names.test(text))?.[1]
}

/** Returns the name that `readWidth` reads. @param stretch one of `widths`, except for 100 */
export function nameOfWidth(stretch: number): string {
  const kind = stretch < 100 ? 'Condensed' : 'Expanded'
  const degree = { 50: 'Ultra ', 62.5: 'Extra ', 87.5: 'Semi ', 112.5: 'Semi ', 150: 'Extra ', 200: 'Ultra ' }[stretch]
  return `${degree ?? ''}${kind}`
}

/** Names that foundries use for more than one weight. */
const vague = /book|heavy|hairline|demi(?!light|bold)|(?:extra|ultra)black/

/**
 * Returns the weight of a font from the number and the name in its file. The name wins if they contradict each other,
 * because old fonts have 250 for Thin, and 250 or 275 for ExtraLight.
 */
export function agreedWeight(number: number, variant: string): number {
  const named = readVariant(variant)?.weight
  if (named === undefined) return isWeight(number) ? number : 400
  const tolerance = vague.test(compact(variant)) ? 150 : 50
  return isWeight(number) && Math.abs(number - named) < tolerance ? number : named
}

function compact(variant: string): string {
  return variant.toLowerCase().replace(/[\s_-]+/g, '')
}

/**
 * Reads the name of a variant: `Light Italic`, `300italic`, `Condensed Bold`.
 * @returns undefined unless the name contains both weight and style, and for a variable font, because its file contains
 *   the weights
 */
export function readVariant(variant: string): Pick<FontToken, 'weight' | 'style' | 'stretch'> | undefined {
  const text = compact(variant)
  if (/variable|wght|^vf$/.test(text)) return undefined
  const style = /italic|kursiv/.test(text) ? 'italic' : /oblique|slanted/.test(text) ? 'oblique' : 'normal'
  // Shorter numbers are sizes (`12pt Regular`) or a foundry's own numbers for its variants (`45 Light`).
  const number = Number(/(?<!\d)[1-9]\d{2,3}(?!\d)/.exec(text)?.[0])
  const weight = isWeight(number) ? number : weights.find(([names]) => names.test(text))?.[1]
  if (weight !== undefined) return { weight, style, ...omitUndefined({ stretch: readWidth(variant) }) }
  return /^(?:italic|kursiv|oblique|slanted)$/.test(text) ? { weight: 400, style } : undefined
}

export function isWeight(value: number): boolean {
  return value >= 1 && value <= 1000
}
