import type { FontToken } from '../asset.js'

/** The weights of CSS by their common names, without spaces. Of two that match, the longer one is first. */
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

/**
 * Reads the name of a variant: `Light Italic`, `300italic`.
 * @returns undefined when it does not say both weight and style, and for a variable font, whose file has its weights
 */
export function readVariant(variant: string): Pick<FontToken, 'weight' | 'style'> | undefined {
  const text = variant.toLowerCase().replace(/[\s_-]+/g, '')
  if (/variable|wght|^vf$/.test(text)) return undefined
  const style = /italic|kursiv/.test(text) ? 'italic' : /oblique|slanted/.test(text) ? 'oblique' : 'normal'
  // Shorter numbers are sizes, or those by which foundries count variants: `12pt Regular`, `45 Light`.
  const number = Number(/(?<!\d)[1-9]\d{2,3}(?!\d)/.exec(text)?.[0])
  const weight = isWeight(number) ? number : weights.find(([names]) => names.test(text))?.[1]
  if (weight !== undefined) return { weight, style }
  return /^(?:italic|kursiv|oblique|slanted)$/.test(text) ? { weight: 400, style } : undefined
}

export function isWeight(value: number): boolean {
  return value >= 1 && value <= 1000
}
