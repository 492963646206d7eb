import { memoizeWeak } from '../async/memoize.js'
import { attempt } from '../async/attempt.js'
import { ContentSpaceError, ignoreOwnErrors } from '../errors.js'
import { canBeDark, type Query } from '../request/query.js'
import { isData } from '../space/asset-type.js'
import type { AssetRecord, PairedAsset } from '../space/space.js'
import { groupBy } from '../text/group-by.js'
import { didYouMean } from '../text/nearest.js'
import { findAsset, slugsOfAsset, type NamedKit } from './named-kit.js'

/**
 * Returns an asset with its dark counterpart from the query, or otherwise from option `kits`.
 * @throws ContentSpaceError `assetNotFound`, `ambiguousName` for the counterpart; `invalidQuery` if the counterpart is
 *   the asset itself
 */
export function withDark(named: NamedKit, asset: AssetRecord, query: Query): PairedAsset {
  if (!canBeDark(query)) return asset
  const dark = query.dark === undefined ? chosenCounterpart(named, asset) : findAsset(named, query.dark)
  if (dark?.uuid === asset.uuid) {
    const details = { asset: asset.uuid, hint: 'Name another asset of the kit.' }
    throw new ContentSpaceError('invalidQuery', `${asset.name} cannot be its own dark version.`, details)
  }
  if (dark && isData(dark) && !isData(asset)) {
    const message = `${dark.name} (${dark.type}) has no file, so it cannot be the dark version of ${asset.name}.`
    throw new ContentSpaceError('invalidQuery', message, { asset: asset.uuid, hint: 'Name a picture of the kit.' })
  }
  return dark === undefined ? asset : { ...asset, dark }
}

/** Returns the dark counterpart in option `kits`, or undefined if this version doesn't contain it. */
export function presentCounterpart(named: NamedKit, asset: AssetRecord): AssetRecord | undefined {
  return attempt(() => chosenCounterpart(named, asset), ignoreOwnErrors)
}

/**
 * Returns the dark counterpart in option `kits`. If the pattern matches the names of several assets, prefers an asset
 * of the same type. Throws the errors of `findAsset`.
 */
export function chosenCounterpart(named: NamedKit, asset: AssetRecord): AssetRecord | undefined {
  const { uuid, name, type } = asset
  const { pairs, pattern } = named.dark
  if (pairs.size > 0) {
    const counterpart = [uuid, ...slugsOfAsset(named.assets, uuid)].map((key) => pairs.get(key)).find(Boolean)
    if (counterpart !== undefined) return findAsset(named, counterpart)
  }
  if (pattern === undefined) return undefined
  const others = namesakes(named)
    .get(pattern.replaceAll('{name}', () => name))
    ?.filter((other) => other.uuid !== uuid && isData(other) === isData(asset))
  return others?.find((other) => other.type === type) ?? others?.[0]
}

/** Returns the warning for a pattern that doesn't pair any assets. */
export const patternWarning = memoizeWeak((named: NamedKit): string | undefined => {
  const { pattern } = named.dark
  if (pattern === undefined) return undefined
  const byName = namesakes(named)
  const names = [...byName.keys()]
  if (names.some((name) => byName.has(pattern.replaceAll('{name}', () => name)))) return undefined
  const near = didYouMean(pattern.replace('{name}', '').trim(), names.join(' ').split(/[\s_-]+/))
  return `darkPattern '${pattern}' pairs no assets of kit ${named.kit.name}. ${near}`.trim()
})

/** Groups the assets of a kit by name. Memoized, because the search for a counterpart runs for each asset of a kit. */
const namesakes = memoizeWeak(({ kit }: NamedKit) => groupBy(Object.values(kit.assets), ({ name }) => name))
