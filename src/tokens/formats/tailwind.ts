import { slugOf } from '../../kit/identifiers.js'
import { ident, string } from './css-text.js'
import { joinName, type TokenSheet } from './sheet.js'
import { colorLines, fontFaces, fontImports, headComment, rule } from './style-sheet.js'

/** A theme of Tailwind 4: `@theme { --color-coral: #e5603f; --font-inter: "Inter"; }`, and the fonts. */
export function tailwind(sheet: TokenSheet): string {
  const name = (kind: string, slug: string): string => `--${ident(joinName(kind, sheet.prefix, slug))}`
  const colors = colorLines(sheet.colors.values(), ({ slug, css }) => `${name('color', slug)}: ${css};`)
  const families = [...familiesOf(sheet)].map(([slug, family]) => `${name('font', slug)}: ${string(family)};`)
  return headComment(sheet) + fontImports(sheet) + rule('@theme', [...colors, ...families]) + fontFaces(sheet)
}

/** Returns the families by the last part of their name. A family of several fonts is one variable. */
function familiesOf({ fonts }: TokenSheet): Map<string, string> {
  const families = new Map<string, string>()
  for (const { family, slug } of fonts.values()) {
    const name = slugOf(family) || slug
    const taken = families.get(name)
    if (taken === undefined) families.set(name, family)
    else if (taken !== family) families.set(slug, family)
  }
  return families
}
