import type { Content } from '../disk/content.js'
import { isRaster } from '../space/asset-type.js'
import type { Pool } from './convert/pool.js'
import { canDetectTruncation, findTruncation } from './truncation.js'

/**
 * Checks that a file is complete: a picture by decoding it, a document, drawing or font by its structure.
 * Accepts files of other types.
 * @returns what is wrong; undefined for a complete file
 */
export async function findDamage(content: Content, type: string, pool: Pool): Promise<string | undefined> {
  const truncation = await findTruncation(content, type)
  if (truncation !== undefined || content.size === 0) return truncation
  return isRaster(type) ? pool.check(content) : undefined
}

/** Whether `findDamage` detects that a file of a type is incomplete. @param type in any case */
export function showsItsEnd(type: string): boolean {
  return isRaster(type) || canDetectTruncation(type)
}
