/** Schemas of the fields that services send. */
import * as v from 'valibot'
import { canonicalUuid } from '../uuid.js'

/** Makes an invalid value undefined, so that one invalid field does not reject the whole kit. */
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
export const flag = (otherwise: boolean) => v.fallback(v.boolean(), otherwise)
export const uuid = v.pipe(
  v.string(),
  v.check((value) => canonicalUuid(value) !== undefined, 'Expected a uuid'),
  v.transform((value) => canonicalUuid(value) ?? value),
)

/** `YYYY-MM-DD HH:MM:SS.ffffff+0000`, and ISO 8601. */
export const wireDate = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/

/** A date, converted to ISO 8601. */
export const date = orAbsent(
  v.pipe(
    v.string(),
    v.regex(wireDate),
    v.transform((value) => new Date(value.replace(' ', 'T').replace(/([+-]\d\d):?(\d\d)$/, '$1:$2'))),
    v.check((value) => !Number.isNaN(value.getTime())),
    v.transform((value) => value.toISOString()),
  ),
)

/** `<width>x<height>`. Both must be positive. */
export const dimensions = orAbsent(
  v.pipe(
    v.string(),
    v.regex(/^\d+(\.\d+)?x\d+(\.\d+)?$/),
    v.transform((value) => value.split('x').map(Number)),
    v.tuple([v.pipe(v.number(), v.minValue(Number.MIN_VALUE)), v.pipe(v.number(), v.minValue(Number.MIN_VALUE))]),
  ),
)

/** Keywords separated by commas. Some services send a list instead. */
export const keywords = v.fallback(
  v.pipe(
    v.union([
      v.pipe(
        v.string(),
        v.transform((value) => value.split(',')),
      ),
      v.array(v.unknown()),
    ]),
    v.transform((list: unknown[]) =>
      list
        .filter((word): word is string => typeof word === 'string')
        .map((word) => word.trim())
        .filter(Boolean),
    ),
  ),
  [],
)
