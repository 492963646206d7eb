import type { ColorToken } from '../asset.js'
import { ContentSpaceError } from '../errors.js'
import { slugOf } from '../kit/identifiers.js'
import { didYouMean } from '../text/nearest.js'
import type { TokenSheet } from './formats/sheet.js'
import { rule } from './formats/style-sheet.js'
import type { LabeledTokens } from './labels.js'

/** Returns the uuid of a color's dark counterpart. */
export type DarkOf = (uuid: string) => string | undefined

/**
 * Pairs colors with their dark counterparts, which are then no longer separate tokens. Keeps other colors.
 * @param section a section or a heading whose colors are paired by name
 * @param darkOf returns the counterpart in the option `kits`, which takes precedence over the section
 * @param asAssets whether tokens keep the slugs of their assets
 * @throws ContentSpaceError `invalidOption` if the section doesn't contain colors; the errors of `darkOf`
 */
export function pairColors<T extends LabeledTokens>(
  tokens: T,
  section: string | undefined,
  darkOf: DarkOf | undefined,
  asAssets: boolean,
): T {
  const bySection = section === undefined ? undefined : pairsIn(tokens, section)
  const chosen = darkOf && chosenPairs(tokens, darkOf)
  const counterparts = new Map([...(bySection?.counterparts ?? []), ...(chosen?.counterparts ?? [])])
  const hidden = new Set([...(bySection?.hidden ?? []), ...(chosen?.hidden ?? [])])
  if (counterparts.size === 0) return tokens
  const left = [...tokens.colors].filter(([, { uuid }]) => !hidden.has(uuid))
  const taken = new Set([...left.map(([name]) => name), ...tokens.fonts.keys()])
  const colors = left.map(([name, color]): [string, ColorToken] => {
    const counterpart = counterparts.get(color.uuid)
    if (counterpart === undefined) return [name, color]
    const { hex, alpha, css, rgb, hsb } = counterpart
    // The uuid in a name distinguishes colors that share a name. Only one of these colors remains, so remove the uuid.
    const short = withoutUuid(name, color.uuid)
    const isFree = !taken.has(short)
    taken.add(short)
    const slug = isFree && !asAssets ? withoutUuid(color.slug, color.uuid) : color.slug
    return [isFree ? short : name, { ...color, slug, dark: { hex, alpha, css, rgb, hsb } }]
  })
  return { ...tokens, colors: new Map(colors) }
}

/**
 * Pairs colors by name.
 * @returns the dark counterparts by uuid of the light color, and the colors that are no longer tokens
 */
function pairsIn({ colors }: LabeledTokens, dark: string) {
  const isDark = ({ group }: ColorToken): boolean => group.some((name) => slugOf(name) === slugOf(dark))
  const all = [...colors.values()]
  const byName = new Map(all.flatMap((color) => (isDark(color) ? [[slugOf(color.name), color]] : [])))
  if (byName.size === 0) {
    const groups = [...new Set(all.flatMap(({ group }) => group))]
    throw new ContentSpaceError('invalidOption', `The kit has no colors in a section or under a heading ${dark}.`, {
      hint: `${didYouMean(dark, groups)} Colors are in ${groups.join(', ')}.`.trim(),
    })
  }
  const light = all.filter((color) => !isDark(color))
  const paired = new Set(light.map(({ name }) => slugOf(name)))
  return {
    counterparts: counterpartsOf(light, ({ name }) => byName.get(slugOf(name))),
    hidden: new Set(all.flatMap((color) => (isDark(color) && paired.has(slugOf(color.name)) ? color.uuid : []))),
  }
}

function chosenPairs({ colors }: LabeledTokens, darkOf: DarkOf) {
  const byUuid = new Map([...colors.values()].map((color) => [color.uuid, color]))
  const counterparts = counterpartsOf([...byUuid.values()], ({ uuid }) => byUuid.get(darkOf(uuid) ?? ''))
  return { counterparts, hidden: new Set([...counterparts.values()].map(({ uuid }) => uuid)) }
}

function counterpartsOf(colors: readonly ColorToken[], find: (color: ColorToken) => ColorToken | undefined) {
  const pairs = colors.map((color) => [color.uuid, find(color)] as const)
  return new Map(pairs.flatMap(([uuid, counterpart]) => (counterpart ? [[uuid, counterpart]] : [])))
}

function withoutUuid(name: string, uuid: string): string {
  const end = uuid.slice(0, 8).toLowerCase()
  return name.toLowerCase().endsWith(end) ? name.slice(0, -end.length - 1) : name
}

/** Returns the CSS value of a color, which depends on the color scheme if the color has a dark counterpart. */
export function colorValue({ css, dark }: ColorToken, darkMode?: string): string {
  return dark === undefined || darkMode !== undefined ? css : `light-dark(${css}, ${dark.css})`
}

/** Returns the `color-scheme` declaration if any color has a dark counterpart. */
export function schemeLines({ colors, darkMode }: TokenSheet): string[] {
  const isPaired = [...colors.values()].some(({ dark }) => dark)
  return isPaired ? [`color-scheme: ${darkMode === undefined ? 'light dark' : 'light'};`] : []
}

/**
 * Returns the rule for the class or attribute that controls dark mode. Repeats former names, because otherwise they
 * would keep their values from `:root`.
 * @param nameOf returns the custom property of a slug
 */
export function darkRule({ colors, former, darkMode }: TokenSheet, nameOf: (slug: string) => string): string {
  const lines = [...colors.values()].flatMap(({ uuid, slug, dark }) =>
    dark ? [slug, ...(former.get(uuid) ?? [])].map((one) => `${nameOf(one)}: ${dark.css};`) : [],
  )
  return darkMode === undefined || lines.length === 0 ? '' : rule(darkMode, ['color-scheme: dark;', ...lines])
}
