import type { KnownAsset, KnownKit } from '../asset.js'
import { createIndex, search } from '../browser/search/search.js'
import type { Engine } from '../engine/engine.js'
import { assetsIn } from '../kit/select.js'
import { parseKit } from '../request/request.js'
import { kitData } from './browse/kit-data.js'

/** Search needs no addresses of pictures. */
const noAddresses = { preview: () => '', original: () => undefined, permalink: () => undefined }

/**
 * Finds assets as the search of the kit browser does, the best ones first.
 * @param id a kit as in ids
 * @param kit the part of the kit to search in
 * @returns `suggestion`: if nothing is found, a text that would find something
 */
export async function searchKit(
  { catalog, options }: Pick<Engine, 'catalog' | 'options'>,
  id: string,
  kit: KnownKit,
  text: string,
): Promise<{ assets: KnownAsset[]; suggestion?: string }> {
  const known = new Map(assetsIn(kit.sections).map((asset) => [asset.uuid, asset]))
  const data = await kitData(await catalog.load(parseKit(id, options.kits)), id, noAddresses)
  const { assets, ...rest } = search(createIndex(data), text)
  return { ...rest, assets: assets.flatMap(({ uuid }) => known.get(uuid) ?? []) }
}
