import type { ColorToken, FontToken } from '../../asset.js'
import { oneLine } from '../../text/display.js'

/** The input of a format. Everything except `kit` and `prefix` is content and may contain any characters. */
export interface TokenSheet {
  /** The kit as the project names it: `brand@2`. */
  kit: string
  /** The first word of each name, or an empty string. */
  prefix: string
  /** The name of the Sass map with all colors. */
  map: string
  /** The colors by export name, in display order. */
  colors: ReadonlyMap<string, ColorToken>
  fonts: ReadonlyMap<string, SheetFont>
  /** The option `darkMode`. If undefined, the user's color scheme is used. */
  darkMode?: string | undefined
  /**
   * The names before renames, by uuid: slugs, or export names in a script. They never conflict with another token's
   * name.
   */
  former: ReadonlyMap<string, readonly string[]>
}

export type SheetFont = Omit<FontToken, 'src'> & {
  /** The URL of the font file. Undefined for a font without a file, and in formats without URLs. */
  address?: { text: string; relative: boolean } | undefined
}

/** Joins the words of a name, such as prefix and slug. */
export function joinName(...words: readonly string[]): string {
  return words.filter((word) => word !== '').join('-')
}

/** The beginning of the first comment in every token file, which distinguishes these files from the user's own. */
const MARK = 'Written by content-space from kit '

const IDS = [
  'The plugin resolves the addresses of its fonts in Vite, webpack, Rspack, esbuild and Farm.',
  'For plain Sass, the Tailwind CLI, Rollup and other tools, write it with --fonts or option fonts.',
]

export function headLines({ kit, fonts }: TokenSheet): string[] {
  const needsPlugin = [...fonts.values()].some(({ address }) => address?.relative === false)
  return [
    `${MARK}${commentText(kit)}. Changes in this file are lost when it is written again.`,
    ...(needsPlugin ? IDS : []),
  ]
}

/** Checks whether a file's text is a token file in any format. */
export function isWritten(text: string): boolean {
  return new RegExp(`^\\s*(?:/\\*|//|\\{\\s*"\\$?description":\\s*")\\s*${MARK}`).test(text)
}

// In strings of CSS and Sass, we escape every character that isn't known to be harmless: Sass evaluates `#{…}` in
// strings, `</style>` ends a style element, and tools that use regular expressions may mistake a quoted brace for the
// end of a rule.

/**
 * Matches characters that identifiers can't contain (https://drafts.csswg.org/css-syntax/#non-ascii-ident-code-point),
 * invisible characters, and a few punctuation marks.
 */
const outsideIdent = new RegExp(
  `[^-\\w${[
    '\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}',
    '\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{10FFFF}',
  ].join('')}]|\\p{Cf}|\\p{Default_Ignorable_Code_Point}`,
  'gu',
)

const outsideString =
  /[^ \p{L}\p{M}\p{N}_.,:;/?=&%+@!~-]|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

const outsideComment = /[^ \p{L}\p{M}\p{N}_.,:;!?()'"&+=-]/gu

function escape(char: string): string {
  return `\\${(char.codePointAt(0) ?? 0).toString(16)} `
}

export function ident(text: string): string {
  return text.replace(outsideIdent, escape)
}

export function string(text: string): string {
  return `"${text.replace(outsideString, escape)}"`
}

/** Makes a string safe inside a comment by replacing unsafe characters with spaces. */
export function commentText(text: string): string {
  return oneLine(text).replace(outsideComment, ' ').replace(/ +/g, ' ').trim()
}
