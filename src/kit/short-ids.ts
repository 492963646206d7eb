import { memoizeWeak } from '../async/memoize.js'
import { assetsOf } from '../space/item-kinds.js'
import { shortIdOf } from '../space/short-id.js'
import { objectOf } from '../text/json.js'
import type { LoadedKit } from './load.js'

/** Returns the short ids of the sections and items of a kit, and of assets with their own short id, by uuid. */
const shortIdsIn = memoizeWeak(({ sections, assets, shortIds }: LoadedKit): ReadonlyMap<string, string> => {
  const found = new Map(shortIds)
  const items = sections.flatMap((section) => section.items)
  for (const { uuid, raw } of [...sections, ...items, ...Object.values(assets)]) {
    const id = shortIdOf(raw)
    if (id !== undefined) found.set(uuid, id)
  }
  return found
})

/** Returns the short id of a single section, item or asset of a kit, without reading the others. */
export function shortIdIn({ shortIds }: LoadedKit, { uuid, raw }: { uuid: string; raw?: unknown }): string | undefined {
  return shortIdOf(raw) ?? shortIds?.get(uuid)
}

/** Returns the short id of a listed kit. */
export function kitShortId({ raw }: Pick<LoadedKit, 'raw'>): string | undefined {
  return shortIdOf(objectOf(raw)['kit'])
}

/** Returns the short ids of the assets of a kit by uuid: their own, and the ids of items with only this asset. */
export const assetShortIds = memoizeWeak((kit: LoadedKit): ReadonlyMap<string, readonly string[]> => {
  const ids = shortIdsIn(kit)
  const found = new Map<string, string[]>()
  const add = (asset: string, id: string | undefined) => id && found.set(asset, [...(found.get(asset) ?? []), id])
  for (const uuid of Object.keys(kit.assets)) add(uuid, ids.get(uuid))
  for (const item of kit.sections.flatMap(({ items }) => items)) {
    const [asset, ...others] = assetsOf(item)
    if (asset !== undefined && others.length === 0) add(asset, ids.get(item.uuid))
  }
  return found
})

/** Returns a function that looks up the short id of a section or an item, for `findByName`. */
export function shortIdsOf(kit: LoadedKit): (uuid: string) => string[] {
  return (uuid) => [shortIdsIn(kit).get(uuid) ?? []].flat()
}
