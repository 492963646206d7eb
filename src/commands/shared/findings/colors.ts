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

const difference = differenceCiede2000()

/**
 * Finds the colors of kits in texts. White and black are left out.
 * @param limit the largest difference by CIEDE2000: 1 is barely seen
 */
export function openColors(used: Iterable<Used>, limit: number) {
  const known = [...used].flatMap(({ record, known: asset }) => {
    const hex = isColor(record) ? readColor(record)?.hex.toLowerCase() : undefined
    const color = hex === undefined || common.includes(hex) ? undefined : parse(hex)
    return hex === undefined || color === undefined ? [] : [{ asset, hex, color }]
  })
  const matches = new Map<string, Match | undefined>()

  /** Returns the nearest color of kits. */
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
      // Colors in an SVG belong to the drawing, not to the text.
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
