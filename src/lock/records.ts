import { isData } from '../space/asset-type.js'
import type { AssetRecord } from '../space/space.js'
import { sortKeys } from '../space/wire/sort-keys.js'
import { objectOf } from '../text/json.js'
import { omitUndefined } from '../text/omit-undefined.js'

/** Fields of a record that modules, tokens and files are made from. */
const recordFields = ['name', 'type', 'dimensions', 'notes', 'keywords', 'colors', 'size', 'file_hash']
/** The dates that identify a file without a hash. */
export const dateFields = ['file_updated', 'date_updated']

/** Returns the part of a record that modules are made from, as the service spells it. */
export function recordOf(asset: AssetRecord): Record<string, unknown> {
  const raw = objectOf(asset.raw)
  const record: Record<string, unknown> = {}
  for (const key of asset.fileHash === undefined ? [...recordFields, ...dateFields] : recordFields)
    if (raw[key] !== undefined) record[key] = sortKeys(raw[key])
  const meta = isData(asset) ? objectOf(raw['meta']) : usedMeta(objectOf(raw['meta']))
  if (Object.keys(meta).length > 0) record['meta'] = sortKeys(meta)
  return record
}

function usedMeta({ font, filecuts }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { available_types: types } = objectOf(filecuts)
  const cuts = Array.isArray(types) ? { available_types: types.map(cutOf) } : undefined
  return omitUndefined({ font, filecuts: cuts })
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
