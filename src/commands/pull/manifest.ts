import type { WrittenFiles } from '../../disk/folder-policy.js'
import { showKit, type NamedKit } from '../../kit/named-kit.js'
import { recordOf } from '../../lock/records.js'
import { sortKeys } from '../../space/wire/sort-keys.js'
import { compareStrings } from '../../text/compare.js'
import { jsonText } from '../../text/display.js'
import type { PlacedAsset } from './layout.js'

/**
 * Returns `manifest.json` as UTF-8: the records of all assets, the files made from each asset, and a list of everything
 * that was written. Builds it in parts, because the sorted records of a large kit plus a single string of them would
 * need several times its size in memory.
 */
export function manifestBytes(
  named: NamedKit,
  placed: readonly PlacedAsset[],
  written: WrittenFiles,
  full: boolean,
): Buffer {
  return Buffer.concat(Array.from(manifestParts(named, placed, written, full), (part) => Buffer.from(part)))
}

function* manifestParts(
  named: NamedKit,
  placed: readonly PlacedAsset[],
  written: WrittenFiles,
  full: boolean,
): Generator<string> {
  const { kit, sections, headings } = named
  const { sections: all, ...head } = showKit(kit, (uuid) => uuid, false)
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
  yield* block('"assets": [', assetTexts(named, placed, written, full), '],\n')
  yield* block('"written": {', writtenTexts(written), '}\n}\n')
}

function* assetTexts(
  { assets }: NamedKit,
  placed: readonly PlacedAsset[],
  written: WrittenFiles,
  full: boolean,
): Generator<string> {
  for (const { asset, files, stem } of placed) {
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
      // Write only facts that the lockfile has, so that a folder is the same without the service.
      record: full ? sortKeys(asset.raw) : { uuid: asset.uuid, ...recordOf(asset) },
    }
    yield jsonText(record, 2)
  }
}

function* writtenTexts(written: WrittenFiles): Generator<string> {
  for (const [path, file] of [...written].toSorted(([a], [b]) => compareStrings(a, b)))
    yield `${jsonText(path)}: ${jsonText(file, 2)}`
}

/** Yields a top-level list or object, indented like the output of `JSON.stringify`. */
function* block(open: string, entries: Iterable<string>, close: string): Generator<string> {
  yield `  ${open}`
  let isEmpty = true
  for (const entry of entries) {
    yield `${isEmpty ? '' : ','}\n    ${entry.replaceAll('\n', '\n    ')}`
    isEmpty = false
  }
  yield `${isEmpty ? '' : '\n  '}${close}`
}
