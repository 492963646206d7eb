import { extname } from 'node:path'
import { differenceCiede2000, parse } from 'culori'
import { isColor } from '../../space/asset-type.js'
import { styleSheets } from '../../source/source-files.js'
import { withoutStrings } from '../../source/style-sheet.js'
import { readColor } from '../../space/color.js'
import { lineFinder } from '../../text/lines.js'
import type { KnownAsset, Used } from './known.js'
import type { Match } from './match.js'

export interface KnownColor {
  asset: KnownAsset
  /** `#e5603f` */
  hex: string
}

/**
 * A color as a value: behind punctuation or a word. Neither private fields of classes nor ids in selectors are colors.
 * Repetitions are limited, so that the time grows with the length of the text only.
 */
const literal = new RegExp(
  [
    /(?<=[:(,"'`=]\s{0,99}|[\w)%][ \t]{1,99})/,
    /(?:#(?:[\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})|(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([^()"'`{}]{3,60}\))/,
    /(?![\w-])(?!\s{0,99}[=(])(?![^;{}"'`]{0,999}\{)/,
  ]
    .map(({ source }) => source)
    .join(''),
  'gi',
)

const isStyleSheet = new RegExp(`^\\.(?:${styleSheets})$`, 'i')

/** Every project has these. */
const common = ['#ffffff', '#000000']

/** Finds the colors that a script, a page or a style sheet contains, and their lines, from 1. */
export function colorsIn(text: string, file: string): { text: string; line: number; start: number }[] {
  const lineOf = lineFinder(text)
  const searched = isStyleSheet.test(extname(file)) ? withoutStrings(text) : text
  return [...searched.matchAll(literal)].map(({ 0: found, index }) => ({
    text: found,
    line: lineOf(index),
    start: index,
  }))
}

/** Returns the colors among assets. White and black are left out. */
export function knownColors(used: Iterable<Used>): KnownColor[] {
  return [...used].flatMap(({ record, known }) => {
    const hex = isColor(record) ? readColor(record)?.hex.toLowerCase() : undefined
    if (hex === undefined || common.includes(hex)) return []
    return [{ asset: { ...known, import: `content-space:tokens/${known.kit}` }, hex }]
  })
}

const difference = differenceCiede2000()

/**
 * Returns a function that finds the nearest color of kits.
 * @param limit the largest difference by CIEDE2000: 1 is barely seen
 */
export function createColorMatcher(known: readonly KnownColor[], limit: number): (text: string) => Match | undefined {
  const colors = known.flatMap(({ asset, hex }) => {
    const color = parse(hex)
    return color ? [{ asset, hex, color }] : []
  })
  const matches = new Map<string, Match | undefined>()
  const match = (text: string): Match | undefined => {
    const found = parse(text)
    if (found === undefined || common.some((hex) => difference(hex, found) < 0.1)) return undefined
    const near = colors.map(({ color, ...rest }) => ({ ...rest, distance: difference(color, found) }))
    const [best] = near.toSorted((a, b) => a.distance - b.distance)
    if (best === undefined || best.distance > limit) return undefined
    const { asset, hex } = best
    return { finding: 'color', ...asset, color: { text, distance: Math.round(best.distance * 10) / 10, hex } }
  }
  return (text) => {
    if (!matches.has(text)) matches.set(text, match(text))
    return matches.get(text)
  }
}
