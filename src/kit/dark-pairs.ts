import { ContentSpaceError } from '../errors.js'
import { canBeDark, type Query } from '../request/query.js'
import type { AssetRecord, PairedAsset } from '../space/space.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { findAsset, slugsOfAsset, type NamedKit } from './named-kit.js'

/**
 * Returns an asset with its partner for dark grounds: the one that the query names, else that of option `kits`.
 * @throws ContentSpaceError `assetNotFound`, `ambiguousName` for the partner; `invalidQuery` for the asset itself
 */
export function withDark(named: NamedKit, asset: AssetRecord, query: Query): PairedAsset {
  if (!canBeDark(query)) return asset
  const dark = query.dark === undefined ? chosenPartner(named, asset) : findAsset(named, query.dark)
  if (dark?.uuid === asset.uuid) {
    const hint = 'Name another asset of the kit.'
    throw new ContentSpaceError('invalidQuery', `${asset.name} cannot be its own dark version.`, {
      asset: asset.uuid,
      hint,
    })
  }
  return { ...asset, ...omitUndefined({ dark }) }
}

/** Returns the partner that option `kits` names. Throws what `findAsset` throws. */
export function chosenPartner(named: NamedKit, { uuid, name }: AssetRecord): AssetRecord | undefined {
  const { pairs, pattern } = named.dark
  if (pairs.size > 0) {
    const partner = [uuid, ...slugsOfAsset(named.assets, uuid)].map((key) => pairs.get(key)).find(Boolean)
    if (partner !== undefined) return findAsset(named, partner)
  }
  if (pattern === undefined) return undefined
  const wanted = pattern.replaceAll('{name}', name)
  return Object.values(named.kit.assets).find((other) => other.name === wanted && other.uuid !== uuid)
}
