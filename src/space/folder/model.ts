/**
 * An embedded space, read: the records as the wire spells them, made once for the space and for the server,
 * beside what is known of the files on the disk.
 */
export interface FolderContent {
  /** Real path of the folder. */
  root: string
  spaceId: number
  kits: StoredKit[]
  /** By uuid: the draft's first, then those of the snapshots from new to old. */
  assets: ReadonlyMap<string, readonly StoredAsset[]>
}

type Wire = Record<string, unknown>

export interface StoredKit {
  uuid: string
  useVersion: number
  /** Without `versions` and `images`. */
  record: Wire
  /** An address; or a file of the kit. */
  cover?: string | StoredFile
  /** Ascending; the first one is the draft. */
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
  /** Without `asset`. */
  record: Wire
}

/** The bytes of one type. */
export interface StoredFile {
  /** Absolute. */
  path: string
  type: string
  /** `file_hash`: md5, hexadecimal, unless the JSON beside the file has another for it. */
  hash: string
  size: number
  dimensions?: string | undefined
}

export interface StoredAsset {
  uuid: string
  name: string
  /** Path in its version's folder, with slashes, NFC: how sections name it. */
  path: string
  /** Absent when the asset is data alone. */
  file?: StoredFile
  /** Cuts that lie beside the file, by type. */
  beside: ReadonlyMap<string, string>
  /** The types of all cuts that can be had. */
  cuts: readonly string[]
  record: Wire
}
