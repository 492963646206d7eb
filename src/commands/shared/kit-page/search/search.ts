import uFuzzy from '@leeoniya/ufuzzy'
import { colorsNamed } from 'culori/fn'
import { closestMatch } from 'leven'
import type { AssetData, KitData } from '../data.js'
import { assetsOf, textOfItem } from '../items.js'
import { colorOf, distance, labOf, nearColor, type Lab } from './color.js'
import { valuesOf } from './fields.js'
import { parseQuery, plainValue, type SearchQuery } from './query.js'

/** The data that is prepared once for each content of a kit. */
export interface SearchIndex {
  /** In display order. An asset that occurs twice is listed once. */
  assets: AssetData[]
  names: string[]
  /** All searchable text of each asset. */
  texts: string[]
  labs: Lab[][]
  /** Colors by names that only this kit has, in lower case. */
  colors: ReadonlyMap<string, Lab>
  /** Words of names and keywords, for suggestions. */
  vocabulary: string[]
}

export interface Found {
  assets: AssetData[]
  /** Whether the best matches come first. Otherwise, the kit's order applies. */
  isRanked: boolean
  /** For a search without results: a query that would have some. */
  suggestion?: string
}

/**
 * The number of characters of a name within which the position of a match affects the ranking. Later words are found,
 * too.
 */
const maxName = 200
/** The number of an asset's characters that are searched. */
const maxText = 4000
/**
 * The number of a word's letters that are searched. A typing error is tried at each letter, so the time grows with the
 * square of the length. The longest words of most languages are shorter.
 */
const maxWord = 32
/** The number of words for which the search looks for a similar word. */
const maxSuggested = 6
/** The number of a sentence's words that are searched. */
const maxWords = 20

const options: uFuzzy.Options = {
  // Allow one typing error per word. Names may be in any script.
  intraMode: 1,
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: '\\p{Ll}\\p{Lu}',
  intraBound: '\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}',
  intraChars: "[\\p{L}\\d']",
  intraContr: "'\\p{L}{1,2}\\b",
}

const fuzzy = new uFuzzy(options)
/** Matches words only from their start: `for` isn't found in `Platform`. */
const fuzzyWords = new uFuzzy({ ...options, interLft: 2 })

export function createIndex(kit: Pick<KitData, 'sections' | 'assets' | 'colorNames'>): SearchIndex {
  const colors = Object.entries(kit.colorNames ?? {}).flatMap(([name, css]): [string, Lab][] => {
    const lab = labOf(css)
    return lab ? [[name, lab]] : []
  })
  const index: SearchIndex = { assets: [], names: [], texts: [], labs: [], colors: new Map(colors), vocabulary: [] }
  const seen = new Set<string>()
  const words = new Set<string>()
  for (const section of kit.sections) {
    let heading = ''
    for (const item of section.items) {
      if ('heading' in item) heading = item.heading
      for (const uuid of assetsOf(item)) {
        const asset = seen.has(uuid) ? undefined : kit.assets[uuid]
        if (!asset) continue
        seen.add(uuid)
        add(index, asset, [section.name, heading, textOfItem(item)])
        for (const word of plain([asset.name, ...asset.keywords].join(' ').slice(0, maxText)).split(/[^\p{L}\d]+/u))
          if (word.length > 2 && word.length <= maxWord) words.add(word)
      }
    }
  }
  index.vocabulary.push(...words)
  return index
}

/** @param around text around the asset's position */
function add(index: SearchIndex, asset: AssetData, around: readonly string[]): void {
  const { name, slug, keywords, type, font, notes, fields = {}, synonyms = [] } = asset
  const names = [name, asset.export, slug, font?.family ?? '', ...around].map((one) => one.slice(0, maxName))
  const all = [...names, type, ...keywords, ...Object.values(fields).flat(), notes]
  index.assets.push(asset)
  index.names.push(plain(`${name} ${asset.export}`.slice(0, maxName)))
  index.texts.push(plain([all.join(' ').slice(0, maxText), ...synonyms].join(' ')))
  index.labs.push(labsOf(asset))
}

/** @param isUsed undefined if usage is unknown, so that usage filters find everything */
export function search(index: SearchIndex, text: string, isUsed?: (uuid: string) => boolean): Found {
  const query = parseQuery(text)
  query.words = boundedWords(query.words)
  const allowed = index.assets.map((asset) => passes(asset, query, isUsed))
  if (!query.words && query.colors.length === 0)
    return { assets: index.assets.filter((_, at) => allowed[at]), isRanked: false }
  const colors = query.colors.map((color) => colorOf(color) ?? index.colors.get(color.toLowerCase()))
  const places = query.words ? find(index, query.words) : nearest(index, colors)
  const near = query.words && query.colors.length > 0 ? new Set(nearest(index, colors)) : undefined
  const found = places.filter((at) => allowed[at] && (near?.has(at) ?? true))
  const assets = found.flatMap((at) => index.assets[at] ?? [])
  const suggestion = assets.length === 0 ? suggest(index, query) : undefined
  return { assets, isRanked: true, ...(suggestion && { suggestion }) }
}

/** Truncates the searched words, so that no search takes long. */
function boundedWords(words: string): string {
  let left = maxWords
  return words
    .slice(0, maxText)
    .replace(/[\p{L}\p{M}\d']+/gu, (letters) => (left-- > 0 ? letters.slice(0, maxWord) : ''))
    .trim()
}

function passes(asset: AssetData, query: SearchQuery, isUsed?: (uuid: string) => boolean): boolean {
  if (query.types.length > 0 && !query.types.some((type) => type === asset.type.toLowerCase() || type === asset.kind))
    return false
  for (const [key, wanted] of query.fields)
    if (!valuesOf(asset, key).some((value) => wanted.includes(plainValue(value)))) return false
  return !query.usage || !isUsed || isUsed(asset.uuid) === (query.usage === 'used')
}

/**
 * Finds assets with all words. Matches in names come first, best first, followed by matches in other text, followed by
 * colors near a named color. If no asset has all words, finds assets with some of them.
 */
function find(index: SearchIndex, words: string): number[] {
  const needle = plain(words)
  const [named, info, order] = fuzzy.search(index.names, needle, 3, 1000)
  const best = info && order ? order.flatMap((at) => info.idx[at] ?? []) : (named ?? [])
  // Search for each word separately. If the order of words mattered, uFuzzy would try them at every position of long
  // notes, which takes seconds.
  const [others] = fuzzy.search(index.texts, needle, 1, 0)
  // By color name, find only color assets. Names such as `sky` also denote things, and people who search for them don't
  // want every picture with this color.
  const meant = nearest(index, [index.colors.get(needle)]).filter((at) => index.assets[at]?.kind === 'color')
  const found = new Set([...best, ...(others ?? []), ...nearest(index, [colorOf(words)]), ...meant])
  return found.size > 0 ? [...found] : findSome(index, needle)
}

/**
 * Finds assets that have some words of a sentence, such as `the logo for dark pages`. Rare words weigh more, and words
 * in a name count twice. Leaves out assets with less than half of the best weight.
 */
function findSome({ texts, names }: SearchIndex, needle: string): number[] {
  const weights = new Map<number, number>()
  for (const word of new Set(needle.match(/[\p{L}\p{M}\d]{2,}/gu))) {
    const places = fuzzyWords.filter(texts, word) ?? []
    const named = new Set(fuzzyWords.filter(names, word, places))
    const weight = Math.log(texts.length / places.length)
    for (const at of places) weights.set(at, (weights.get(at) ?? 0) + weight * (named.has(at) ? 2 : 1))
  }
  const ranked = [...weights].toSorted((a, b) => b[1] - a[1])
  const least = (ranked[0]?.[1] ?? 0) / 2
  return ranked.flatMap(([at, weight]) => (weight > 0 && weight >= least ? [at] : []))
}

function nearest(index: SearchIndex, colors: (Lab | undefined)[]): number[] {
  const wanted = colors.filter((color) => color !== undefined)
  if (wanted.length === 0) return []
  // There are thousands of distances per key press, so don't create a list for each asset.
  const far = (labs: Lab[]): number => {
    let least = Infinity
    for (const lab of labs) for (const color of wanted) least = Math.min(least, distance(lab, color))
    return least
  }
  const near: { at: number; far: number }[] = []
  for (const [at, labs] of index.labs.entries()) {
    const least = far(labs)
    if (least < nearColor) near.push({ at, far: least })
  }
  return near.toSorted((a, b) => a.far - b.far).map(({ at }) => at)
}

function suggest(index: SearchIndex, { words, colors }: SearchQuery): string | undefined {
  const vocabulary = words ? index.vocabulary : Object.keys(colorsNamed)
  const nearestWords = plain(words || colors.join(' '))
    .split(' ')
    .slice(0, maxSuggested)
    .flatMap((word) => {
      const maxDistance = Math.max(1, Math.floor(word.length / 2))
      return closestMatch(word, vocabulary, { maxDistance }) ?? []
    })
  // The words together may not find anything, although each of them does.
  const texts = [nearestWords.join(' '), ...nearestWords.toSorted((a, b) => b.length - a.length)]
  return texts.find((text) => text !== '' && find(index, text).length > 0)
}

/**
 * Returns text without accents, in lower case. Most text is ASCII, and looking for accents would take longer than the
 * rest.
 */
const plain = (text: string): string => (/^[\x20-\x7e\s]*$/.test(text) ? text : uFuzzy.latinize(text)).toLowerCase()

function labsOf(asset: AssetData): Lab[] {
  const colors = asset.color ? [asset.color.css] : asset.colors
  return colors.flatMap((css) => {
    const lab = labOf(css)
    return lab ? [lab] : []
  })
}
