import { isObject } from '../../text/json.js'
import { previewsKey } from '../wire/asset.js'

/**
 * Fields that people write, or whose address is the content itself, such as a link, which keeps its query. In any other
 * field, the query of an address may grant access to a file.
 */
const content: ReadonlySet<string> = new Set([
  'name',
  'notes',
  'description',
  'keywords',
  'title',
  'caption',
  'content',
  'value',
  'fields',
  'versioned_fields',
  'stylesheetUrl',
  'stylesheet_url',
])

/**
 * An address with a query or fragment after its path, or with a user name before its host. Other texts contain white
 * space.
 */
const carriesAccess = String.raw`(?:(?:https?:)?\/\/|\/)[^\s"/?#][^\s"]*?[?#@][^\s"]*`
const address = new RegExp(`^${carriesAccess}$`, 'i')
const quoted = new RegExp(`"${carriesAccess}"`, 'i')

/**
 * Checks quickly whether the JSON of a response may contain an address that grants access. May return true for other
 * JSON.
 */
export function mayCarryAccess(json: string): boolean {
  return quoted.test(json) || json.includes(String.raw`\/`)
}

/**
 * Removes queries, fragments and user names from the addresses in a record, in place, because copies of all records of
 * a large kit would double its memory use. Keeps the original addresses of thumbnails and covers in separate fields,
 * because previews are requested with them.
 * @returns whether the record contained any
 */
export function removeAccess(record: object): boolean {
  const fields: Record<string, unknown> = Object(record)
  let hasChanged = false
  for (const key of Object.keys(fields)) {
    const value = fields[key]
    if (content.has(key)) continue
    if (typeof value === 'string') {
      if (!address.test(value)) continue
      fields[key] = withoutQuery(value)
    } else {
      if (!isObject(value)) continue
      const previews = key === 'thumbnails' ? { ...value } : key === 'images' ? value['cover'] : undefined
      if (!removeAccess(value)) continue
      if (previews !== undefined) fields[previewsKey] = previews
    }
    hasChanged = true
  }
  return hasChanged
}

function withoutQuery(text: string): string {
  const [path = ''] = text.split(/[?#]/, 1)
  return path.replace(/^((?:https?:)?\/\/)[^/@]*@/i, '$1')
}
