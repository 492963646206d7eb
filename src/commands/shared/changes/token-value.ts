import { isColor, isData } from '../../../space/asset-type.js'
import { cssOf, readColor } from '../../../space/color.js'
import { isFont, readFontRecord } from '../../../space/font-record.js'
import { readVariant } from '../../../space/font-style.js'
import type { AssetRecord } from '../../../space/space.js'

/** The types of tokens, by the export of a tokens module that contains them. */
export const tokenTypes = { colors: 'color', fonts: 'font' } as const

type TokenType = (typeof tokenTypes)[keyof typeof tokenTypes]

/** The fields that determine whether an asset is a token. */
type TokenRecord = Pick<AssetRecord, 'type' | 'name' | 'size' | 'meta' | 'colors'>

export interface TokenValue {
  type: TokenType
  /** A color as CSS; for a font, the family, weight and style that its record contains. */
  value: string
}

/** Returns an asset as a token, without reading its file. Returns undefined for other assets and invalid colors. */
export function tokenOf(asset: TokenRecord | undefined): TokenValue | undefined {
  if (asset === undefined) return undefined
  if (isColor(asset)) {
    const color = readColor(asset)
    return color && { type: 'color', value: cssOf(color) }
  }
  return isFont(asset) ? readFont(asset) : undefined
}

/** Reads a font from a record. Data without the name of a style sheet isn't a font. */
function readFont(asset: TokenRecord): TokenValue | undefined {
  const { family = asset.name, variant = '', stylesheet } = readFontRecord(asset.meta)
  if (stylesheet === undefined && isData(asset)) return undefined
  const { weight, style } = readVariant(variant) ?? {}
  const parts = [family, weight, style === 'normal' ? undefined : style, stylesheet]
  return { type: 'font', value: parts.filter((part) => part !== undefined).join(' ') }
}
