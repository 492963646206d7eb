import { compareStrings } from '../../text/compare.js'

interface Batchable {
  /** Identifies the bytes of the source. */
  source: string
  /** Equal for jobs that share decoded pixels. */
  pixels: string
}

/**
 * Removes from `waiting` the jobs that run in one batch with `first`, and returns them.
 * While jobs of other sources wait, these are all jobs of its source: other children take the other sources. When only
 * its source is left, these are the jobs that share its pixels: other children take the rest.
 * Jobs that share pixels are next to each other, so that pixels are decoded once.
 */
export function takeRelated<T extends Batchable>(waiting: T[], first: T): T[] {
  const hasOtherSources = waiting.some(({ source }) => source !== first.source)
  const related = new Set(
    waiting.filter((job) => (hasOtherSources ? job.source === first.source : job.pixels === first.pixels)),
  )
  waiting.splice(0, Infinity, ...waiting.filter((job) => !related.has(job)))
  const sortKey = ({ pixels }: T) => (pixels === first.pixels ? '' : pixels)
  return [...related].toSorted((a, b) => compareStrings(sortKey(a), sortKey(b)))
}
