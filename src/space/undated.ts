/** The date of everything in a folder that has none. Times of files are not used: they differ between checkouts. */
export const undated = '2020-01-01T00:00:00.000Z'

/** Returns a date for people. Undefined if it stands for none. @param date ISO 8601 */
export function shownDate(date: string | undefined): string | undefined {
  return date === undated ? undefined : date
}
