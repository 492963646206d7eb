import type { ColorToken } from '../asset.js'
import type { NamedKit } from '../kit/named-kit.js'
import { isColor } from '../space/asset-type.js'
import { placedAssets } from './placed.js'

/**
 * Reads the colors of a kit.
 * @param warn receives the names of colors that cannot be read, which are absent from the result
 */
export async function colorsOf(named: NamedKit, warn: (message: string) => void): Promise<Map<string, ColorToken>> {
  const { kit } = named
  const placed = placedAssets(named).filter(({ asset }) => isColor(asset))
  if (placed.length === 0) return new Map()
  const { cssOf, readColor } = await import('../space/color.js')
  return new Map(
    placed.flatMap(({ asset, name, token }) => {
      const color = readColor(asset)
      if (color === undefined) {
        warn(`${kit.name} (version ${kit.version}): the color ${asset.name} cannot be read, and is not in its tokens.`)
        return []
      }
      const { hex, alpha, rgb, hsb } = color
      return [[name, { ...token, hex, alpha, css: cssOf(color), rgb, hsb }] as const]
    }),
  )
}
