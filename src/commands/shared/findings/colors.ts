import { extname } from 'node:path'
import { differenceCiede2000, parse } from 'culori'
import { isColor } from '../../../space/asset-type.js'
import { styleSheets } from '../../../source/source-files.js'
import { withoutStrings } from '../../../source/style-sheet.js'
import { readColor } from '../../../space/color.js'
import { lineFinder } from '../../../text/lines.js'
import { omitUndefined } from '../../../text/omit-undefined.js'
import type { Used } from './known.js'
import type { Match } from './match.js'
import type { PictureInText } from './pictures-in.js'

/**
 * Matches a color used as a value, after punctuation or a word. Private class fields and ids in selectors aren't
 * colors. Limits repetitions, so that the time grows linearly with the length of the text.
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

/** Colors that every project contains. */
const common = ['#ffffff', '#000000']

/** Finds the colors in a script, a page or a style sheet, with their lines, from 1. */
export function colorsIn(text: string, file: string): { text: string; line: number; start: number }[] {
  const lineOf = lineFinder(text)
  const searched = isStyleSheet.test(extname(file)) ? withoutStrings(text) : text
  return [...searched.matchAll(literal)].map(({ 0: found, index }) => ({
    text: found,
    line: lineOf(index),
    start: index,
  }))
}

const difference = differenceCiede2000()

/**
 * Finds the colors of kits in code. Leaves out white and black.
 * @param limit the maximum CIEDE2000 distance; 1 is barely visible
 */
export function openColors(used: Iterable<Used>, limit: number) {
  const known = [...used].flatMap(({ record, known: asset }) => {
    const hex = isColor(record) ? readColor(record)?.hex.toLowerCase() : undefined
    const color = hex === undefined || common.includes(hex) ? undefined : parse(hex)
    return hex === undefined || color === undefined ? [] : [{ asset, hex, color }]
  })
  const matches = new Map<string, Match | undefined>()

  /** Returns the nearest color in the kits. */
  function match(text: string): Match | undefined {
    const found = parse(text)
    if (found === undefined || common.some((hex) => difference(hex, found) < 0.1)) return undefined
    const near = known.map((one) => ({ ...one, distance: difference(one.color, found) }))
    const [best] = near.toSorted((a, b) => a.distance - b.distance)
    if (best === undefined || best.distance > limit) return undefined
    const { asset, hex, distance } = best
    const color = { text, distance: Math.round(distance * 10) / 10, hex }
    return { finding: 'color', ...asset, import: `content-space:tokens/${asset.kit}`, color }
  }

  return {
    known,
    find(source: string, file: string, pictures: readonly PictureInText[]) {
      // Colors in an SVG belong to the picture, not to the code around it.
      const isInPicture = (at: number) => pictures.some(({ start, end }) => at >= start && at < end)
      return colorsIn(source, file).flatMap(({ text, line, start }) => {
        if (isInPicture(start)) return []
        if (!matches.has(text)) matches.set(text, match(text))
        const result = matches.get(text)
        return result === undefined ? [] : [omitUndefined({ ...result, line })]
      })
    },
  }
}
