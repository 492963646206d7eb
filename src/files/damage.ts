import { hasEnding, missingEnd } from './endings.js'
import type { Content } from '../disk/content.js'
import type { Pool } from './convert/pool.js'

/** Types that sharp decodes, in upper case. */
const pictures = new Set(['JPG', 'JPEG', 'PNG', 'GIF', 'TIFF', 'TIF', 'WEBP', 'AVIF'])

/**
 * Whether a file is whole as far as it can tell itself: a picture when it decodes, all of it; a document, a drawing or
 * a font by its end. A type that says nothing passes.
 * @returns what is wrong, undefined where nothing is
 */
export async function findDamage(content: Content, type: string, pool: Pool): Promise<string | undefined> {
  const missing = await missingEnd(content, type)
  if (missing !== undefined || content.size === 0) return missing
  return pictures.has(type.toUpperCase()) ? pool.check(content) : undefined
}

/** Whether files of a type, in any case, tell by their content that they are whole. */
export function tellsItsEnd(type: string): boolean {
  return pictures.has(type.toUpperCase()) || hasEnding(type)
}
