import { ident } from './css-text.js'
import { joinName, type TokenSheet } from './sheet.js'
import { colorLines, deprecation, fontFaces, fontImports, headComment, rule } from './style-sheet.js'

/** `:root { --brand-coral: #e5603f; }`, and the fonts. */
export function css(sheet: TokenSheet): string {
  const variable = (slug: string): string => customProperty(sheet.prefix, slug)
  const lines = colorLines(sheet, ({ slug, css: value }, former) => [
    `${variable(slug)}: ${value};`,
    ...former.map((alias) => `${variable(alias)}: var(${variable(slug)}); /* ${deprecation(slug)} */`),
  ])
  return headComment(sheet) + fontImports(sheet) + rule(':root', lines) + fontFaces(sheet)
}

/** Returns the custom property of a token: `--brand-coral`. */
export function customProperty(prefix: string, slug: string): string {
  return `--${ident(joinName(prefix, slug))}`
}
