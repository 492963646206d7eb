import leven from 'leven'

/**
 * The candidates that a mistyped name most likely meant.
 * @param limit how many at most; Infinity sorts them all
 * @returns nearest first by edit distance, whatever the case; equally near ones in alphabetical order
 */
export function nearest(name: string, candidates: Iterable<string>, limit = 3): string[] {
  const folded = name.toLowerCase()
  return [...new Set(candidates)]
    .map((candidate) => ({ candidate, distance: leven(folded, candidate.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

/** The sentence that offers the nearest candidates, or says that there are none. */
export function suggestion(name: string, candidates: Iterable<string>, what = 'names'): string {
  const near = nearest(name, candidates)
  if (near.length === 0) return `There are no ${what} to choose from.`
  return `Did you mean ${near.join(', ')}?`
}
