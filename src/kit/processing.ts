import { processingOf } from '../space/revision.js'
import type { AssetRecord } from '../space/space.js'
import { isObject, objectOf } from '../text/json.js'
import { shortList } from '../text/quantities.js'

/** Assets and items as they were listed or locked. */
interface Content {
  assets: readonly Pick<AssetRecord, 'name' | 'meta'>[]
  items: readonly ListedItem[]
}

interface ListedItem {
  uuid: string
  name?: string | undefined
  /** Whether the service was still filling the item. */
  processing?: true | undefined
}

/** Returns whether the service is still filling an item, such as a gallery. @param data the item's data */
export function isFilling(data: unknown): boolean {
  const state = objectOf(data)['item_processing']
  return state === 'pending' || state === 'processing'
}

/** Returns the names of content that may change without a new version, because the service is still processing it. */
export function provisionalIn({ assets, items }: Content): { assets: string[]; items: string[] } {
  const busy = assets.filter((asset) => processingOf(asset) === 'processing')
  const filling = items.filter(({ processing }) => processing)
  return { assets: busy.map(({ name }) => name), items: filling.map(({ name, uuid }) => name || uuid) }
}

/** Returns whether a listed version is final. Otherwise, callers list it again. */
export function isFinal(kit: {
  assets: Readonly<Record<string, AssetRecord>>
  sections: readonly { items: readonly ListedItem[] }[]
}): boolean {
  const items = kit.sections.flatMap((section) => section.items)
  const found = provisionalIn({ assets: Object.values(kit.assets), items })
  return found.assets.length + found.items.length === 0
}

/** Describes, by name, the content that the service hasn't processed yet or failed to process. */
export function unfinishedIn(content: Content): string[] {
  const { assets, items } = provisionalIn(content)
  const failed = content.assets.filter((asset) => processingOf(asset) === 'error').map(failureText)
  return [
    ...(assets.length > 0 ? [`the service is still processing assets, which may change (${shortList(assets)})`] : []),
    ...(items.length > 0 ? [`the service is still filling items (${shortList(items)})`] : []),
    ...(failed.length > 0 ? [`the service failed to process assets: upload them again (${shortList(failed)})`] : []),
  ]
}

/** Returns the name of an asset, with the reason if the service sends one. */
function failureText({ name, meta }: Content['assets'][number]): string {
  const details = isObject(meta) ? meta['asset_processing_details'] : undefined
  const message = isObject(details) ? details['message'] : undefined
  return typeof message === 'string' && message !== '' ? `${name}: ${message}` : name
}
