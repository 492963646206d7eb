import { isObject } from '../text/json.js'
import type { Space } from './space.js'

/**
 * The maximum number of characters in a name and in any other text, because each can end up in the lockfile, in modules
 * and in declarations.
 */
export const maxTexts = { name: 1000, text: 10_000 } as const

/**
 * Truncates long texts in the listings of a space, and warns once. Runs before names are derived or listings cached,
 * because both depend on the texts.
 */
export function withBoundedTexts(space: Space, warn: (message: string) => void): Space {
  let isTold = false

  const bounded =
    <A extends unknown[], R>(list: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const result = await list(...args)
      if (cutTexts(result) && !isTold) {
        isTold = true
        const limits = `the first ${maxTexts.name} characters of a name and ${maxTexts.text} of any other text`
        warn(`Some texts of ${space.label} are too long: only ${limits} are used.`)
      }
      return result
    }

  return {
    ...space,
    kits: bounded((...args: Parameters<Space['kits']>) => space.kits(...args)),
    kit: bounded((...args: Parameters<Space['kit']>) => space.kit(...args)),
    outline: bounded((...args: Parameters<Space['outline']>) => space.outline(...args)),
    section: bounded((...args: Parameters<Space['section']>) => space.section(...args)),
    gallery: bounded((...args: Parameters<Space['gallery']>) => space.gallery(...args)),
    fields: bounded((...args: Parameters<Space['fields']>) => space.fields(...args)),
  }
}

/**
 * Truncates the texts of records in place, because copying the thousands of records in a kit would be slow. @returns
 * whether any text was too long
 */
function cutTexts(value: unknown): boolean {
  if (!isObject(value)) return false
  let isCut = false
  // Object.entries would create a list for each of hundreds of thousands of values.
  for (const key in value) {
    const part = value[key]
    if (typeof part === 'string') {
      const limit = key === 'name' ? maxTexts.name : maxTexts.text
      if (part.length <= limit) continue
      // Don't cut a surrogate pair in half.
      Reflect.set(value, key, `${part.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`)
      isCut = true
    } else if (cutTexts(part)) isCut = true
  }
  return isCut
}
