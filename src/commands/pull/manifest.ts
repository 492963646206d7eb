import type { NamedKit } from '../../kit/named-kit.js'
import { sortKeys } from '../../space/wire/sort-keys.js'
import { compareStrings } from '../../text/compare.js'
import { jsonText } from '../../text/display.js'
import type { PlacedAsset } from './layout.js'
import type { WrittenFiles } from './ownership.js'

/**
 * Returns `manifest.json`, as UTF-8: every record of the kit, the files made from each asset, and everything that was
 * written. It is made in parts, because the sorted records of a large kit and one text of them all would need a
 * multiple of its size.
 */
export function manifestBytes(named: NamedKit, placed: readonly PlacedAsset[], written: WrittenFiles): Buffer {
  return Buffer.concat(Array.from(manifestParts(named, placed, written), (part) => Buffer.from(part)))
}

function* manifestParts(
  { kit, sections, headings, assets }: NamedKit,
  placed: readonly PlacedAsset[],
  written: WrittenFiles,
): Generator<string> {
  const { assets: _, sections: all, ...head } = kit
  const start = {
    manifestVersion: 1,
    kit: head,
    sections: all.map(({ items, ...section }) => ({
      ...section,
      slug: sections.get(section.uuid)?.slug,
      items: items.map((item) => (item.type === 'heading' ? { ...item, slug: headings.get(item.uuid)?.slug } : item)),
    })),
  }
  yield jsonText(start, 2).replace(/\n}$/, ',\n')
  const records = placed.map(({ asset, files, stem }) => () => {
    const record = {
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
    }
    return jsonText(record, 2)
  })
  yield* block('"assets": [', records, '],\n')
  const sorted = [...written].toSorted(([a], [b]) => compareStrings(a, b))
  const files = sorted.map(
    ([path, file]) =>
      () =>
        `${jsonText(path)}: ${jsonText(file, 2)}`,
  )
  yield* block('"written": {', files, '}\n}\n')
}

/** Yields a list or an object of the first level as `JSON.stringify` does. */
function* block(open: string, entries: readonly (() => string)[], close: string): Generator<string> {
  yield `  ${open}`
  for (const [at, entry] of entries.entries()) {
    yield `${at === 0 ? '' : ','}\n    ${entry().replaceAll('\n', '\n    ')}`
  }
  yield `${entries.length === 0 ? '' : '\n  '}${close}`
}
