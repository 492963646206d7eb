import * as v from 'valibot'

type Wire = Record<string, unknown>

/**
 * The content of an embedded space: the files on disk, and records in the format of the REST interface, for both the
 * space and the server.
 */
export interface FolderContent {
  /** Real path of the folder. */
  root: string
  spaceId: number
  kits: StoredKit[]
  fields: Wire[]
  /** By uuid. The draft's asset comes first, followed by the published versions from newest to oldest. */
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

/** The file of an original or of a cover. */
export type StoredFile = v.InferOutput<typeof storedFile>

export const storedFile = v.object({
  path: v.string(),
  type: v.string(),
  /** `file_hash`: the md5 in hexadecimal, unless the file's JSON specifies another one. */
  hash: v.string(),
  size: v.number(),
  dimensions: v.optional(v.string()),
  /** `meta.font`, only for a font. */
  font: v.optional(v.record(v.string(), v.string())),
})

export interface StoredAsset {
  uuid: string
  name: string
  /** Path within the version's folder, with forward slashes, in NFC. Sections refer to the asset by this path. */
  path: string
  file?: StoredFile
  /** The files of the cuts, by cut. */
  beside: ReadonlyMap<string, string>
  cuts: readonly string[]
  record: Wire
}
