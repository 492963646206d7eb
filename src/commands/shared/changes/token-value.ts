import { isColor, isData } from '../../../space/asset-type.js'
import { cssOf, readColor } from '../../../space/color.js'
import { isFont, readFontRecord } from '../../../space/font-record.js'
import { readVariant } from '../../../space/font-style.js'
import type { AssetRecord } from '../../../space/space.js'

/** The kinds of tokens, by the export of a tokens module that has them. */
export const tokenTypes = { colors: 'color', fonts: 'font' } as const

type TokenType = (typeof tokenTypes)[keyof typeof tokenTypes]

/** The fields that show whether an asset is a token. */
type TokenRecord = Pick<AssetRecord, 'type' | 'name' | 'size' | 'meta' | 'colors'>

export interface TokenValue {
  type: TokenType
  /** A color as CSS; family, weight and style of a font, as far as its record has them. */
  value: string
}

/** Returns the token that an asset is, without reading its file. Undefined for other assets, and invalid colors. */
export function tokenOf(asset: TokenRecord | undefined): TokenValue | undefined {
  if (asset === undefined) return undefined
  if (isColor(asset)) {
    const color = readColor(asset)
    return color && { type: 'color', value: cssOf(color) }
  }
  return isFont(asset) ? readFont(asset) : undefined
}

/** Data without the name of a style sheet is not a font. */
function readFont(asset: TokenRecord): TokenValue | undefined {
  const { family = asset.name, variant = '', stylesheet } = readFontRecord(asset.meta)
  if (stylesheet === undefined && isData(asset)) return undefined
  const { weight, style } = readVariant(variant) ?? {}
  const parts = [family, weight, style === 'normal' ? undefined : style, stylesheet]
  return { type: 'font', value: parts.filter((part) => part !== undefined).join(' ') }
}
