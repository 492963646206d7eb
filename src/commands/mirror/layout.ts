import { fileBase } from '../../files/file-name.js'
import { extensionOf } from '../../space/asset-type.js'
import type { FileDescriptor } from '../../files/plan.js'
import type { LoadedSection } from '../../kit/load.js'
import { assetsOf } from '../../space/item-kinds.js'
import { readCut, type AssetRecord } from '../../space/space.js'
import { compareStrings } from '../../text/compare.js'

/** Base names that an asset can't have, because `space.json`, `kit.json` and `section.json` describe folders. */
const descriptionNames = ['space', 'kit', 'section']

/**
 * Returns a folder name for each section, such as `01 logos`. The number preserves the order, and the JSON contains the
 * exact name.
 */
export function sectionFolders(sections: readonly LoadedSection[]): string[] {
  return sections.map(({ uuid, name }, at) => `${String(at + 1).padStart(2, '0')} ${fileBase({ uuid, name })}`)
}

/**
 * Returns the path of each asset in its version's folder, without extension. An asset is placed in the first section
 * that contains it, under a name that is unique in that folder.
 */
export function placeAssets(
  sections: readonly LoadedSection[],
  assets: Readonly<Record<string, AssetRecord>>,
): Map<AssetRecord, string> {
  const paths = new Map<AssetRecord, string>()
  const folders = sectionFolders(sections)
  for (const [index, { items }] of sections.entries()) {
    const placed = new Set(items.flatMap(assetsOf).flatMap((uuid) => assets[uuid] ?? []))
    const bases = uniqueNames(
      [...placed].filter((asset) => !paths.has(asset)),
      descriptionNames,
    )
    for (const [asset, base] of bases) paths.set(asset, `${folders[index] ?? ''}/${base}`)
  }
  return paths
}

/**
 * Returns the ending of a mirrored file: `.svg`, `@cut.png`, `@cut-1280x960.png`. Uses `.bin` in place of `.json`,
 * because a `.json` file in a mirror describes another file.
 * @param file an original or a cut
 */
export function mirrorEnding({ cut, ext }: Pick<FileDescriptor, 'cut' | 'ext'>): string {
  const { type } = readCut(cut ?? ext)
  const extension = extensionOf(type)
  const kind = cut === undefined ? '' : `@cut${cut.slice(type.length).replace('@', '-')}`
  return `${kind}.${extension === 'json' ? 'bin' : extension}`
}

/**
 * Gives each entry the first unused name of `name`, `name-<start of the uuid>`, `name-<start of the uuid>-2` and so on.
 * Names are ASCII, unique on every file system, and independent of the order.
 */
export function uniqueNames<T extends { uuid: string; name: string; type?: string }>(
  things: readonly T[],
  taken: readonly string[] = [],
): Map<T, string> {
  const used = new Set(taken)
  return new Map(
    things
      .toSorted((a, b) => compareStrings(a.uuid, b.uuid))
      .map((thing) => {
        const base = fileBase(thing)
        const withUuid = `${base}-${thing.uuid.slice(0, 8).toLowerCase()}`
        let name = base
        for (let count = 1; used.has(name); count++) name = count === 1 ? withUuid : `${withUuid}-${count}`
        used.add(name)
        return [thing, name]
      }),
  )
}
