import type { Token } from '../asset.js'
import { assetIn, namesIn, type NamedKit } from '../kit/named-kit.js'
import { assetsOf } from '../space/item-kinds.js'
import type { AssetRecord } from '../space/space.js'

/** An asset in display order, with what all tokens have. */
export interface PlacedAsset {
  asset: AssetRecord
  /** The export name. */
  name: string
  token: Token
}

/** Returns the assets of a kit, each where it comes first. */
export function placedAssets(named: NamedKit): PlacedAsset[] {
  const placed = new Map<string, PlacedAsset>()
  for (const section of named.kit.sections) {
    let group = [section.name]
    for (const item of section.items) {
      if (item.type === 'heading') group = [section.name, item.content ?? '']
      for (const uuid of assetsOf(item)) {
        if (placed.has(uuid)) continue
        const asset = assetIn(named, uuid)
        const { name, slug } = namesIn(named, uuid)
        placed.set(uuid, { asset, name, token: { uuid, name: asset.name, slug, group, notes: asset.notes } })
      }
    }
  }
  return [...placed.values()]
}
