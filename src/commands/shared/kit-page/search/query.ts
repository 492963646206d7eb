/** The filters and words in a search text. */
export interface SearchQuery {
  /** In lower case. An asset must have one of them. */
  types: string[]
  usage?: 'used' | 'unused'
  /** Colors as strings. An asset must have a color near one of them. */
  colors: string[]
  /** Values of custom fields, by key, both in lower case. An asset must have one value of each field. */
  fields: ReadonlyMap<string, readonly string[]>
  /** Words to find, with single spaces. */
  words: string
}

const filter = /^(type|color|colour|is):(.*)$/i
const fieldFilter = /^([\p{L}\p{M}\p{N}_$]+)=(.*)$/u

/** Splits a query into words and filters. The value of a field may contain spaces: `rights="Print only"`. */
const termsOf = (text: string): string[] => text.match(/[^\s="]+="[^"]*"?|\S+/g) ?? []

export function parseQuery(text: string): SearchQuery {
  const fields = new Map<string, string[]>()
  const query: SearchQuery = { types: [], colors: [], fields, words: '' }
  const words: string[] = []
  for (const term of termsOf(text)) {
    const field = fieldOf(term)
    if (field) {
      const [name, wanted] = field
      // Ignore a value that isn't typed yet, because it wouldn't find anything.
      if (wanted) fields.set(name, [...(fields.get(name) ?? []), wanted])
      continue
    }
    const [, key, value = ''] = filter.exec(term) ?? []
    const usage = usageOf(key === undefined ? term : value)
    if (usage && (key === undefined || key === 'is')) query.usage = usage
    else if (key === 'type') query.types.push(...value.toLowerCase().split(',').filter(Boolean))
    else if (key === 'color' || key === 'colour') query.colors.push(...value.split(',').filter(Boolean))
    else if (/^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(term)) query.colors.push(term)
    // Ignore an incomplete color, because it wouldn't find anything.
    else if (!/^#[\da-f]{0,6}$/i.test(term)) words.push(term)
  }
  query.words = words.join(' ')
  return query
}

/** Returns the text without its type filters. */
export function withoutTypes(text: string): string {
  return without(text, (term) => /^type:/i.test(term))
}

/** Returns the value of a field as filters spell it. */
export const plainValue = (value: string | number): string =>
  String(value).replaceAll('"', '').replace(/\s+/g, ' ').trim().toLowerCase()

/** Returns the text without its filters for a field. */
export function withoutField(text: string, key: string): string {
  return without(text, (term) => fieldOf(term)?.[0] === key.toLowerCase())
}

/** Sets the filter for a field. @param value empty to remove the filter */
export function chooseField(text: string, key: string, value: string): string {
  const plain = value.replaceAll('"', '').trim()
  const term = /\s/.test(plain) ? `${key}="${plain}"` : `${key}=${plain}`
  return [withoutField(text, key), plain && term].filter(Boolean).join(' ')
}

function fieldOf(term: string): [key: string, value: string] | undefined {
  const [, key, value = ''] = fieldFilter.exec(term) ?? []
  return key === undefined ? undefined : [key.toLowerCase(), plainValue(value)]
}

const without = (text: string, isLeftOut: (term: string) => boolean): string =>
  termsOf(text)
    .filter((term) => !isLeftOut(term))
    .join(' ')

/** Returns whether the text contains a filter such as `type:svg` or `unused`. */
export function hasFilter(text: string, term: string): boolean {
  return termsOf(text).some((part) => part.toLowerCase() === term)
}

/** Adds or removes a filter. `used` and `unused` exclude each other. */
export function toggleFilter(text: string, term: string): string {
  const usage = usageOf(term)
  const rest = without(text, (part) => part.toLowerCase() === term || Boolean(usage && usageOf(part)))
  return [rest, !hasFilter(text, term) && term].filter(Boolean).join(' ')
}

function usageOf(term: string): 'used' | 'unused' | undefined {
  const lower = term.toLowerCase()
  return lower === 'used' || lower === 'unused' ? lower : undefined
}
