import { isObject } from '../text/json.js'
import type { Space } from './space.js'

/**
 * The maximum number of characters in a name and in any other string, because each can end up in the lockfile, in
 * modules and in declarations.
 */
export const maxTexts = { name: 1000, text: 10_000 } as const

/**
 * Creates a function that truncates long strings in records, and warns once. It changes the records in place, because
 * copying the thousands of records in a kit would be slow.
 * @param label the name of the space in the warning
 */
export function createTextLimit(label: string, warn: (message: string) => void): (records: unknown) => void {
  let isTold = false
  return (records) => {
    if (!cutTexts(records) || isTold) return
    isTold = true
    const limits = `the first ${maxTexts.name} characters of a name and ${maxTexts.text} of any other text`
    warn(`Some texts of ${label} are too long: only ${limits} are used.`)
  }
}

/**
 * Truncates long strings in the listings of a space, before names are derived or listings cached, because both depend
 * on these strings. The client of a service truncates strings itself, before it copies them into several records.
 */
export function withBoundedTexts(space: Space, warn: (message: string) => void): Space {
  const limitTexts = createTextLimit(space.label, warn)
  const bounded =
    <A extends unknown[], R>(list: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const result = await list(...args)
      limitTexts(result)
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

/** @returns whether any string was too long */
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
