/** The filters and words that a text in the search asks for. */
export interface SearchQuery {
  /** In lower case. An asset has one of them. */
  types: string[]
  usage?: 'used' | 'unused'
  /** Texts of colors. An asset is near to one of them. */
  colors: string[]
  /** Values of custom fields, by key, both in lower case. An asset has one of each field. */
  fields: ReadonlyMap<string, readonly string[]>
  /** Words to find, with single spaces. */
  words: string
}

const filter = /^(type|color|colour|is):(.*)$/i
const fieldFilter = /^([\p{L}\p{M}\p{N}_$]+)=(.*)$/u

/** Words and filters. The value of a field may contain spaces: `rights="Print only"`. */
const termsOf = (text: string): string[] => text.match(/[^\s="]+="[^"]*"?|\S+/g) ?? []

export function parseQuery(text: string): SearchQuery {
  const fields = new Map<string, string[]>()
  const query: SearchQuery = { types: [], colors: [], fields, words: '' }
  const words: string[] = []
  for (const term of termsOf(text)) {
    const field = fieldOf(term)
    if (field) {
      const [name, wanted] = field
      // A value that is not typed yet would find nothing.
      if (wanted) fields.set(name, [...(fields.get(name) ?? []), wanted])
      continue
    }
    const [, key, value = ''] = filter.exec(term) ?? []
    const usage = usageOf(key === undefined ? term : value)
    if (usage && (key === undefined || key === 'is')) query.usage = usage
    else if (key === 'type') query.types.push(...value.toLowerCase().split(',').filter(Boolean))
    else if (key === 'color' || key === 'colour') query.colors.push(...value.split(',').filter(Boolean))
    else if (/^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(term)) query.colors.push(term)
    // A color that is not complete yet would find nothing.
    else if (!/^#[\da-f]{0,6}$/i.test(term)) words.push(term)
  }
  query.words = words.join(' ')
  return query
}

/** Returns the text without its filters of types. */
export function withoutTypes(text: string): string {
  return without(text, (term) => /^type:/i.test(term))
}

/** The value of a field as filters have it. */
export const plainValue = (value: string | number): string =>
  String(value).replaceAll('"', '').replace(/\s+/g, ' ').trim().toLowerCase()

/** Returns the text without its filters of a field. */
export function withoutField(text: string, key: string): string {
  return without(text, (term) => fieldOf(term)?.[0] === key.toLowerCase())
}

/** Sets the filter of a field. @param value empty to remove it */
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

/** Whether a filter such as `type:svg` or `unused` is part of the text. */
export function hasFilter(text: string, term: string): boolean {
  return termsOf(text).some((part) => part.toLowerCase() === term)
}

/** Adds a filter, or removes it. `used` and `unused` exclude each other. */
export function toggleFilter(text: string, term: string): string {
  const usage = usageOf(term)
  const rest = without(text, (part) => part.toLowerCase() === term || Boolean(usage && usageOf(part)))
  return [rest, !hasFilter(text, term) && term].filter(Boolean).join(' ')
}

function usageOf(term: string): 'used' | 'unused' | undefined {
  const lower = term.toLowerCase()
  return lower === 'used' || lower === 'unused' ? lower : undefined
}
