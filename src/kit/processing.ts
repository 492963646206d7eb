import type { AssetRecord, ItemRecord } from '../space/space.js'
import { isObject } from '../text/json.js'
import { shortList } from '../text/quantities.js'

/**
 * Returns how far the service is with the file of an asset. `processing`: its file, cuts and fields may change without
 * a new version. `error`: the service could not read the file. Undefined: it is done.
 */
function processingOf({ meta }: Pick<AssetRecord, 'meta'>): 'processing' | 'error' | undefined {
  const state = isObject(meta) ? meta['asset_processing'] : undefined
  return state === 'processing' || state === 'error' ? state : undefined
}

/** Describes what the service has not processed yet, and what it failed to process, with names. */
export function unfinishedIn(assets: readonly AssetRecord[], items: readonly ItemRecord[]): string[] {
  const busy = assets.filter((asset) => processingOf(asset) === 'processing').map(({ name }) => name)
  const failed = assets.filter((asset) => processingOf(asset) === 'error').map(failureText)
  const galleries = items.flatMap(({ data, uuid }) => {
    const { item_processing: state, name = uuid } = isObject(data) ? data : {}
    return state === 'pending' || state === 'processing' ? [String(name)] : []
  })
  return [
    ...(busy.length > 0 ? [`the service is still processing assets, which may change (${shortList(busy)})`] : []),
    ...(galleries.length > 0 ? [`the service is still filling items (${shortList(galleries)})`] : []),
    ...(failed.length > 0 ? [`the service failed to process assets: upload them again (${shortList(failed)})`] : []),
  ]
}

/** Returns the name of an asset, with the reason if the service gives one. */
function failureText({ name, meta }: AssetRecord): string {
  const details = isObject(meta) ? meta['asset_processing_details'] : undefined
  const message = isObject(details) ? details['message'] : undefined
  return typeof message === 'string' && message !== '' ? `${name}: ${message}` : name
}
