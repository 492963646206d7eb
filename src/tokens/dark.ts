import type { ColorToken } from '../asset.js'
import { ContentSpaceError } from '../errors.js'
import { slugOf } from '../kit/identifiers.js'
import { didYouMean } from '../text/nearest.js'
import type { LabeledTokens } from './labels.js'

/**
 * Pairs colors with those of the same name in a section or under a heading for dark ground, which are no tokens of
 * their own then. Other colors stay.
 * @param dark its name
 * @param asAssets whether tokens keep the slugs of assets
 * @throws ContentSpaceError `invalidOption` if it has no colors
 */
export function pairColors<T extends LabeledTokens>(tokens: T, dark: string, asAssets: boolean): T {
  const isDark = ({ group }: ColorToken): boolean => group.some((name) => slugOf(name) === slugOf(dark))
  const all = [...tokens.colors]
  const partners = new Map(all.flatMap(([, color]) => (isDark(color) ? [[slugOf(color.name), color]] : [])))
  if (partners.size === 0) {
    const groups = [...new Set(all.flatMap(([, { group }]) => group))]
    throw new ContentSpaceError('invalidOption', `The kit has no colors in a section or under a heading ${dark}.`, {
      hint: `${didYouMean(dark, groups)} Colors are in ${groups.join(', ')}.`.trim(),
    })
  }
  const paired = new Set(all.flatMap(([, color]) => (isDark(color) ? [] : slugOf(color.name))))
  const left = all.filter(([, color]) => !(isDark(color) && paired.has(slugOf(color.name))))
  const taken = new Set([...left.map(([name]) => name), ...tokens.fonts.keys()])
  const colors = left.map(([name, color]): [string, ColorToken] => {
    const partner = isDark(color) ? undefined : partners.get(slugOf(color.name))
    if (partner === undefined) return [name, color]
    const { hex, alpha, css, rgb, hsb } = partner
    // The part of the uuid tells colors of one name apart, of which one is left.
    const short = withoutUuid(name, color.uuid)
    const isFree = !taken.has(short)
    taken.add(short)
    const slug = isFree && !asAssets ? withoutUuid(color.slug, color.uuid) : color.slug
    return [isFree ? short : name, { ...color, slug, dark: { hex, alpha, css, rgb, hsb } }]
  })
  return { ...tokens, colors: new Map(colors) }
}

function withoutUuid(name: string, uuid: string): string {
  const end = uuid.slice(0, 8).toLowerCase()
  return name.toLowerCase().endsWith(end) ? name.slice(0, -end.length - 1) : name
}

/** Returns the value of a color in CSS: by the color scheme, if it has a partner for dark ground. */
export function colorValue({ css, dark }: ColorToken): string {
  return dark === undefined ? css : `light-dark(${css}, ${dark.css})`
}

/** Returns the declaration that `light-dark()` needs, if a color has a partner. */
export function schemeLines(colors: ReadonlyMap<string, ColorToken>): string[] {
  return [...colors.values()].some(({ dark }) => dark) ? ['color-scheme: light dark;'] : []
}
