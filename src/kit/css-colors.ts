import type { ColorToken, KnownAsset } from '../asset.js'
import { isColor } from '../space/asset-type.js'

/**
 * Returns the CSS and RGB values of color assets. Loads the color libraries only if the kit has colors.
 * @returns by uuid; `css` is a value such as `#e5603f`
 */
export async function readColors(assets: readonly KnownAsset[]): Promise<Map<string, Pick<ColorToken, 'css' | 'rgb'>>> {
  const colors = assets.filter(isColor)
  if (colors.length === 0) return new Map()
  const { cssOf, readColor } = await import('../space/color.js')
  return new Map(
    colors.flatMap((asset) => {
      const color = readColor({ colors: asset.colors, meta: 'meta' in asset ? asset.meta : undefined })
      return color ? [[asset.uuid, { css: cssOf(color), rgb: color.rgb }] as const] : []
    }),
  )
}
