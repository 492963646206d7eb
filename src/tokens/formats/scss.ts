import { colorValue } from '../dark.js'
import { headLines, ident, joinName, string, type TokenSheet } from './sheet.js'
import { colorLines, deprecation, fontFaces, fontImports } from './style-sheet.js'

/** Writes a Sass file: `$brand-coral: #e5603f;`, the map `$brand` with all colors, and the fonts. */
export function scss(sheet: TokenSheet): string {
  const { prefix, colors, former } = sheet
  const slugs = [...colors.values()].flatMap(({ slug, uuid }) => [slug, ...(former.get(uuid) ?? [])])
  const names = new Map(slugs.map((slug) => [slug, variable(joinName(prefix, slug))]))
  const nameOf = (slug: string): string => names.get(slug) ?? ''
  // Write silent comments, because Sass evaluates `#{…}` in other comments and copies them to its output.
  const head = headLines(sheet).map((line) => `// ${line}\n`)
  const variables = colorLines(
    sheet,
    (color, aliases) => [
      `${nameOf(color.slug)}: ${colorValue(color)};`,
      ...aliases.map((alias) => `${nameOf(alias)}: ${nameOf(color.slug)}; // ${deprecation(color.slug)}`),
    ],
    (text) => `// ${text}`,
  )
  const entries = slugs.map((slug) => `  ${string(slug)}: ${nameOf(slug)},\n`)
  const map = `\n${mapName(sheet.map, new Set(names.values()))}: (\n${entries.join('')});\n`
  const lines = variables.length === 0 ? '' : `\n${variables.join('\n')}\n`
  return head.join('') + fontImports(sheet) + lines + map + fontFaces(sheet)
}

/** Returns a Sass variable. Its name can't begin with a digit. */
function variable(name: string): string {
  return `$${/^-*\d/.test(name) ? '_' : ''}${ident(name)}`
}

/**
 * Returns a free name for the map, because without a prefix, a color may have the same name. Sass treats `-` and `_` as
 * the same character.
 */
function mapName(name: string, taken: ReadonlySet<string>): string {
  const folded = new Set([...taken].map((one) => one.replaceAll('_', '-')))
  const candidate = variable(name)
  return folded.has(candidate.replaceAll('_', '-')) ? mapName(`${name}-colors`, taken) : candidate
}
