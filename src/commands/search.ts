import type { KnownAsset } from '../asset.js'
import { createIndex, search } from '../browser/search/search.js'
import type { Engine } from '../engine/engine.js'
import { assetsIn } from '../kit/select.js'
import { parseKit } from '../request/request.js'
import { kitData } from './browse/kit-data.js'
import type { LoadedKit } from './kits.js'

/** What is read of a kit without a page has no addresses of pictures. */
export const noAddresses = { preview: () => '', original: () => undefined, permalink: () => undefined }

/** An asset, with the kit that it was found in. */
export interface FoundAsset extends LoadedKit {
  asset: KnownAsset
}

/**
 * Finds assets as the search of the kit browser does, the best ones of all kits first.
 * @param kits the parts of kits to search in
 * @returns `suggestion`: if nothing is found, a text that would find something
 */
export async function searchKits(
  { catalog, options }: Pick<Engine, 'catalog' | 'options'>,
  kits: readonly LoadedKit[],
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
