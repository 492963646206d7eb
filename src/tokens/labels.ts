import type { Token } from '../asset.js'
import { slugOf } from '../kit/identifiers.js'
import type { AssetNames } from '../kit/names.js'
import { foldName } from '../text/letters.js'
import type { KitTokens } from './load.js'

/** The tokens of a kit, with their names in the lockfile and the project. */
export type LabeledTokens = Pick<KitTokens, 'colors' | 'fonts'> & {
  named: { assets: ReadonlyMap<string, AssetNames>; chosen: { byAsset: ReadonlyMap<string, string> } }
}

type NamedTokens = Pick<LabeledTokens, 'named'> &
  Record<'colors' | 'fonts', ReadonlyMap<string, Pick<Token, 'uuid' | 'slug'>>>

/** The names of tokens in a token file, by uuid. */
export interface TokenLabels {
  slugs: ReadonlyMap<string, string>
  /**
   * The names that tokens had before they were renamed: slugs, or export names in a script. They never conflict with
   * another token's name.
   */
  former: ReadonlyMap<string, readonly string[]>
}

/** Returns the names of tokens in a script, which has the same structure as the tokens module. */
export function scriptLabels({ colors, fonts, named: { assets } }: LabeledTokens): TokenLabels {
  const names = new Map([...colors, ...fonts].map(([name, { uuid }]) => [uuid, name]))
  return { slugs: new Map(), former: formerLabels(names, (uuid) => namesBefore(assets, uuid, 'name')) }
}

/**
 * Returns the names of tokens as variables: the slugs of names that the project chose, such as `sun-yellow` for
 * `sunYellow`, or else the slugs of the assets.
 */
export function variableLabels({ colors, fonts, named: { assets, chosen } }: NamedTokens): TokenLabels {
  const tokens = [...colors.values(), ...fonts.values()]
  const given = new Map(tokens.map(({ uuid }) => [uuid, slugOfName(chosen.byAsset.get(uuid) ?? '')]))
  // If two tokens would get the same slug, neither gets it, so that the result doesn't depend on the display order.
  const counts = countsOf([...new Set(tokens.map(({ slug }) => slug)), ...given.values()])
  const slugs = new Map(
    tokens.map(({ uuid, slug }) => {
      const own = given.get(uuid) ?? ''
      return [uuid, own !== '' && counts.get(own) === 1 ? own : slug]
    }),
  )
  const own = new Map(tokens.map(({ uuid, slug }) => [uuid, slug]))
  const former = formerLabels(slugs, (uuid) => [own.get(uuid) ?? '', ...namesBefore(assets, uuid, 'slug')])
  return { slugs, former }
}

function slugOfName(name: string): string {
  return slugOf(name.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ').replaceAll('_', ' '))
}

function namesBefore(assets: ReadonlyMap<string, AssetNames>, uuid: string, key: 'name' | 'slug'): string[] {
  return (assets.get(uuid)?.aliases ?? []).map((alias) => alias[key])
}

/** Selects the former labels that differ from all current labels and from each other. */
function formerLabels(
  labels: ReadonlyMap<string, string>,
  labelsBefore: (uuid: string) => readonly string[],
): Map<string, string[]> {
  const taken = new Set([...labels.values()].map(foldName))
  const former = [...labels.keys()].map((uuid): [string, string[]] => {
    const free = labelsBefore(uuid).filter((label) => {
      const isFree = label !== '' && !taken.has(foldName(label))
      taken.add(foldName(label))
      return isFree
    })
    return [uuid, free]
  })
  return new Map(former.filter(([, free]) => free.length > 0))
}

export function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
