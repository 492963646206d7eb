import type { FieldRecord } from './wire/custom-fields.js'
import type { FullMetadata, KitHead, KitOutline, KitSummary, KnownAsset } from '../asset.js'

/**
 * A space, independent of where it is: a service (`http/client.ts`) or a folder (`folder/space.ts`). Records are
 * normalized: uuids in upper case, dates in ISO 8601, and invalid numbers undefined.
 */
export interface Space {
  /** The name in messages: an origin or a folder, without credentials. */
  readonly label: string
  /** Identifies the space in caches: origin or folder, and space id. */
  readonly key: string
  /** Whether the space is a local folder. Its listings are not cached: its versions may be edited. */
  readonly local?: boolean
  /** Whether the space obeys option `offline` itself, because it may not need a connection. */
  readonly worksOffline?: boolean
  /** Whether it has one version besides the draft, for the revision that its source has now. */
  readonly hasRevisions?: boolean
  /** The space id, if it is known before the first response. */
  readonly spaceId?: string | undefined
  /** Set for a project with several spaces: the main one, and the spaces of kits with their own source, by uuid. */
  readonly routes?: { main: Space; own: ReadonlyMap<string, Space> }
  kits(call?: Call): Promise<KitRecord[]>
  /** Reads a kit, with all its versions, or with the draft and the version in use (`use_versions`). */
  kit(uuid: string, include: 'versions' | 'use_versions', call?: Call): Promise<KitRecord>
  outline(kit: string, version: number, call?: Call): Promise<Outline>
  /** Reads a section with all its items, in display order. */
  section(uuid: string, version: number, call?: Call): Promise<SectionRecord>
  /**
   * Reads the items of a gallery, in display order.
   * @returns undefined if the service doesn't have galleries
   */
  gallery(item: ItemRecord, version: number, call?: Call): Promise<ItemRecord[] | undefined>
  /** Reads the definitions of the public and active custom fields. A service may not have any. */
  fields(call?: Call): Promise<FieldRecord[]>
  /**
   * Downloads the original of an asset, or a cut, as a stream.
   * @param cut a type as the service spells it (`PNG`). Undefined downloads the original.
   */
  download<T>(asset: DownloadTarget, cut: string | undefined, receive: Receive<T>, call?: Call): Promise<T>
  /**
   * Reads a preview from a URL of a record, such as a thumbnail. It is requested only from the service's own hosts,
   * without credentials, and doesn't count as a download. Absent for a folder, whose records don't have these URLs.
   * @throws ContentSpaceError `badRedirect` for a URL elsewhere, `unreachable`, `truncated`
   */
  preview?<T>(url: string, receive: Receive<T>, call?: Call): Promise<T>
  /** Calls `changed` when the content may have changed, until the returned function is called. */
  watch?(changed: () => void): () => void
  /** Closes all connections. Running calls fail with `aborted`. */
  close(): Promise<void>
}

/**
 * Reads the body of one attempt at a download to its end. Reading an incomplete body throws. After a retryable error,
 * of the body or of `receive`, the next attempt calls `receive` again with a new body.
 */
type Receive<T> = (body: Body) => Promise<T>

/** The bytes of a download. The next chunk is read from the network when it is requested. */
export interface Body extends AsyncIterable<Uint8Array> {
  /**
   * Set if the transport cannot detect that the body is incomplete: it ends with the connection, and no size is listed.
   * `receive` checks whether the content is complete, and otherwise throws `truncated`.
   */
  readonly unconfirmed?: true
}

export interface Call {
  signal?: AbortSignal
}

/** Returns the space that a kit is read from: the main one, unless the kit has a source of its own. */
export function spaceOf(space: Space, kit: string | undefined): Space {
  const { routes } = space
  return routes ? (routes.own.get(kit ?? '') ?? routes.main) : space
}

/** Where an asset comes from, if its kit has a source of its own. */
export interface Origin {
  /** Uuid of the kit. */
  kit: string
  /** The source's own name for the asset, if the source is an object. */
  id?: string
}

/** Returns where the assets of a kit come from. Undefined for a kit of the main space. */
export function originOf({ routes }: Space, kit: string, known?: Origin): Origin | undefined {
  return routes?.own.has(kit) ? { ...known, kit } : undefined
}

export interface DownloadTarget {
  uuid: string
  /** `file_hash` of the listing. It selects the file of an asset whose versions have different files. */
  hash?: string | undefined
  /** Bytes of the original, to recognize an incomplete body. */
  size?: number | undefined
  name?: string
  type?: string
  from?: Origin | undefined
}

/**
 * A header that a service may send with the record of a kit. Its value changes whenever the draft changes. The server
 * of this package sends it, because the dates of folders don't change; without it, the dates of the record are used. It
 * isn't an ETag, because an ETag would change every second with the `server_clock` in the body. Requests for files send
 * it with the `file_hash` of the listing: the server of this package then sends this file, whichever version was listed
 * last.
 */
export const revisionHeader = 'content-revision'

export interface KitRecord extends KitSummary {
  spaceId?: string | undefined
  versions?: KitVersion[] | undefined
  /** The cover as the service sent it, if its address carries access. Never shown, and only requested. */
  coverPreview?: string | undefined
  /** The value of `revisionHeader`. */
  revision?: string | undefined
}

export interface KitVersion extends Omit<KitHead, 'uuid' | 'name' | 'counts' | 'description' | 'raw'> {
  counts: { assets?: number | undefined; items?: number | undefined; sections?: number | undefined }
}

export interface Outline extends KitVersion {
  kitUuid: string
  sections: KitOutline['sections']
  /** The record that the service sent, without `sections`. */
  raw?: unknown
}

export interface SectionRecord {
  uuid: string
  kitUuid: string
  name: string
  status: string
  version: number
  counts: { assets?: number | undefined; items?: number | undefined }
  dateUpdated?: string | undefined
  /** The record that the service sent, without `items`. */
  raw?: unknown
  /** In display order. Ties are in the order of the service. */
  items: ItemRecord[]
}

export interface ItemRecord {
  uuid: string
  type: string
  status: string
  asset?: AssetRecord | undefined
  /** The item's `data`, as the service sent it. `item-kinds.ts` reads it. */
  data: unknown
  /** The item's `display_properties`, as the service sent them. */
  display?: unknown
  /** The record that the service sent. */
  raw?: unknown
}

/**
 * An asset with the fields of an import with `metadata=full`, which `asset.ts` describes. The keys of `colors`, `meta`
 * and `raw` are in the order of the service. `wire/sorted.ts` sorts them.
 */
export interface AssetRecord extends Omit<KnownAsset, 'cuts' | 'export' | 'named' | 'suggestedName' | 'slug' | 'dark'> {
  /** The cuts that the service lists. When absent, the cuts of the asset's type are assumed. */
  cuts?: FullMetadata['cuts'] | undefined
  meta: unknown
  /** The thumbnails as the service sent them, if their addresses grant access. Never shown, and only requested. */
  previews?: Record<string, string> | undefined
  /** Set where the kit is loaded. */
  from?: Origin | undefined
}

/** An asset with its counterpart for dark mode. */
export interface PairedAsset extends AssetRecord {
  dark?: AssetRecord
}

/** A file that is downloaded instead of an original. */
export interface Cut {
  /** As the service spells it: `PNG`. */
  type: string
  /** `<width>x<height>` in pixels, of a picture that the service draws in that size. */
  dimensions?: string | undefined
  /** Dots per inch, of a picture that the service draws in that resolution. */
  dpi?: string | undefined
}

/** Names a cut for the lockfile and the cache: `PNG`, `PNG@1280x960` or `PNG@300dpi`. */
export function writeCut({ type, dimensions, dpi }: Cut): string {
  const size = dimensions ?? (dpi && `${dpi}dpi`)
  return size ? `${type}@${size}` : type
}

export function readCut(name: string): Cut {
  const [, type = name, dimensions, dpi] = /^(.+)@(?:(\d+x\d+)|(\d+)dpi)$/.exec(name) ?? []
  return { type, dimensions, dpi }
}
