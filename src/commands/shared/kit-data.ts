import type { ColorToken, Token } from '../../asset.js'
import type { AssetData, GuideData, ItemData, KitData, SectionData } from './kit-page/data.js'
import { exportedCollection } from '../../components/collection.js'
import type { LoadedItem, LoadedSection } from '../../kit/load.js'
import { kitCollection, type NamedKit } from '../../kit/named-kit.js'
import { assetsOf } from '../../space/item-kinds.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { colorsOf } from '../../tokens/colors.js'
import { planFonts } from '../../tokens/fonts.js'
import { anyFramework, assetData, type AssetAddresses, type AssetContext } from './asset-data.js'

/**
 * Describes a version of a kit for the page. Doesn't read files.
 * @param reference the part after `kit/` in ids of this version
 */
export async function kitData(named: NamedKit, reference: string, addresses: AssetAddresses): Promise<KitData> {
  const { uuid, name, version, description, fields, sections, assets } = named.kit
  const context = await contextOf(named, reference, addresses)
  const entries = Object.values(assets).map((asset): [string, AssetData] => [asset.uuid, assetData(asset, context)])
  const { nearNames, synonymsOf } = await import('./near-words.js')
  for (const [, data] of entries) {
    const synonyms = data.kind === 'picture' ? synonymsOf(data.name) : []
    if (synonyms.length > 0) data.synonyms = synonyms
  }
  const colorNames = nearNames(entries.map(([, data]) => data))
  return {
    uuid,
    name,
    version,
    reference,
    ...omitUndefined({
      description,
      colorNames: Object.keys(colorNames).length > 0 ? colorNames : undefined,
      fields: fields?.map(({ key, name: label, type, options }) => omitUndefined({ key, name: label, type, options })),
    }),
    sections: sections.map((section) => sectionData(section, named)),
    assets: Object.fromEntries(entries),
  }
}

async function contextOf(named: NamedKit, reference: string, addresses: AssetAddresses): Promise<AssetContext> {
  const query = { as: anyFramework, full: false }
  const components = exportedCollection(kitCollection(named), query, 'sanitize').assets
  const hasColors = Object.values(named.kit.assets).some((asset) => asset.colors.length > 0)
  const colors = await colorsOf(named, () => {})
  const fonts = new Map(planFonts(named).map(({ name, token }) => [name, token]))
  return {
    named,
    addresses,
    components: new Set(components.keys()),
    colors: new Map([...colors.values()].map((color) => [color.uuid, color])),
    fonts: new Set([...fonts.values()].map(({ uuid }) => uuid)),
    variables: await variablesOf(named, reference, colors, fonts),
    readColors: hasColors ? await import('../../space/color.js') : undefined,
  }
}

/** Returns the custom properties of colors in token files with the default prefix, by uuid. */
async function variablesOf(
  named: NamedKit,
  reference: string,
  colors: ReadonlyMap<string, ColorToken>,
  fonts: ReadonlyMap<string, Token>,
): Promise<Map<string, string>> {
  if (colors.size === 0) return new Map()
  const [{ customProperty }, { variableLabels }, { cssWord }] = await Promise.all([
    import('../../tokens/formats/css.js'),
    import('../../tokens/labels.js'),
    import('../../tokens/plan.js'),
  ])
  const { slugs } = variableLabels({ colors, fonts, named })
  const prefix = cssWord(reference.replace(/@.*$/, ''))
  return new Map([...slugs].map(([uuid, slug]) => [uuid, customProperty(prefix, slug)]))
}

function sectionData({ uuid, name, items }: LoadedSection, { sections, headings }: NamedKit): SectionData {
  return {
    uuid,
    name,
    slug: sections.get(uuid)?.slug ?? '',
    items: items.flatMap((item): ItemData[] =>
      item.type === 'heading'
        ? [{ heading: item.content ?? '', slug: headings.get(item.uuid)?.slug ?? '' }]
        : itemData(item),
    ),
  }
}

function itemData(item: LoadedItem): ItemData[] {
  const { type, content = '', language = '', name = '', assets = [], display } = item
  const caption = { ...(typeof display?.['caption'] === 'string' && { caption: display['caption'] }) }
  const guide: GuideData | undefined =
    type === 'guide' ? omitUndefined({ title: item.title, content: item.content, color: item.color }) : undefined
  const carried = assetsOf(item)
  if (type === 'gallery') return [{ gallery: name, assets, ...caption }]
  if (carried.length > 0) return carried.map((asset) => ({ asset, ...caption, ...(guide && { guide }) }))
  if (guide) return [{ guide, ...caption }]
  if (type === 'inline_note') return [{ note: content, ...caption }]
  return [type === 'code_snippet' ? { code: content, language, ...caption } : { other: type }]
}
