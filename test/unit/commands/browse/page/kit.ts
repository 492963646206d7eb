import type { AssetData, KitData } from '../../../../../src/commands/shared/kit-page/data.js'

let assets = 0

/** Returns an asset of a kit with a name and any other fields that matter to a test. */
export function asset(name: string, more: Partial<AssetData> = {}): AssetData {
  assets += 1
  const slug = name.toLowerCase().replaceAll(' ', '-')
  return {
    uuid: `0000000${assets}`,
    name,
    slug,
    export: slug.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    type: 'SVG',
    kind: 'picture',
    notes: '',
    keywords: [],
    cuts: [],
    colors: [],
    ...more,
  }
}

/** Returns a kit with one section. Strings among the assets are headings. */
export function kit(...items: (AssetData | string)[]): KitData {
  const all = items.filter((item) => typeof item !== 'string')
  return {
    uuid: 'KIT',
    name: 'Kit',
    version: 2,
    reference: 'brand',
    sections: [
      {
        uuid: 'SECTION',
        name: 'Logos',
        slug: 'logos',
        items: items.map((item) => {
          return typeof item === 'string' ? { heading: item, slug: item.toLowerCase() } : { asset: item.uuid }
        }),
      },
    ],
    assets: Object.fromEntries(all.map((one) => [one.uuid, one])),
  }
}
