/**
 * A space, wherever it is: what `http.ts` and `folder.ts` both are, and all that the rest knows of them.
 * Records are the wire's, normalised: upper-case uuids, ISO 8601 dates, numbers that are numbers or absent.
 */
export interface Space {
  /** What to call it in messages: an origin or a folder, never with credentials. */
  readonly label: string
  /** What separates this space's entries from others in caches: origin or folder, and space id. */
  readonly key: string
  /**
   * Whether it lies on this machine, where reading costs nothing and snapshots can be edited: nothing of it is kept.
   */
  readonly local?: boolean
  /** The space id, where it is known before the first answer. */
  readonly spaceId?: string
  kits(call?: Call): Promise<KitRecord[]>
  /** One kit, with the draft and the version in use (`use_versions`), or with all its versions. */
  kit(uuid: string, include: 'versions' | 'use_versions', call?: Call): Promise<KitRecord>
  outline(kit: string, version: number, call?: Call): Promise<Outline>
  /** A section with all its items, whatever pages they come in, in display order. */
  section(uuid: string, version: number, call?: Call): Promise<SectionRecord>
  /**
   * Downloads an asset's original, or one of its cuts, as a stream.
   * @param asset the uuid, and what is known of the original: `size` in bytes lets a short body be told.
   * @param cut a type as the service spells it (`PNG`); undefined: the original
   * @param receive reads the body
   * @returns what `receive` returns
   */
  download<T>(asset: DownloadTarget, cut: string | undefined, receive: Receive<T>, call?: Call): Promise<T>
  /** Closes what is kept open. What is still being asked for fails with `aborted`. */
  close(): Promise<void>
}

/**
 * Reads the body of one attempt at a download to its end. The body throws when it is incomplete. When the body or
 * `receive` throws a retryable error, the next attempt calls `receive` again with another body, from the start.
 */
export type Receive<T> = (body: Body) => Promise<T>

/** The bytes of a download as they arrive: the next ones are read when they are asked for. */
export interface Body extends AsyncIterable<Uint8Array> {
  /**
   * Set when the end of the connection is all that ends the body, and no size is listed: it may be cut short. It is
   * complete only if its content says so; otherwise `receive` throws `truncated`.
   */
  readonly unconfirmed?: true
}

export interface Call {
  signal?: AbortSignal
}

export interface DownloadTarget {
  uuid: string
  /** `file_hash` as the listing gave it: where an asset has other bytes in other versions, it tells which. */
  hash?: string | undefined
  size?: number | undefined
}

/**
 * With the record of a kit, a service may send a text that changes whenever its draft does. Ours does, for a folder
 * has no dates that move; of a service that does not, the dates of the record tell. It is no ETag: that of an answer
 * with a clock in it would change each second.
 */
export const revisionHeader = 'content-revision'

export interface KitRecord {
  uuid: string
  spaceId?: string | undefined
  name: string
  status: string
  useVersion: number
  dateAdded?: string | undefined
  dateUpdated?: string | undefined
  cover?: string | undefined
  versions?: KitVersion[] | undefined
  /** What the service says beside the record, to tell whether its draft has changed. */
  revision?: string | undefined
}

export interface KitVersion {
  version: number
  versionIdentifier: string
  status: string
  notes: string
  dateAdded?: string | undefined
  dateUpdated?: string | undefined
  counts: { assets?: number | undefined; items?: number | undefined; sections?: number | undefined }
}

export interface Outline extends KitVersion {
  kitUuid: string
  /** In display order. */
  sections: OutlineSection[]
}

export interface OutlineSection {
  uuid: string
  name: string
  headings: { uuid: string; name: string }[]
}

export interface SectionRecord {
  uuid: string
  kitUuid: string
  name: string
  status: string
  version: number
  counts: { assets?: number | undefined; items?: number | undefined }
  dateUpdated?: string | undefined
  /** In display order; ties by the order of the service, then by uuid. */
  items: ItemRecord[]
}

export interface ItemRecord {
  uuid: string
  type: string
  status: string
  displaySize?: string | undefined
  /** Of a heading. */
  content?: string | undefined
  asset?: AssetRecord | undefined
  /** The item's `data`, with its keys sorted. */
  data: unknown
}

export interface AssetRecord {
  uuid: string
  name: string
  /** As the service spells it: `SVG`, `JPG`; a type that the interface does not list stays as it came. */
  type: string
  notes: string
  keywords: string[]
  colors: unknown[]
  width?: number | undefined
  height?: number | undefined
  size?: number | undefined
  /** Lower-case hexadecimal; absent when the service sends none. */
  fileHash?: string | undefined
  fileId?: string | undefined
  fileUpdated?: string | undefined
  dateAdded?: string | undefined
  dateUpdated?: string | undefined
  permalink?: string | undefined
  thumbnails: Record<string, string>
  /** The cuts that the service says this asset has; absent when it says nothing, and the interface's table decides. */
  cuts?: { type: string; enabled: boolean; resizable: boolean }[] | undefined
  presets: { type: string; size: string; description: string }[]
  meta: unknown
  /** The record as it came, unknown fields included, with its keys sorted. */
  raw: unknown
}
