import type { NamedKit } from '../../kit/named-kit.js'
import { sortKeys } from '../../space/wire/sort-keys.js'
import { compareStrings } from '../../text/compare.js'
import { jsonText } from '../../text/display.js'
import type { PlacedAsset } from './layout.js'
import type { WrittenFiles } from './ownership.js'

/**
 * Returns the text of `manifest.json`: every record of the kit, the files made from each asset, and everything that
 * was written.
 */
export function manifestText(
  { kit, sections, headings, assets }: NamedKit,
  placed: readonly PlacedAsset[],
  written: WrittenFiles,
): string {
  const { assets: _, sections: all, ...head } = kit
  const manifest = {
    manifestVersion: 1,
    kit: head,
    sections: all.map(({ items, ...section }) => ({
      ...section,
      slug: sections.get(section.uuid)?.slug,
      items: items.map((item) => (item.type === 'heading' ? { ...item, slug: headings.get(item.uuid)?.slug } : item)),
    })),
    assets: placed.map(({ asset, files, stem }) => ({
      uuid: asset.uuid,
      name: asset.name,
      export: assets.get(asset.uuid)?.name,
      slug: assets.get(asset.uuid)?.slug,
      module: `${stem}.js`,
      files: [...files.values()].map(({ path, file: { cut, recipe } }) => ({
        path,
        sha256: written.get(path)?.sha256,
        cut,
        recipe,
      })),
      record: sortKeys(asset.raw),
    })),
    written: Object.fromEntries([...written].toSorted(([a], [b]) => compareStrings(a, b))),
  }
  return `${jsonText(manifest, 2)}\n`
}
