/** What a text in the search asks for. */
export interface Query {
  /** In lower case. An asset has one of them. */
  types: string[]
  usage?: 'used' | 'unused'
  /** Texts of colors. An asset is near to one of them. */
  colors: string[]
  /** Words to find, with single spaces. */
  words: string
}

const filter = /^(type|color|colour|is):(.*)$/i

export function parseQuery(text: string): Query {
  const query: Query = { types: [], colors: [], words: '' }
  const words: string[] = []
  for (const term of text.split(/\s+/)) {
    const [, key, value = ''] = filter.exec(term) ?? []
    const usage = usageOf(key === undefined ? term : value)
    if (usage && (key === undefined || key === 'is')) query.usage = usage
    else if (key === 'type') query.types.push(...value.toLowerCase().split(',').filter(Boolean))
    else if (key === 'color' || key === 'colour') query.colors.push(...value.split(',').filter(Boolean))
    else if (/^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(term)) query.colors.push(term)
    // A color that is not complete yet would find nothing.
    else if (!/^#[\da-f]{0,6}$/i.test(term)) words.push(term)
  }
  query.words = words.filter(Boolean).join(' ')
  return query
}

/** Returns the text without its filters of types. */
export function withoutTypes(text: string): string {
  return text
    .split(/\s+/)
    .filter((term) => !/^type:/i.test(term))
    .join(' ')
}

/** Whether a filter such as `type:svg` or `unused` is part of the text. */
export function hasFilter(text: string, term: string): boolean {
  return text.split(/\s+/).some((part) => part.toLowerCase() === term)
}

/** Adds a filter, or removes it. `used` and `unused` exclude each other. */
export function toggleFilter(text: string, term: string): string {
  const usage = usageOf(term)
  const rest = text.split(/\s+/).filter((part) => part.toLowerCase() !== term && !(usage && usageOf(part)))
  if (!hasFilter(text, term)) rest.push(term)
  return rest.filter(Boolean).join(' ')
}

function usageOf(term: string): 'used' | 'unused' | undefined {
  const lower = term.toLowerCase()
  return lower === 'used' || lower === 'unused' ? lower : undefined
}
