import * as v from 'valibot'
import { hasCode } from '../../disk/file-error.js'
import { readRegularFileSync } from '../../disk/read-file.js'
import { ContentSpaceError, messageOf } from '../../errors.js'
import { undated } from '../undated.js'
import { integer, toDate, uuid, wireDate } from '../wire/fields.js'

/** `undated` in the format of the REST interface. */
export const constantDate = toWire(new Date(undated))

/**
 * A date, converted to the format of the REST interface, because an embedded space can also be served through that
 * interface. `null` means no date.
 */
const date = v.optional(
  v.nullable(
    v.pipe(
      v.string(),
      v.check((text) => !Number.isNaN(toDate(text.trim()).getTime()), 'Expected a date'),
      v.transform((text) => (wireDate.test(text) && !text.includes('T') ? text : toWire(toDate(text.trim())))),
    ),
  ),
  constantDate,
)
const dates = { date_added: date, date_updated: date }
const counts = v.optional(v.record(v.string(), integer), {})
/** `null` means that an item doesn't have a display size. */
const displaySize = v.optional(v.nullable(v.string()))
const named = { uuid: v.optional(uuid), name: v.optional(v.string()), ...dates }

/** The definition of a custom field. Without a type, the field gets the type of its values. */
const fieldJson = v.looseObject({
  id: v.optional(integer),
  name: v.string(),
  type: v.optional(v.string()),
  options: v.optional(v.array(v.string())),
})

export type FieldJson = v.InferOutput<typeof fieldJson>

export const spaceJson = v.looseObject({
  space_id: v.optional(integer),
  name: v.optional(v.string()),
  fields: v.optional(v.array(fieldJson), []),
})

export const kitJson = v.looseObject({
  ...named,
  use_version: v.optional(integer, 0),
  cover: v.optional(v.string()),
  versions: v.optional(
    v.array(v.looseObject({ version: integer, folder: v.optional(v.string()), counts, ...dates })),
    [],
  ),
})

const itemObject = v.looseObject({
  /** Default: `heading` or `asset`. */
  type: v.optional(v.string()),
  heading: v.optional(v.string()),
  /** The path of the item's asset. */
  file: v.optional(v.string()),
  /** The paths of a gallery's assets. */
  files: v.optional(v.array(v.string())),
  uuid: v.optional(uuid),
  display_size: displaySize,
  /** Display properties, as in `Item`. */
  display: v.optional(v.record(v.string(), v.unknown())),
  data: v.optional(v.unknown()),
  ...dates,
})

/** An entry of a section: the path of a file, a heading, or an item of any type with the fields of that type. */
const itemJson = v.union([
  v.pipe(
    v.string(),
    v.transform((file): v.InferOutput<typeof itemObject> => v.parse(itemObject, { file })),
  ),
  v.pipe(
    itemObject,
    v.check(({ type, heading, file }) => [type, heading, file].some((one) => one !== undefined), 'Expected an item'),
  ),
])

export const sectionJson = v.looseObject({ ...named, counts, items: v.optional(v.array(itemJson)) })

const fileCutsJson = v.looseObject({
  available_types: v.optional(v.array(v.looseObject({ type: v.string(), enabled: v.optional(v.boolean()) }))),
  presets: v.optional(v.array(v.unknown())),
})

export const assetJson = v.looseObject({
  ...named,
  type: v.optional(v.string()),
  notes: v.optional(v.string(), ''),
  keywords: v.optional(
    v.union([
      v.string(),
      v.pipe(
        v.array(v.string()),
        v.transform((words) => words.join(', ')),
      ),
    ]),
    '',
  ),
  colors: v.optional(v.array(v.unknown())),
  /** Values of custom fields, by field name or id. */
  fields: v.optional(v.record(v.string(), v.unknown())),
  /** The color of an asset without a file. */
  color: v.optional(v.unknown()),
  file_updated: date,
  /**
   * The md5 of the described file. While the file has this hash, the fields here are used unchanged, `size` and
   * `file_hash` included. Otherwise, values of the actual file replace fields such as `size` and `file_hash`.
   */
  file_md5: v.optional(v.string()),
  meta: v.optional(v.looseObject({ filecuts: v.optional(fileCutsJson) }), {}),
  filecuts: v.optional(fileCutsJson),
})

export type ItemJson = v.InferOutput<typeof itemJson>
export type FileCutsJson = v.InferOutput<typeof fileCutsJson>
export type AssetJson = v.InferOutput<typeof assetJson>

/**
 * Reads a JSON file of an embedded space.
 * @returns undefined if the file doesn't exist
 * @throws ContentSpaceError `invalidSpace`, which names the file and the line or field
 */
export function readJson<T>(path: string, label: string, schema: v.GenericSchema<unknown, T>): T | undefined {
  const text = readText(path, label)
  if (text === undefined) return undefined
  const outcome = v.safeParse(schema, parseSidecar(text.replace(/^\uFEFF/, ''), label))
  if (outcome.success) return outcome.output
  const [issue] = outcome.issues
  const field = v.getDotPath(issue) ?? 'the file'
  throw new ContentSpaceError('invalidSpace', `${label}: \`${field}\` is invalid: ${issue.message}.`)
}

/** Synchronous, because promises would open the files of thousands of assets at the same time, and would be slower. */
function readText(path: string, label: string): string | undefined {
  try {
    return readRegularFileSync(path).toString()
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return undefined
    if (cause instanceof ContentSpaceError) throw cause
    throw new ContentSpaceError('invalidSpace', `${label} cannot be read.`, { cause })
  }
}

function parseSidecar(text: string, label: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = messageOf(cause)
    throw new ContentSpaceError('invalidSpace', `${label}:${lineOfError(text)} is not valid JSON: ${reason}.`, {
      cause,
    })
  }
}

/**
 * Finds the line of a syntax error. Because Node 20 doesn't report a position for some errors, we parse the first line,
 * then the first two lines, and so on.
 */
function lineOfError(text: string): number {
  const lines = text.split('\n')
  for (let count = 1; count < lines.length; count++) {
    const part = lines.slice(0, count).join('\n').trimEnd()
    const position = positionOfError(part)
    if (position < part.length) return part.slice(0, position).split('\n').length
  }
  return lines.length
}

function positionOfError(text: string): number {
  try {
    JSON.parse(text)
    return text.length
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : ''
    const position = /at position (\d+)/.exec(message)?.[1]
    if (position !== undefined) return Number(position)
    return message.includes('end of JSON input') ? text.length : text.lastIndexOf('\n') + 1
  }
}

function toWire(moment: Date): string {
  return moment.toISOString().replace(/T(.*)Z$/, ' $1000+0000')
}
