import leven from 'leven'
import { compareStrings } from './compare.js'

/**
 * Sorts candidates for a list. Candidates that are similar to a name come first, ordered by edit distance, which
 * ignores case. At the same distance, candidates with the same letters as the name come first. All others follow
 * alphabetically.
 */
export function nearest(name: string, candidates: Iterable<string>): string[] {
  const all = ranked(name, candidates)
  const near: string[] = []
  const others: string[] = []
  for (const entry of all) (isSimilar(name, entry) ? near : others).push(entry.candidate)
  return [...near, ...others.toSorted(compareStrings)]
}

/**
 * Returns a hint for an unknown name: `Did you mean acmeLogo?` if candidates are similar, otherwise `Available
 * sections: logos, photos.`
 * @param nouns the kind of candidates
 */
export function suggestion(name: string, candidates: Iterable<string>, nouns = 'values'): string {
  const all = nearest(name, candidates)
  if (all.length === 0) return `There are no ${nouns}.`
  const near = similar(name, all)
  if (near.length > 0) return `Did you mean ${near.join(', ')}?`
  return `Available ${nouns}: ${all.slice(0, maxListed).join(', ')}${all.length > maxListed ? ', …' : ''}.`
}

/** Returns at most three candidates that are similar to a name, nearest first. */
export function similar(name: string, candidates: Iterable<string>): string[] {
  return ranked(name, candidates)
    .filter((entry) => isSimilar(name, entry))
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

/**
 * Returns `Did you mean <nearest>?`, or an empty string if no candidate is similar to the name. For hints that also
 * contain a list.
 */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const [first] = similar(name, candidates)
  return first === undefined ? '' : `Did you mean ${first}?`
}

/** The maximum number of candidates to list if none is similar to the name. */
const maxListed = 10

/** The fraction of the longer name by which a similar name may differ. */
const tolerance = 0.4

function isSimilar(name: string, { text: b, distance, isSwapped }: ReturnType<typeof ranked>[number]): boolean {
  const a = name.toLowerCase()
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

/**
 * Matches the part of a uuid at the end of a name that several entries share. People may leave it out when they mistype
 * the name.
 */
const uuidPart = /[-_][\da-f]{8,32}$/

/** @returns `distance`: edit distance to `text`; `isSwapped`: whether it has the same letters in a different order */
function ranked(name: string, candidates: Iterable<string>) {
  const folded = name.toLowerCase()
  const letters = sortLetters(folded)
  const all = [...new Set(candidates)].map((candidate) => {
    const whole = candidate.toLowerCase()
    const short = whole.replace(uuidPart, '')
    const text = leven(folded, short) < leven(folded, whole) ? short : whole
    return { candidate, text, distance: leven(folded, text), isSwapped: sortLetters(text) === letters }
  })
  return all.toSorted(
    (a, b) =>
      a.distance - b.distance || Number(b.isSwapped) - Number(a.isSwapped) || (a.candidate < b.candidate ? -1 : 1),
  )
}
