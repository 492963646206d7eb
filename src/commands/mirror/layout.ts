import { extensionOf, fileBase } from '../../files/file-name.js'
import type { LoadedSection } from '../../kit/load.js'
import { compareStrings } from '../../text/compare.js'
import type { AssetRecord } from '../../space/space.js'

/** Stems of files that describe folders: a mirrored asset never takes one of them for itself. */
const described = ['space', 'kit', 'section']

/** Where an asset lies in the folder of its version. */
export interface Place {
  /** Of the section that shows the asset first. */
  folder: string
  /** File name without extension: `acme-logo`. */
  base: string
}

/** Folder names by uuid: ASCII, distinct on every file system, the same in whatever order the kits come. */
export function kitFolders(kits: readonly { uuid: string; name: string }[]): Map<string, string> {
  return distinct(
    kits.map((kit) => ({ ...kit, type: '' })),
    [],
  )
}

/** `01 logos`: the number keeps the order, the name is in the JSON. */
export function sectionFolders(sections: readonly LoadedSection[]): string[] {
  return sections.map(
    ({ uuid, name }, index) => `${String(index + 1).padStart(2, '0')} ${fileBase({ uuid, name, type: '' })}`,
  )
}

/** Each asset's place: in the section that shows it first, under a stem that no other file there has. */
export function placeAssets(
  sections: readonly LoadedSection[],
  assets: Readonly<Record<string, AssetRecord>>,
): Map<string, Place> {
  const places = new Map<string, Place>()
  const folders = sectionFolders(sections)
  for (const [index, { items }] of sections.entries()) {
    const uuids = new Set(
      items.flatMap((item) => (item.type === 'asset' && !places.has(item.asset) ? [item.asset] : [])),
    )
    const bases = distinct(
      [...uuids].flatMap((uuid) => assets[uuid] ?? []),
      described,
    )
    for (const [uuid, base] of bases) places.set(uuid, { folder: folders[index] ?? '', base })
  }
  return places
}

/** The extension of a mirrored file; `.json` would be taken for what describes another. */
export function mirrorExtension(type: string): string {
  const extension = extensionOf(type)
  return extension === 'json' ? 'bin' : extension
}

/** The first free one of `name`, `name-<start of the uuid>`, `name-<start of the uuid>-2` and so on. */
function distinct(
  things: readonly { uuid: string; name: string; type: string }[],
  taken: readonly string[],
): Map<string, string> {
  const used = new Set(taken)
  return new Map(
    things
      .toSorted((a, b) => compareStrings(a.uuid, b.uuid))
      .map((thing) => {
        const base = fileBase(thing)
        const marked = `${base}-${thing.uuid.slice(0, 8).toLowerCase()}`
        let name = base
        for (let count = 1; used.has(name); count++) name = count === 1 ? marked : `${marked}-${count}`
        used.add(name)
        return [thing.uuid, name]
      }),
  )
}
