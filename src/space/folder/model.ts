import * as v from 'valibot'

type Wire = Record<string, unknown>

/**
 * The content of an embedded space: records as the interface spells them, for the space and the server alike, and the
 * files on the disk.
 */
export interface FolderContent {
  /** Real path of the folder. */
  root: string
  spaceId: number
  kits: StoredKit[]
  fields: Wire[]
  /** By uuid: the asset in the draft first, then in the published versions from new to old. */
  assets: ReadonlyMap<string, readonly StoredAsset[]>
}

export interface StoredKit {
  uuid: string
  name: string
  useVersion: number
  /** Without `versions` and `images`. */
  record: Wire
  /** A URL, or a file of the kit. */
  cover?: string | StoredFile
  /** Ascending. The first one is the draft. */
  versions: StoredVersion[]
}

export interface StoredVersion {
  version: number
  /** Without `sections`. */
  record: Wire
  sections: StoredSection[]
}

export interface StoredSection {
  uuid: string
  name: string
  /** Without `items`. */
  record: Wire
  items: StoredItem[]
}

export interface StoredItem {
  uuid: string
  /** The text of a heading. */
  heading?: string
  asset?: StoredAsset
  /** The items of a gallery, each with an asset. */
  members?: StoredItem[]
  /** Without `asset` and `items`. */
  record: Wire
}

export function assetsIn(items: readonly StoredItem[]): StoredAsset[] {
  return items.flatMap(({ asset, members = [] }) => [...(asset ? [asset] : []), ...assetsIn(members)])
}

/** The file of an original or a cover. */
export type StoredFile = v.InferOutput<typeof storedFile>

export const storedFile = v.object({
  path: v.string(),
  type: v.string(),
  /** `file_hash`: the md5 in hexadecimal, unless the JSON of the file has another one. */
  hash: v.string(),
  size: v.number(),
  dimensions: v.optional(v.string()),
  /** `meta.font`, of a font. */
  font: v.optional(v.record(v.string(), v.string())),
})

export interface StoredAsset {
  uuid: string
  name: string
  /** Path within the folder of the version, with forward slashes, in NFC. Sections use it as the name. */
  path: string
  file?: StoredFile
  /** The files of cuts, by cut. */
  beside: ReadonlyMap<string, string>
  cuts: readonly string[]
  record: Wire
}
