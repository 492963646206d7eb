import { isObject } from '../../text/json.js'
import { previewsKey } from '../wire/asset.js'

/**
 * Fields that people write, or whose address is the content itself: a link keeps its query. In any other field, the
 * query of an address may carry access to a file.
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

/** An address with something behind its path, or with a user name before its host. Other texts have white space. */
const carriesAccess = String.raw`(?:(?:https?:)?\/\/|\/)[^\s"/?#][^\s"]*?[?#@][^\s"]*`
const address = new RegExp(`^${carriesAccess}$`, 'i')
const quoted = new RegExp(`"${carriesAccess}"`, 'i')

/** Whether the JSON of a response may contain an address that carries access. A fast check with false positives. */
export function mayCarryAccess(json: string): boolean {
  return quoted.test(json) || json.includes(String.raw`\/`)
}

/**
 * Removes queries, fragments and user names from the addresses in a record. The original addresses of thumbnails and
 * covers stay beside them, for requests of previews.
 * @returns the same object if nothing changes
 */
export function withoutAccess(value: object): object {
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value
    const clean = list.map((entry) => withoutAccessIn(entry))
    return clean.some((entry, at) => entry !== list[at]) ? clean : list
  }
  const changed: Record<string, unknown> = {}
  for (const [key, entry] of Object.entries(value)) {
    const clean = content.has(key) ? entry : withoutAccessIn(entry)
    if (clean === entry) continue
    changed[key] = clean
    if (key === 'thumbnails') changed[previewsKey] = entry
    if (key === 'images' && isObject(entry)) changed[previewsKey] = entry['cover']
  }
  return Object.keys(changed).length === 0 ? value : { ...value, ...changed }
}

function withoutAccessIn(value: unknown): unknown {
  if (typeof value === 'string') return address.test(value) ? withoutQuery(value) : value
  return isObject(value) ? withoutAccess(value) : value
}

function withoutQuery(text: string): string {
  const [path = ''] = text.split(/[?#]/, 1)
  return path.replace(/^((?:https?:)?\/\/)[^/@]*@/i, '$1')
}
