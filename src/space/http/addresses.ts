import { isObject } from '../../text/json.js'
import type { SentPreviews } from '../wire/asset.js'

/**
 * Fields that remain unchanged, because people write their text, or because the address is the content itself, such as
 * a link. In any other field, the query of an address may grant access to a file.
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
 * An address with a query or fragment after its path, or with a user name before its host. A string with white space
 * isn't an address.
 */
const carriesAccess = String.raw`(?:(?:https?:)?\/\/|\/)[^\s"/?#][^\s"]*?[?#@][^\s"]*`
const address = new RegExp(`^${carriesAccess}$`, 'i')
const quoted = new RegExp(`"${carriesAccess}"`, 'i')

/**
 * Quickly checks whether the JSON of a response may contain an address that grants access. May return true for other
 * JSON.
 */
export function mayCarryAccess(json: string): boolean {
  return quoted.test(json) || json.includes(String.raw`\/`)
}

/**
 * Removes queries, fragments and user names from the addresses in a record, in place, because copies of all records of
 * a large kit would double its memory use.
 * @returns the original addresses of thumbnails and covers, because previews are requested with them
 */
export function removeAccess(record: object): SentPreviews {
  const previews = new Map<unknown, string>()
  removeIn(record, previews)
  return previews
}

/** @returns whether there were any addresses to change */
function removeIn(record: object, previews: Map<unknown, string>): boolean {
  const fields: Record<string, unknown> = Object(record)
  let hasChanged = false
  // Object.keys would make a list for each of hundreds of thousands of values.
  for (const key in fields) {
    const value = fields[key]
    if (typeof value === 'string') {
      if (!mayBeAddress(value) || content.has(key) || !address.test(value)) continue
      fields[key] = withoutQuery(value)
    } else {
      if (!isObject(value) || content.has(key)) continue
      // Keep thumbnails as text, because an object with numeric keys takes several kilobytes unless JSON.parse made it.
      const sent = key === 'thumbnails' ? JSON.stringify(value) : key === 'images' ? value['cover'] : undefined
      if (!removeIn(value, previews)) continue
      if (typeof sent === 'string') previews.set(record, sent)
    }
    hasChanged = true
  }
  return hasChanged
}

/** Checks the first character: `/`, or the `h` of a scheme. Most strings fail this check, so it saves time. */
function mayBeAddress(text: string): boolean {
  const first = text.charCodeAt(0)
  return first === 0x2f || first === 0x68 || first === 0x48
}

function withoutQuery(text: string): string {
  const end = text.search(/[?#]/)
  const path = end === -1 ? text : text.slice(0, end)
  return path.includes('@') ? path.replace(/^((?:https?:)?\/\/)[^/@]*@/i, '$1') : path
}
