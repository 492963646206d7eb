import { memoizeWeak } from '../async/memoize.js'
import { isData } from '../space/asset-type.js'
import { assetsOf } from '../space/item-kinds.js'
import { processingKey, processingOf } from '../space/revision.js'
import { sourceKey } from '../space/wire/asset.js'
import type { AssetRecord } from '../space/space.js'
import { sortKeys } from '../space/wire/sort-keys.js'
import { objectOf } from '../text/json.js'
import { omitUndefined } from '../text/omit-undefined.js'
import type { LockedAsset, LockedTable } from './schema.js'

/** Fields of a record that determine modules, tokens and files. */
const recordFields = ['name', 'type', 'dimensions', 'notes', 'keywords', 'colors', 'size', 'file_hash', sourceKey]
/** The dates that identify a file without a hash. */
export const dateFields = ['file_updated', 'date_updated']

/** Returns the fields of a record that determine modules, as the service spells them. */
export function recordOf(asset: AssetRecord): Record<string, unknown> {
  const raw = objectOf(asset.raw)
  const record: Record<string, unknown> = {}
  for (const key of asset.fileHash === undefined ? [...recordFields, ...dateFields] : recordFields)
    if (raw[key] !== undefined) record[key] = sortKeys(raw[key])
  const meta = isData(asset) ? objectOf(raw['meta']) : usedMeta(objectOf(raw['meta']))
  if (Object.keys(meta).length > 0) record['meta'] = sortKeys(meta)
  return record
}

function usedMeta(meta: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { font, filecuts } = meta
  const { available_types: types } = objectOf(filecuts)
  const cuts = Array.isArray(types) ? { available_types: types.map(cutOf) } : undefined
  return { ...omitUndefined({ font, filecuts: cuts }), ...provisionalMeta(meta) }
}

function cutOf(sent: unknown): Record<string, unknown> {
  const { type, enabled, resizable, set_dpi: dpi } = objectOf(sent)
  return {
    ...omitUndefined({ type }),
    ...(enabled === false && { enabled }),
    ...(resizable === true && { resizable }),
    ...(dpi === true && { set_dpi: dpi }),
  }
}

/*
 * The service may still be processing a locked asset, and change it without a new version. The lockfile marks these
 * assets, and runs that may change the lockfile list them again until they are final.
 */

/** Returns the marker of an unfinished asset: the service's own field for its processing state. */
export function provisionalMeta(meta: unknown): Record<string, unknown> {
  const state = processingOf({ meta })
  return state === 'processing' ? { [processingKey]: state } : {}
}

/** Returns whether the service was still processing an asset when it was locked. */
export function isProvisionalLine({ record }: LockedAsset): boolean {
  return record !== undefined && processingOf({ meta: record['meta'] }) === 'processing'
}

/** Returns a table without the assets that the service was still processing when they were locked. */
export const finalPart = memoizeWeak((table: LockedTable): LockedTable => {
  const [assets, items] = [Object.entries(table.assets), Object.entries(table.items)]
  const busy = new Set(assets.flatMap(([uuid, line]) => (isProvisionalLine(line) ? [uuid] : [])))
  const final = items.filter(([, item]) => !item.processing && !assetsOf(item).some((uuid) => busy.has(uuid)))
  if (busy.size === 0 && final.length === items.length) return table
  const { whole: _, ...rest } = table
  const finalAssets = assets.filter(([uuid]) => !busy.has(uuid))
  return { ...rest, assets: Object.fromEntries(finalAssets), items: Object.fromEntries(final) }
})
