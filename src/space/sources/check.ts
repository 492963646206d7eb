import * as v from 'valibot'
import { ContentSpaceError } from '../../errors.js'
import { objectOf } from '../../text/json.js'
import type { Source, SourceAsset, SourceKit } from './source.js'

const text = v.pipe(v.string(), v.nonEmpty('a non-empty text'))
const pixels = v.pipe(v.number(), v.finite('a positive number'), v.gtValue(0, 'a positive number'))
const hash = v.pipe(
  v.string(),
  v.regex(/^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64})$/i, 'an md5, sha1 or sha256 in hexadecimal'),
)

const asset = v.object({
  id: text,
  name: text,
  type: v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/, 'a type, such as SVG')),
  section: v.optional(text),
  heading: v.optional(text),
  hash: v.optional(hash),
  size: v.optional(v.pipe(v.number(), v.safeInteger('a whole number'), v.minValue(0, 'a whole number from 0'))),
  width: v.optional(pixels),
  height: v.optional(pixels),
  notes: v.optional(v.string()),
  keywords: v.optional(v.array(v.string())),
  fields: v.optional(v.record(text, v.union([v.string(), v.number(), v.array(v.string())]))),
  color: v.optional(text),
} satisfies { [K in keyof Required<SourceAsset>]: v.GenericSchema })

const kit = v.object({ name: text, description: v.optional(v.string()), assets: v.array(asset) })

const revision = v.optional(v.pipe(text, v.maxLength(200, 'at most 200 characters')))

const bytes = v.union(
  [
    v.instance(Uint8Array),
    v.custom<ReadableStream<Uint8Array>>((value) => value instanceof ReadableStream),
    v.object({ url: v.pipe(v.string(), v.url('a URL')), headers: v.optional(v.record(v.string(), v.string())) }),
  ],
  'bytes, a stream or { url }',
)

/** @throws ContentSpaceError `invalidResponse`, which names the invalid field */
export function checkKit({ name }: Source, given: unknown): SourceKit {
  const checked = check(name, 'list', kit, given)
  const seen = new Set<string>()
  for (const [at, { id }] of checked.assets.entries()) {
    if (seen.has(id))
      throw invalidValue(name, 'list', `assets.${at}.id`, `is ${JSON.stringify(id)}, which another asset also has`)
    seen.add(id)
  }
  // Copy without absent fields, which may be set to `undefined`.
  return JSON.parse(JSON.stringify(checked))
}

/** @throws ContentSpaceError `invalidResponse` */
export function checkRevision({ name }: Source, given: unknown): string | undefined {
  return check(name, 'revision', revision, given)
}

/** @throws ContentSpaceError `invalidResponse` */
export function checkBytes({ name }: Source, given: unknown): v.InferOutput<typeof bytes> {
  return check(name, 'read', bytes, given)
}

function check<T>(source: string, method: string, schema: v.GenericSchema<unknown, T>, given: unknown): T {
  const result = v.safeParse(schema, given)
  if (result.success) return result.output
  const [issue] = result.issues
  const isOwn = issue.kind !== 'schema' || issue.type === 'union'
  const expected = isOwn ? issue.message : (issue.expected ?? 'another value')
  const problem = issue.received === 'undefined' ? 'is missing' : `must be ${expected}`
  throw invalidValue(source, method, v.getDotPath(issue) ?? '', `${nameOfRecord(issue)}${problem}`)
}

/** Returns the name of the asset that an issue is about, because an index isn't helpful in a long list. */
function nameOfRecord({ path }: v.BaseIssue<unknown>): string {
  const [list, entry] = path ?? []
  const { id, name } = objectOf(list?.key === 'assets' ? entry?.value : undefined)
  const known = [id, name].find((one) => typeof one === 'string' && one !== '')
  return known === undefined ? '' : `of ${JSON.stringify(known)} `
}

/** Creates an error that doesn't quote the value, because the value may contain a secret. */
export function invalidValue(source: string, method: string, field: string, problem: string): ContentSpaceError {
  const what = field === '' ? 'the result' : `\`${field}\``
  return new ContentSpaceError(
    'invalidResponse',
    `Source ${source} returned an invalid value from ${method}(): ${what} ${problem}.`,
    {
      hint: 'Correct the source. `testSource` of unplugin-content-space/testing finds mistakes like this.',
    },
  )
}
