import type { KnownAsset } from '../../asset.js'
import { createIndex, search, type SearchIndex } from './kit-page/search/search.js'
import type { Engine } from '../../engine/engine.js'
import type { NamedKit } from '../../kit/named-kit.js'
import { assetsIn } from '../../kit/select.js'
import { parseKit } from '../../request/request.js'
import { kitData } from './kit-data.js'
import type { FoundKit } from './kits.js'

/** For searches without a page, which don't need the URLs of pictures. */
export const noAddresses = { preview: () => '', original: () => undefined, permalink: () => undefined }

/** An asset, and the kit that contains it. */
export interface FoundAsset extends FoundKit {
  asset: KnownAsset
}

export type Search = ReturnType<typeof openSearch>

/** Prepares each kit for searches once. */
export function openSearch({ catalog, options }: Pick<Engine, 'catalog' | 'options'>) {
  const prepared = new WeakMap<NamedKit, Promise<SearchIndex>>()

  async function indexOf({ id }: FoundKit): Promise<SearchIndex> {
    const named = await catalog.load(parseKit(id, options.kits))
    const index = prepared.get(named) ?? kitData(named, id, noAddresses).then(createIndex)
    prepared.set(named, index)
    return index
  }

  /**
   * Finds assets like the search of the kit browser. The best matches of all kits come first.
   * @param kits the parts of kits to search in
   * @returns `suggestion`: if nothing is found, a query that would find something
   */
  return async (kits: readonly FoundKit[], text: string): Promise<{ assets: FoundAsset[]; suggestion?: string }> => {
    const known = new Map(
      kits.flatMap(({ id, kit }) => assetsIn(kit.sections).map((asset) => [asset.uuid, { id, kit, asset }])),
    )
    const all = await Promise.all(kits.map(indexOf))
    const index: SearchIndex = {
      assets: all.flatMap(({ assets }) => assets),
      names: all.flatMap(({ names }) => names),
      texts: all.flatMap(({ texts }) => texts),
      labs: all.flatMap(({ labs }) => labs),
      colors: new Map(all.flatMap(({ colors }) => [...colors])),
      vocabulary: [...new Set(all.flatMap(({ vocabulary }) => vocabulary))],
    }
    const { assets, ...rest } = search(index, text)
    // Two aliases may refer to the same kit.
    const uuids = [...new Set(assets.map(({ uuid }) => uuid))]
    return { ...rest, assets: uuids.flatMap((uuid) => known.get(uuid) ?? []) }
  }
}
