import type { Token } from '../asset.js'
import { assetIn, namesOfAsset, type NamedKit } from '../kit/named-kit.js'
import { placesOfAssets } from '../kit/suggest-names.js'
import type { AssetRecord } from '../space/space.js'

/** An asset in display order, with the fields that all tokens share. */
export interface PlacedAsset {
  asset: AssetRecord
  /** The export name. */
  name: string
  token: Token
}

/** Returns the assets of a kit, each at its first position. */
export function placedAssets(named: NamedKit): PlacedAsset[] {
  return [...placesOfAssets(named.kit)].map(([uuid, group]) => {
    const asset = assetIn(named, uuid)
    const { name, slug } = namesOfAsset(named, uuid)
    return { asset, name, token: { uuid, name: asset.name, slug, group, notes: asset.notes } }
  })
}
