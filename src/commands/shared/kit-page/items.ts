import type { ItemData, TextData } from './data.js'

/** Returns the uuids of the assets in an item. */
export function assetsOf(item: ItemData): string[] {
  if ('asset' in item) return [item.asset]
  return 'gallery' in item ? item.assets : []
}

/** Returns the text of an item about its assets. */
export function textOfItem(item: ItemData): string {
  const { title, content } = 'guide' in item ? (item.guide ?? {}) : {}
  const gallery = 'gallery' in item ? item.gallery : undefined
  const rule = [title ?? gallery, content].filter(Boolean).join(': ')
  const caption = 'caption' in item ? item.caption : undefined
  return [caption, rule].filter(Boolean).join(' · ')
}

/** Returns whether an item is text among the assets. */
export function isText(item: ItemData): item is TextData {
  return 'note' in item || 'code' in item || 'gallery' in item || ('guide' in item && !('asset' in item))
}
