import type { KnownAsset } from '../asset.js'
import { fontFormat, isFont, readFontRecord } from '../space/font-record.js'
import { objectOf } from '../text/json.js'

/** The type that is shown to users. The service calls every font `TEXT_STYLE`: the format of its file says more. */
export function shownType(asset: Pick<KnownAsset, 'type' | 'name' | 'raw'>): string {
  return isFont(asset)
    ? (fontFormat({ ...asset, meta: objectOf(asset.raw)['meta'] })?.toUpperCase() ?? 'FONT')
    : asset.type
}

/** `Inter, Light Italic`; empty for an asset that isn't a font, and for a font without a family. */
export function fontName(asset: KnownAsset): string {
  if (!isFont(asset)) return ''
  const { family, variant } = readFontRecord(objectOf(asset.raw)['meta'])
  return [family, variant].filter(Boolean).join(', ')
}

/** The types that find an asset: its own, and for a font the format that is shown and `font`. */
export function typeNames(asset: KnownAsset): string[] {
  return isFont(asset) ? [...new Set([asset.type, shownType(asset), 'FONT'])] : [asset.type]
}
