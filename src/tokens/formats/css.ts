import { ident } from './css-text.js'
import { joinName, type TokenSheet } from './sheet.js'
import { colorLines, fontFaces, fontImports, headComment, rule } from './style-sheet.js'

/** `:root { --brand-coral: #e5603f; }`, and the fonts. */
export function css(sheet: TokenSheet): string {
  const lines = colorLines(
    sheet.colors.values(),
    ({ slug, css: value }) => `--${ident(joinName(sheet.prefix, slug))}: ${value};`,
  )
  return headComment(sheet) + fontImports(sheet) + rule(':root', lines) + fontFaces(sheet)
}
