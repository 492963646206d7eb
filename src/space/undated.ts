/**
 * The date of everything in a folder that doesn't have its own date. We don't use the times of files, because they
 * differ between checkouts.
 */
export const undated = '2020-01-01T00:00:00.000Z'

/** Formats a date for display. Returns undefined for `undated`. @param date ISO 8601 */
export function shownDate(date: string | undefined): string | undefined {
  return date === undated ? undefined : date
}
