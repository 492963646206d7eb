import { slugOf } from '../../kit/identifiers.js'
import { colorValue, darkRule, schemeLines } from '../dark.js'
import { ident, joinName, string, type TokenSheet } from './sheet.js'
import { colorLines, deprecation, fontFaces, fontImports, headComment, rule } from './style-sheet.js'

/** Writes a theme for Tailwind 4: `@theme { --color-coral: #e5603f; --font-inter: "Inter"; }`, and the fonts. */
export function tailwind(sheet: TokenSheet): string {
  const name = (kind: string, slug: string): string => `--${ident(joinName(kind, sheet.prefix, slug))}`
  // Former names repeat the value instead of referring to the variable, because Tailwind omits variables that no class
  // uses, and computes with constant colors.
  const colors = colorLines(sheet, (color, former) => [
    `${name('color', color.slug)}: ${colorValue(color, sheet.darkMode)};`,
    ...former.map(
      (alias) => `${name('color', alias)}: ${colorValue(color, sheet.darkMode)}; /* ${deprecation(color.slug)} */`,
    ),
  ])
  const families = [...familiesOf(sheet)].map(([slug, family]) => `${name('font', slug)}: ${string(family)};`)
  const scheme = rule(':root', schemeLines(sheet)) + darkRule(sheet, (slug) => name('color', slug))
  return headComment(sheet) + fontImports(sheet) + rule('@theme', [...colors, ...families]) + scheme + fontFaces(sheet)
}

/**
 * Returns font families by the last part of their variable name. A family with several fonts gets one variable. If two
 * families would get the same name, the second one uses the slugs of its fonts, including former slugs.
 */
function familiesOf({ fonts, former }: TokenSheet): Map<string, string> {
  const families = new Map<string, string>()
  const aliases: [slug: string, family: string][] = []
  for (const { family, slug, uuid } of fonts.values()) {
    const name = slugOf(family) || slug
    const taken = families.get(name)
    if (taken === undefined) families.set(name, family)
    else if (taken !== family) families.set(slug, family)
    if (families.get(slug) === family)
      aliases.push(...(former.get(uuid) ?? []).map((alias): [string, string] => [alias, family]))
  }
  for (const [alias, family] of aliases) if (!families.has(alias)) families.set(alias, family)
  return families
}
