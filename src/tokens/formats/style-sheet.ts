import type { ColorToken } from '../../asset.js'
import { commentText, headLines, string, type SheetFont, type TokenSheet } from './sheet.js'

// Code that the formats CSS, Tailwind, and Sass share.

/** The names of font formats in `src`, by extension. */
export const fontFormats: Readonly<Record<string, string>> = {
  woff2: 'woff2',
  woff: 'woff',
  otf: 'opentype',
  ttf: 'truetype',
}

/**
 * The only origin from which style sheets are imported. A style sheet can change the whole page, and its URL is
 * content, so for other origins the command only prints the names of the fonts.
 */
const FONT_SERVICE = 'https://fonts.googleapis.com'

export function headComment(sheet: TokenSheet): string {
  return `/* ${headLines(sheet).join('\n   ')} */\n`
}

/** Returns the imports of fonts that aren't files. Imports must be the first rules of a style sheet. */
export function fontImports({ fonts }: TokenSheet): string {
  const addresses = new Set([...fonts.values()].flatMap(({ stylesheet = '' }) => stylesheet))
  return [...addresses]
    .filter(isImported)
    .map((address) => `@import ${urlText(address)};\n`)
    .join('')
}

/** Checks whether style sheets import a font from this URL. */
export function isImported(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { origin, username, password } = new URL(address)
  return origin === FONT_SERVICE && username === '' && password === ''
}

/**
 * Writes the lines of each color, with a comment where a new group begins.
 * @param lines is also called with the former slugs
 */
export function colorLines(
  { colors, former }: TokenSheet,
  lines: (color: ColorToken, former: readonly string[]) => readonly string[],
  comment = (text: string) => `/* ${text} */`,
): string[] {
  let before = ''
  return [...colors.values()].flatMap((color) => {
    const group = color.group.map(commentText).filter(Boolean).join(', ')
    const heading = group === before || group === '' ? [] : [comment(group)]
    before = group
    return [...heading, ...lines(color, former.get(color.uuid) ?? [])]
  })
}

/**
 * Returns the comment that follows a former name.
 * @param slug the current slug
 */
export function deprecation(slug: string): string {
  return `Deprecated, renamed to ${commentText(slug)}`
}

/** Writes a `@font-face` rule for each font that has a file. */
export function fontFaces({ fonts }: TokenSheet): string {
  return [...fonts.values()].map(fontFace).join('')
}

function fontFace(font: SheetFont): string {
  const { family, weight, weightRange, style, slantRange, format, address } = font
  if (address === undefined) return ''
  const name = fontFormats[format]
  const src = `${urlText(address.text)}${name === undefined ? '' : ` format("${name}")`}`
  const stretch = font.stretchRange ?? [font.stretch ?? 100]
  const descriptors = [
    `font-family: ${string(family)}`,
    `font-weight: ${weightRange?.join(' ') ?? weight}`,
    `font-style: ${slantRange ? `oblique ${units(slantRange, 'deg')}` : style}`,
    ...(stretch.some((percent) => percent !== 100) ? [`font-stretch: ${units(stretch, '%')}`] : []),
    'font-display: swap',
    `src: ${src}`,
  ]
  return `\n@font-face {\n${descriptors.map((descriptor) => `  ${descriptor};\n`).join('')}}\n`
}

function units(numbers: readonly number[], unit: string): string {
  return numbers.map((one) => `${one}${unit}`).join(' ')
}

export function urlText(address: string): string {
  return `url(${string(address)})`
}

export function rule(selector: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n${selector} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`
}
