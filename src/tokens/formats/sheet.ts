import type { ColorToken, FontToken } from '../../asset.js'

/** What a file of tokens is written from. Everything but `kit` and `prefix` is content, which may be any text. */
export interface TokenSheet {
  /** The kit as the project names it: `brand@2`. */
  kit: string
  /** The first word of each name; an empty string for none. */
  prefix: string
  /** The name of the Sass map with all colors. */
  map: string
  /** By export name, in display order. */
  colors: ReadonlyMap<string, ColorToken>
  fonts: ReadonlyMap<string, SheetFont>
  /** Option `darkMode`, unless the color scheme of the user decides. */
  darkMode?: string | undefined
  /** Names from before renames, by uuid: slugs, or in a script export names. No other token has them. */
  former: ReadonlyMap<string, readonly string[]>
}

export type SheetFont = Omit<FontToken, 'src'> & {
  /** The address of the file. Absent for a font without a file, and where the format has no addresses. */
  address?: { text: string; relative: boolean } | undefined
}

/** Joins the words of a name, such as prefix and slug. */
export function joinName(...words: readonly string[]): string {
  return words.filter((word) => word !== '').join('-')
}
