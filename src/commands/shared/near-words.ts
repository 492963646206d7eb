import type { AssetData } from './kit-page/data.js'
import { distance, labOf, nearColor } from './kit-page/search/color.js'
import { colors, icons } from './word-lists.js'

/**
 * Synonyms by an icon's name or a word for what it depicts: `gear` has `cog` and `settings`, and each of these has
 * `gear`.
 */
const synonyms = new Map<string, Set<string>>()
for (const [name, words] of Object.entries(icons))
  for (const word of words) {
    synonyms.set(name, (synonyms.get(name) ?? new Set()).add(word))
    synonyms.set(word, (synonyms.get(word) ?? new Set()).add(name))
  }

/** Returns other words for the things that icons with this name depict. */
export function synonymsOf(name: string): string[] {
  const separate = name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase()
  const words = new Set(separate.match(/[a-z]+/g))
  const found = new Set([...words].flatMap((word) => [...(synonyms.get(word) ?? [])]))
  return [...found].filter((word) => !words.has(word))
}

/** Returns colors by names that CSS doesn't define, if an asset has a similar color. */
export function nearNames(assets: readonly AssetData[]): Record<string, string> {
  const labs = assets.map(({ color }) => color && labOf(color.css)).filter((lab) => lab !== undefined)
  if (labs.length === 0) return {}
  const near = Object.entries(colors).filter(([name, hex]) => {
    const lab = labOf(hex)
    return lab && labOf(name) === undefined && labs.some((one) => distance(one, lab) < nearColor)
  })
  return Object.fromEntries(near)
}
