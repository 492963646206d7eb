import type { AssetData, KitData, SectionData } from '../../browser/data.js'
import { exportedCollection } from '../../components/collection.js'
import type { LoadedSection } from '../../kit/load.js'
import { kitCollection, type NamedKit } from '../../kit/named-kit.js'
import { isColor } from '../../space/asset-type.js'
import { planFonts } from '../../tokens/fonts.js'
import { anyFramework, assetData, type AssetAddresses, type AssetContext } from './asset-data.js'

/**
 * Describes a version of a kit for the page. Reads no file.
 * @param reference what follows `kit/` in ids of this version
 */
export async function kitData(named: NamedKit, reference: string, addresses: AssetAddresses): Promise<KitData> {
  const { uuid, name, version, sections, assets } = named.kit
  const context = await contextOf(named, addresses)
  const entries = Object.values(assets).map((asset): [string, AssetData] => [asset.uuid, assetData(asset, context)])
  return {
    uuid,
    name,
    version,
    reference,
    sections: sections.map((section) => sectionData(section, named)),
    assets: Object.fromEntries(entries),
  }
}

async function contextOf(named: NamedKit, addresses: AssetAddresses): Promise<AssetContext> {
  const assets = Object.values(named.kit.assets)
  const query = { as: anyFramework, full: false }
  const components = exportedCollection(kitCollection(named), query, 'sanitize').assets
  const hasColors = assets.some((asset) => asset.colors.length > 0 || isColor(asset))
  const colors = hasColors ? await import('../../space/color.js') : undefined
  const readable = assets.filter((asset) => isColor(asset) && colors?.readColor(asset) !== undefined)
  const fonts = planFonts(named).map(({ asset }) => asset)
  return {
    named,
    addresses,
    components: new Set(components.keys()),
    tokens: new Set([...readable, ...fonts].map(({ uuid }) => uuid)),
    colors,
  }
}

function sectionData({ uuid, name, items }: LoadedSection, { sections, headings }: NamedKit): SectionData {
  return {
    uuid,
    name,
    slug: sections.get(uuid)?.slug ?? '',
    items: items.map((item) => {
      if (item.type === 'asset') return { asset: item.asset }
      if (item.type === 'other') return { other: item.name }
      return { heading: item.content, slug: headings.get(item.uuid)?.slug ?? '' }
    }),
  }
}
