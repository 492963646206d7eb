import leven from 'leven'

/**
 * Sorts the candidates by edit distance to a name, ignoring case. Of equally near ones, those with the same letters
 * come first, and the others are sorted alphabetically.
 */
export function nearest(name: string, candidates: Iterable<string>): string[] {
  return ranked(name, candidates).map(({ candidate }) => candidate)
}

/**
 * Returns a hint for an unknown name: `Did you mean acmeLogo?` when candidates resemble it, otherwise
 * `Available sections: logos, photos.`
 * @param nouns what the candidates are
 */
export function suggestion(name: string, candidates: Iterable<string>, nouns = 'values'): string {
  const all = nearest(name, candidates)
  if (all.length === 0) return `There are no ${nouns}.`
  const near = similar(name, all)
  if (near.length > 0) return `Did you mean ${near.join(', ')}?`
  return `Available ${nouns}: ${all.slice(0, maxListed).join(', ')}${all.length > maxListed ? ', …' : ''}.`
}

/** Returns the candidates that resemble a name, the nearest first: at most three. */
export function similar(name: string, candidates: Iterable<string>): string[] {
  return ranked(name, candidates)
    .filter((entry) => isSimilar(name, entry))
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

/** Returns `Did you mean <nearest>?`, or an empty string if no candidate resembles the name. For hints with a list. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const [first] = similar(name, candidates)
  return first === undefined ? '' : `Did you mean ${first}?`
}

/** Candidates that are listed when none resembles the name. */
const maxListed = 10

/** Share of the longer text that may differ in a similar one. */
const tolerance = 0.4

function isSimilar(name: string, { candidate, distance, isSwapped }: ReturnType<typeof ranked>[number]): boolean {
  const [a, b] = [name.toLowerCase(), candidate.toLowerCase()]
  return (
    distance <= Math.max(a.length, b.length) * tolerance ||
    isSwapped ||
    (a.length > 2 && b.includes(a)) ||
    (b.length > 2 && a.includes(b))
  )
}

function sortLetters(text: string): string {
  return Array.from(text).toSorted().join('')
}

/** @returns `distance`: edit distance; `isSwapped`: whether it has the same letters in another order */
function ranked(name: string, candidates: Iterable<string>) {
  const folded = name.toLowerCase()
  const letters = sortLetters(folded)
  const all = [...new Set(candidates)].map((candidate) => {
    const text = candidate.toLowerCase()
    return { candidate, distance: leven(folded, text), isSwapped: sortLetters(text) === letters }
  })
  return all.toSorted(
    (a, b) =>
      a.distance - b.distance || Number(b.isSwapped) - Number(a.isSwapped) || (a.candidate < b.candidate ? -1 : 1),
  )
}
