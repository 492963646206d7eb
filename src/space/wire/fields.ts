/** Schemas of the fields that services send. */
import * as v from 'valibot'
import { canonicalUuid } from '../uuid.js'

/** Makes an invalid value undefined, so that one invalid field doesn't reject the whole kit. */
export const orAbsent = <T>(schema: v.GenericSchema<unknown, T>) => v.fallback(v.optional(schema), undefined)
export const text = v.fallback(v.string(), '')
export const status = v.fallback(v.string(), 'active')
export const integer = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.digits(), v.transform(Number))]),
  v.safeInteger(),
  v.minValue(0),
)
export const count = orAbsent(integer)
export const displayOrder = v.fallback(v.pipe(v.number(), v.finite()), Infinity)
export const uuid = v.pipe(
  v.string(),
  v.check((value) => canonicalUuid(value) !== undefined, 'Expected a uuid'),
  v.transform((value) => canonicalUuid(value) ?? value),
)

/** Matches `YYYY-MM-DD HH:MM:SS.ffffff+0000` and ISO 8601. */
export const wireDate = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/

/** A date in UTC with a day that every month has. */
const plainDate =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])[ T](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}\d*(?:Z|\+00:?00)$/

/** Converts a date to ISO 8601. @returns undefined for an invalid date */
export function isoDate(sent: string): string | undefined {
  // Most dates have this form. A kit has thousands of them, and `Date` takes several times longer.
  if (plainDate.test(sent)) return `${sent.slice(0, 10)}T${sent.slice(11, 23)}Z`
  if (!wireDate.test(sent)) return undefined
  const value = toDate(sent)
  return Number.isNaN(value.getTime()) ? undefined : value.toISOString()
}

/** Parses a date in either form. */
export function toDate(sent: string): Date {
  return new Date(sent.replace(' ', 'T').replace(/([+-]\d\d):?(\d\d)$/, '$1:$2'))
}

export const date = orAbsent(v.pipe(v.string(), v.transform(isoDate)))
