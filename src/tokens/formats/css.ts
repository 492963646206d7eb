import { colorValue, darkRule, schemeLines } from '../dark.js'
import { ident, joinName, type TokenSheet } from './sheet.js'
import { colorLines, deprecation, fontFaces, fontImports, headComment, rule } from './style-sheet.js'

/** Writes a CSS file: `:root { --brand-coral: #e5603f; }`, and the fonts. */
export function css(sheet: TokenSheet): string {
  const variable = (slug: string): string => customProperty(sheet.prefix, slug)
  const lines = colorLines(sheet, (color, former) => [
    `${variable(color.slug)}: ${colorValue(color, sheet.darkMode)};`,
    ...former.map((alias) => `${variable(alias)}: var(${variable(color.slug)}); /* ${deprecation(color.slug)} */`),
  ])
  return (
    headComment(sheet) +
    fontImports(sheet) +
    rule(':root', [...schemeLines(sheet), ...lines]) +
    darkRule(sheet, variable) +
    fontFaces(sheet)
  )
}

/** Returns the custom property of a token, such as `--brand-coral`. */
export function customProperty(prefix: string, slug: string): string {
  return `--${ident(joinName(prefix, slug))}`
}
