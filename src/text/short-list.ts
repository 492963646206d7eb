import { compareStrings } from './compare.js'

/** Lists the first names in alphabetical order, and counts the others: `a, b, c and 4 more`. */
export function shortList(names: readonly string[]): string {
  const limit = 5
  const shown = names.toSorted(compareStrings).slice(0, limit).join(', ')
  return names.length > limit ? `${shown} and ${names.length - limit} more` : shown
}
