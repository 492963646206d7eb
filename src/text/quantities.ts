import prettyBytes from 'pretty-bytes'
import { compareStrings } from './compare.js'

/** Formats a count: `1 file`, `2 files`. @param plural defaults to `noun` with an `s` */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/** Formats a size: `0 B`, `22.1 kB`, `38 MB`. */
export function sizeText(bytes: number): string {
  return prettyBytes(bytes)
}

/** Formats a duration, rounded up: `8 s`, `5 min`, `28 h`. */
export function durationText(seconds: number): string {
  if (seconds >= 7200) return `${Math.ceil(seconds / 3600)} h`
  return seconds < 120 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
}

/** Returns whether a version number stands for the text of a source's revision. */
export function isRevision(version: number): boolean {
  return version >= 1e14
}

/**
 * Returns the name of a kit's version for messages.
 * @param version 0 is the draft. A number of 15 digits stands for a source's revision, and the label contains the
 *   revision.
 * @param label may be empty
 */
export function versionText(version: number, label = ''): string {
  if (version === 0) return 'draft'
  if (isRevision(version)) return label === '' ? 'a revision' : `revision ${label}`
  return label === '' ? `version ${version}` : `version ${version} (${label})`
}

/** Lists the first names in alphabetical order and counts the others: `a, b, c and 4 more`. */
export function shortList(names: readonly string[]): string {
  const limit = 5
  const shown = names.toSorted(compareStrings).slice(0, limit).join(', ')
  return names.length > limit ? `${shown} and ${names.length - limit} more` : shown
}
