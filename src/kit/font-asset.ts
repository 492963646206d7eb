import type { KnownAsset } from '../asset.js'
import { fontFormat, isFont, readFontRecord } from '../space/font-record.js'
import { objectOf } from '../text/json.js'

/** Returns the type to display. The service calls every font `TEXT_STYLE`, so we display the format of its file. */
export function shownType(asset: Pick<KnownAsset, 'type' | 'name' | 'raw'>): string {
  return isFont(asset)
    ? (fontFormat({ ...asset, meta: objectOf(asset.raw)['meta'] })?.toUpperCase() ?? 'FONT')
    : asset.type
}

/**
 * Returns a name such as `Inter, Light Italic`, or an empty string for an asset that isn't a font or lacks a family.
 */
export function fontName(asset: KnownAsset): string {
  if (!isFont(asset)) return ''
  const { family, variant } = readFontRecord(objectOf(asset.raw)['meta'])
  return [family, variant].filter(Boolean).join(', ')
}

/** Returns the types by which an asset can be found: its own and, for a font, the displayed format and `font`. */
export function typeNames(asset: KnownAsset): string[] {
  return isFont(asset) ? [...new Set([asset.type, shownType(asset), 'FONT'])] : [asset.type]
}
