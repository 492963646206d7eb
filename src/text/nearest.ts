import leven from 'leven'

/**
 * Sorts the candidates by edit distance to a name, ignoring case. Equally near ones are sorted alphabetically.
 * @param limit the most to return
 */
export function nearest(name: string, candidates: Iterable<string>, limit = 3): string[] {
  return ranked(name, candidates)
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

/**
 * Returns a hint for an unknown name: `Did you mean acmeLogo?` when candidates resemble it, otherwise
 * `Available sections: logos, photos.`
 * @param nouns what the candidates are
 */
export function suggestion(name: string, candidates: Iterable<string>, nouns = 'values'): string {
  const all = ranked(name, candidates)
  if (all.length === 0) return `There are no ${nouns}.`
  const similar = all.filter(({ candidate, distance }) => isSimilar(name, candidate, distance)).slice(0, 3)
  if (similar.length > 0) return `Did you mean ${similar.map(({ candidate }) => candidate).join(', ')}?`
  const listed = all.slice(0, maxListed).map(({ candidate }) => candidate)
  return `Available ${nouns}: ${listed.join(', ')}${all.length > maxListed ? ', …' : ''}.`
}

/** Candidates that are listed when none resembles the name. */
const maxListed = 10

/** Whether at most half of the longer one differs, or one contains the other. */
function isSimilar(name: string, candidate: string, distance: number): boolean {
  const [a, b] = [name.toLowerCase(), candidate.toLowerCase()]
  return (
    distance <= Math.max(a.length, b.length) / 2 || (a.length > 2 && b.includes(a)) || (b.length > 2 && a.includes(b))
  )
}

function ranked(name: string, candidates: Iterable<string>): { candidate: string; distance: number }[] {
  const folded = name.toLowerCase()
  return [...new Set(candidates)]
    .map((candidate) => ({ candidate, distance: leven(folded, candidate.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
}
