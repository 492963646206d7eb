import * as fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { canonicalType } from '../../../../src/space/asset-type.js'
import { readAsset } from '../../../../src/space/wire/asset.js'
import { isoDate, orAbsent, text, uuid, wireDate } from '../../../../src/space/wire/fields.js'
import { sortKeys } from '../../../../src/space/wire/sort-keys.js'
import { sortedRecord } from '../../../../src/space/wire/sorted.js'

const entries = <T>(schema: v.GenericSchema<unknown, T>) =>
  v.pipe(
    v.array(v.fallback(v.nullable(schema), null)),
    v.transform((list) => list.filter((entry) => entry !== null)),
  )
const type = v.pipe(v.string(), v.transform(canonicalType))
const flag = (otherwise: boolean) => v.fallback(v.boolean(), otherwise)

const fileCuts = v.fallback(
  v.object({
    available_types: orAbsent(entries(v.object({ type, enabled: flag(true), resizable: flag(false) }))),
    presets: v.fallback(entries(v.object({ type, size: text, description: text })), []),
  }),
  { available_types: undefined, presets: [] },
)

const keywords = v.fallback(
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

const positive = v.pipe(v.number(), v.minValue(Number.MIN_VALUE))
const date = orAbsent(v.pipe(v.string(), v.regex(wireDate), v.transform(slowDate)))

/** The schema of an asset. The reader does the same with faster code. */
const schema = v.object({
  uuid,
  name: text,
  type: v.fallback(type, ''),
  notes: text,
  keywords,
  colors: v.fallback(v.array(v.unknown()), []),
  dimensions: orAbsent(
    v.pipe(
      v.string(),
      v.regex(/^\d+(\.\d+)?x\d+(\.\d+)?$/),
      v.transform((value) => value.split('x').map(Number)),
      v.tuple([positive, positive]),
    ),
  ),
  size: orAbsent(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  file_hash: orAbsent(v.pipe(v.string(), v.hexadecimal(), v.toLowerCase())),
  file_id: orAbsent(v.pipe(v.string(), v.nonEmpty(), v.toLowerCase())),
  file_updated: date,
  date_added: date,
  date_updated: date,
  permalink: orAbsent(v.string()),
  meta: v.fallback(v.looseObject({ filecuts: v.optional(v.unknown()) }), {}),
})

function slowDate(sent: string): string | undefined {
  const value = new Date(sent.replace(' ', 'T').replace(/([+-]\d\d):?(\d\d)$/, '$1:$2'))
  return Number.isNaN(value.getTime()) ? undefined : value.toISOString()
}

const digits = (max: number, length: number) => fc.nat(max).map((number) => String(number).padStart(length, '0'))
const dates = fc
  .tuple(
    fc.tuple(digits(9999, 4), digits(14, 2), digits(33, 2)).map((parts) => parts.join('-')),
    fc.constantFrom(' ', 'T', '-'),
    fc.tuple(digits(25, 2), digits(61, 2), digits(61, 2)).map((parts) => parts.join(':')),
    fc.constantFrom('', '.1', '.12', '.123', '.123456', '.1239'),
    fc.constantFrom('Z', '+0000', '+00:00', '-0000', '+0130', '-12:00', ''),
  )
  .map((parts) => parts.join(''))
const types = fc.constantFrom('SVG', 'jpeg', 'png', 'COLOR', 'constructor', '')
const cut = fc.record(
  {
    type: fc.oneof(types, fc.jsonValue()),
    enabled: fc.jsonValue(),
    resizable: fc.boolean(),
    size: fc.jsonValue(),
    description: fc.string(),
  },
  { requiredKeys: [] },
)
const cuts = fc.oneof(fc.array(fc.oneof(cut, fc.jsonValue())), fc.jsonValue())
const or = <T>(...valid: fc.Arbitrary<T>[]) => fc.oneof(...valid, fc.jsonValue())
const sizes = fc.constantFrom('24x24', '1.5x2', '0x1', '1x', '1e3x2', `${'9'.repeat(400)}x1`)
const wire = fc.record(
  {
    uuid: or(
      fc.uuid(),
      fc.uuid(),
      fc.uuid(),
      fc.uuid().map((id) => `{${id}}`),
    ),
    name: or(fc.string()),
    type: or(types),
    notes: or(fc.string()),
    keywords: or<unknown>(fc.string(), fc.constantFrom('a, b,,c', ''), fc.array(or(fc.string()))),
    colors: or(fc.array(fc.jsonValue())),
    dimensions: or(sizes),
    size: or(fc.integer(), fc.double()),
    file_hash: or(fc.constantFrom('D41D', '0x12', '0X12', 'xyz', '')),
    file_id: or(fc.string()),
    file_updated: or(dates),
    date_added: or(dates),
    date_updated: or(dates),
    permalink: or(fc.webUrl()),
    thumbnails: or(fc.dictionary(fc.constantFrom('292', '1232', '48', 'b', 'a', '01'), or(fc.webUrl()))),
    meta: or(
      fc.record(
        {
          filecuts: or(fc.record({ available_types: cuts, presets: cuts }, { requiredKeys: [] })),
          font: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: ['uuid'] },
)

test('an asset is read according to the schema', () => {
  fc.assert(
    fc.property(fc.oneof({ weight: 20, arbitrary: wire }, { weight: 1, arbitrary: fc.jsonValue() }), (given) => {
      const sent: unknown = JSON.parse(JSON.stringify(given))
      const read = readAsset(sent)
      const expected = v.safeParse(schema, sortKeys(sent))
      if (!expected.success) {
        expect(read).toBeUndefined()
        return
      }
      const { dimensions = [], file_hash, file_id, file_updated, date_added, date_updated, ...same } = expected.output
      const { available_types, presets } = v.parse(fileCuts, same.meta.filecuts)
      const { thumbnails } = Object(sent)
      const record = {
        ...same,
        width: dimensions[0],
        height: dimensions[1],
        fileHash: file_hash,
        fileId: file_id,
        fileUpdated: file_updated,
        dateAdded: date_added,
        dateUpdated: date_updated,
        cuts: available_types,
        presets,
        raw: sortKeys(sent),
        thumbnails: Object.fromEntries(
          Object.entries(Array.isArray(thumbnails) ? {} : Object(thumbnails))
            .filter(([, address]) => typeof address === 'string' && typeof thumbnails === 'object')
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        ),
      }
      expect(read && sortedRecord(read)).toEqual(record)
      // The order of keys affects the generated code.
      for (const key of ['colors', 'meta', 'raw', 'thumbnails', 'cuts', 'presets'] as const) {
        expect(JSON.stringify(read && sortedRecord(read)[key])).toBe(JSON.stringify(record[key]))
      }
    }),
  )
})

test('a date is converted as by `Date`', () => {
  fc.assert(
    fc.property(dates, (sent) => {
      expect(isoDate(sent)).toBe(wireDate.test(sent) ? slowDate(sent) : undefined)
    }),
    { numRuns: 2000 },
  )
})
