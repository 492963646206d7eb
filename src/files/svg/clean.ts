import { xmlDecoder } from '../../text/xml-decoder.js'
import type { SvgRecipe } from '../recipe.js'
import { findActive, readDrawing } from './check.js'
import type { SvgTarget } from './rules.js'
import { sanitizeSvg } from './sanitize.js'

/**
 * Returns the text of an SVG, sanitized if necessary.
 * @throws Error whose message is the reason
 */
export function cleanText(bytes: Uint8Array, policy: SvgRecipe['policy'], use: SvgTarget): string {
  const decoder = xmlDecoder(bytes)
  if (decoder === undefined) throw new Error('its encoding is not supported')
  const text = decoder.decode(bytes)
  if (policy === 'trust' || readDrawing(bytes, use).findings.length === 0) return text
  // Even under `strict`, data of drawing programs is removed from an inline SVG, so only active content is an error.
  if (policy === 'strict') assertSafe(findActive(bytes))
  const sanitized = sanitizeSvg(text)
  if (sanitized === undefined) throw new Error('nothing safe remains after sanitizing')
  return sanitized
}

/** Sanitizes a standalone SVG file if necessary, and checks the result as `makeSvg` does. */
export function cleanFile(bytes: Uint8Array): Uint8Array {
  const result = Buffer.from(cleanText(bytes, 'sanitize', 'file'))
  assertSafe(findActive(result))
  return result
}

export function assertSafe(active: readonly string[]): void {
  if (active.length > 0) throw new Error(`${active.join(', ')} cannot be removed`)
}
