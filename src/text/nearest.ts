import leven from 'leven'
import { compareStrings } from './compare.js'

/** Sorts candidates by similarity to a mistyped name, ignoring case. Equally similar ones are in alphabetical order. */
export function sortByDistance(name: string, candidates: Iterable<string>): string[] {
  return measured(name, candidates).map(({ candidate }) => candidate)
}

/**
 * Returns the candidates that a mistyped name may stand for, the most similar first: at most three, and none that only
 * happens to be the nearest one.
 */
export function nearest(name: string, candidates: Iterable<string>): string[] {
  return measured(name, candidates)
    .filter(({ candidate, distance }) => isSimilar(name.toLowerCase(), candidate.toLowerCase(), distance))
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

function measured(name: string, candidates: Iterable<string>): { candidate: string; distance: number }[] {
  const folded = name.toLowerCase()
  return [...new Set(candidates)]
    .map((candidate) => ({ candidate, distance: leven(folded, candidate.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance || compareStrings(a.candidate, b.candidate))
}

/** Share of a text that may differ in a similar one. */
const tolerance = 0.4

/** Whether two texts differ little, have the same letters in another order, or one is a part of the other. */
function isSimilar(a: string, b: string, distance: number): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return (
    distance <= long.length * tolerance || lettersOf(a) === lettersOf(b) || (short.length > 2 && long.includes(short))
  )
}

function lettersOf(text: string): string {
  return Array.from(text).toSorted().join('')
}

/** Returns `Did you mean <nearest>?`, or an empty string if no candidate is similar. For messages with a full list. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const [near] = nearest(name, candidates)
  return near === undefined ? '' : `Did you mean ${near}?`
}

/** How many candidates are listed when none is similar. */
const listed = 5

/**
 * Returns a hint for an unknown name: similar candidates, or else some of all candidates.
 * @param what the candidates in the plural: `kits`
 */
export function suggestion(name: string, candidates: Iterable<string>, what = 'names'): string {
  const all = [...new Set(candidates)].toSorted(compareStrings)
  if (all.length === 0) return `There are no ${what}.`
  const near = nearest(name, all)
  if (near.length > 0) return `Did you mean ${near.join(', ')}?`
  const more = all.length > listed ? ` and ${all.length - listed} more` : ''
  return `Available ${what}: ${all.slice(0, listed).join(', ')}${more}.`
}
