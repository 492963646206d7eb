import { extensionOf, fileBase } from '../../files/file-name.js'
import type { FileDescriptor } from '../../files/plan.js'
import type { LoadedSection } from '../../kit/load.js'
import { readCut } from '../../space/cut.js'
import { assetsOf } from '../../space/item-kinds.js'
import type { AssetRecord } from '../../space/space.js'
import { compareStrings } from '../../text/compare.js'

/** Base names that an asset never gets: `section.json` and the others describe folders. */
const descriptionNames = ['space', 'kit', 'section']

/** Where the files of an asset are, in the folder of its version. */
export interface MirrorPlace {
  /** The folder of the section that shows the asset first. */
  folder: string
  /** File name without extension: `acme-logo`. */
  base: string
}

/** Returns a folder name for each kit, by uuid: ASCII, unique on every file system, and independent of the order. */
export function kitFolders(kits: readonly { uuid: string; name: string }[]): Map<string, string> {
  return uniqueNames(kits.map((kit) => ({ ...kit, type: '' })))
}

/** Returns a folder name for each section: `01 logos`. The number keeps the order; the exact name is in the JSON. */
export function sectionFolders(sections: readonly LoadedSection[]): string[] {
  return sections.map(
    ({ uuid, name }, index) => `${String(index + 1).padStart(2, '0')} ${fileBase({ uuid, name, type: '' })}`,
  )
}

/** Returns the place of each asset by uuid: in the section that shows it first, under a name unique in that folder. */
export function placeAssets(
  sections: readonly LoadedSection[],
  assets: Readonly<Record<string, AssetRecord>>,
): Map<string, MirrorPlace> {
  const places = new Map<string, MirrorPlace>()
  const folders = sectionFolders(sections)
  for (const [index, { items }] of sections.entries()) {
    const uuids = new Set(items.flatMap(assetsOf).filter((uuid) => !places.has(uuid)))
    const placed = [...uuids].flatMap((uuid) => assets[uuid] ?? [])
    const bases = uniqueNames(placed, descriptionNames)
    for (const [uuid, base] of bases) places.set(uuid, { folder: folders[index] ?? '', base })
  }
  return places
}

/**
 * Returns the ending of a mirrored file: `.svg`, `@cut.png`, `@cut-1280x960.png`. `.json` is replaced, because such a
 * file describes another file.
 * @param file an original, or a cut
 */
export function mirrorEnding({ cut, ext }: Pick<FileDescriptor, 'cut' | 'ext'>): string {
  const { type } = readCut(cut ?? ext)
  const extension = extensionOf(type)
  const kind = cut === undefined ? '' : `@cut${cut.slice(type.length).replace('@', '-')}`
  return `${kind}.${extension === 'json' ? 'bin' : extension}`
}

/**
 * Names things by uuid with the first unused of `name`, `name-<start of the uuid>`, `name-<start of the uuid>-2` and
 * so on.
 */
function uniqueNames(
  things: readonly { uuid: string; name: string; type: string }[],
  taken: readonly string[] = [],
): Map<string, string> {
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
        return [thing.uuid, name]
      }),
  )
}
