import type { KnownAsset, KnownKit } from '../asset.js'
import { createIndex, search } from '../browser/search/search.js'
import type { Engine } from '../engine/engine.js'
import { assetsIn } from '../kit/select.js'
import { parseKit } from '../request/request.js'
import { kitData } from './browse/kit-data.js'

/** What is read of a kit without a page has no addresses of pictures. */
export const noAddresses = { preview: () => '', original: () => undefined, permalink: () => undefined }

/** A kit to search in. */
interface SearchedKit {
  /** As in ids. */
  id: string
  /** The part of the kit to search in. */
  kit: KnownKit
}

/** An asset, with the kit that it was found in. */
export interface FoundAsset extends SearchedKit {
  asset: KnownAsset
}

/**
 * Finds assets as the search of the kit browser does, the best ones of all kits first.
 * @returns `suggestion`: if nothing is found, a text that would find something
 */
export async function searchKits(
  { catalog, options }: Pick<Engine, 'catalog' | 'options'>,
  kits: readonly SearchedKit[],
  text: string,
): Promise<{ assets: FoundAsset[]; suggestion?: string }> {
  const known = new Map(
    kits.flatMap(({ id, kit }) => assetsIn(kit.sections).map((asset) => [asset.uuid, { id, kit, asset }])),
  )
  const data = await Promise.all(
    kits.map(async ({ id }) => kitData(await catalog.load(parseKit(id, options.kits)), id, noAddresses)),
  )
  const index = createIndex({
    sections: data.flatMap(({ sections }) => sections),
    assets: Object.assign({}, ...data.map(({ assets }) => assets)),
  })
  const { assets, ...rest } = search(index, text)
  return { ...rest, assets: assets.flatMap(({ uuid }) => known.get(uuid) ?? []) }
}
