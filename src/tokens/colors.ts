import type { ColorToken } from '../asset.js'
import type { NamedKit } from '../kit/named-kit.js'
import { isColor } from '../space/asset-type.js'
import type { AssetRecord } from '../space/space.js'
import { oneLine } from '../text/display.js'
import { versionText } from '../text/quantities.js'
import { placedAssets } from './placed.js'

/**
 * Reads the colors of a kit.
 * @param warn receives the names of unreadable colors, which the result omits
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
        warn(
          `${kit.name} (${versionText(kit.version)}): the color ${asset.name} cannot be read, and is not in its ` +
            `tokens. Its value is ${valueText(asset)} Use a color of CSS, or hue, saturation and brightness.`,
        )
        return []
      }
      const { hex, alpha, rgb, hsb } = color
      return [[name, { ...token, hex, alpha, css: cssOf(color), rgb, hsb }] as const]
    }),
  )
}

/**
 * Quotes a color's source for messages, as truncated JSON on one line.
 * @returns text that ends with a period
 */
function valueText({ colors, meta }: AssetRecord): string {
  const text = oneLine(JSON.stringify(colors[0] ?? meta) ?? 'nothing')
  const characters = Array.from(text)
  return characters.length > 80 ? `${characters.slice(0, 80).join('')}…` : `${text}.`
}
