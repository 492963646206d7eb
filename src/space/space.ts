import type { FieldRecord } from './wire/custom-fields.js'
import type { FullMetadata, KitHead, KitOutline, KitSummary, KnownAsset } from '../asset.js'

/**
 * A space, wherever it is: a service (`http/client.ts`) or a folder (`folder/space.ts`). Records are normalized: uuids
 * are in upper case, dates are in ISO 8601, and invalid numbers are undefined.
 */
export interface Space {
  /** The name for messages: an origin or a folder, without credentials. */
  readonly label: string
  /** Identifies the space in caches: origin or folder, plus space id. */
  readonly key: string
  /** Whether the space is a local folder. Its listings aren't cached, because its versions may be edited. */
  readonly local?: boolean
  /** Whether the space handles option `offline` itself, because it may not need a connection. */
  readonly worksOffline?: boolean
  /** Whether a kit's only version besides the draft stands for the current revision of the kit's source. */
  readonly hasRevisions?: boolean
  /** The space id, if it is known before the first response. */
  readonly spaceId?: string | undefined
  /** Set for a project with several spaces: the main space, and the spaces of kits with their own source, by uuid. */
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
  /** Reads the definitions of the public, active custom fields. A service may not have any. */
  fields(call?: Call): Promise<FieldRecord[]>
  /**
   * Repeats the requests of earlier calls, without reading records. Absent for a space that doesn't send requests.
   * @param digests of the responses to these calls
   * @returns whether all responses are still the same
   */
  isUnchanged?(digests: Digests): Promise<boolean>
  /**
   * Downloads an asset's original, or a cut, as a stream.
   * @param cut a type as the service spells it (`PNG`). Undefined downloads the original.
   */
  download<T>(asset: DownloadTarget, cut: string | undefined, receive: Receive<T>, call?: Call): Promise<T>
  /**
   * Reads a preview, such as a thumbnail, from a URL in a record. Sends the request only to the service's own hosts,
   * without credentials. Previews don't count as downloads. Absent for a folder, because its records don't contain such
   * URLs.
   * @throws ContentSpaceError `badRedirect` for a URL elsewhere, `unreachable`, `truncated`
   */
  preview?<T>(url: string, receive: Receive<T>, call?: Call): Promise<T>
  /** Calls `changed` whenever the content may have changed, until the returned function is called. */
  watch?(changed: () => void): () => void
  /** Closes all connections. Pending calls fail with `aborted`. */
  close(): Promise<void>
}

/**
 * Reads the body of one download attempt to its end. Reading an incomplete body throws. After a retryable error, in the
 * body or in `receive`, the next attempt calls `receive` again with a new body.
 */
type Receive<T> = (body: Body) => Promise<T>

/** The bytes of a download. Each chunk is read from the network on demand. */
export interface Body extends AsyncIterable<Uint8Array> {
  /**
   * Set if the transport can't detect an incomplete body, because the body ends with the connection and no size is
   * listed. `receive` must then check whether the content is complete, and throw `truncated` otherwise.
   */
  readonly unconfirmed?: true
}

export interface Call {
  signal?: AbortSignal
  /** Receives the digests of all responses, if the space sends requests. */
  digests?: Digests
}

/** Digests of responses, by URL. */
export type Digests = Map<string, string>

/** Returns the space that a kit is read from: the main space, unless the kit has its own source. */
export function spaceOf(space: Space, kit: string | undefined): Space {
  const { routes } = space
  return routes ? (routes.own.get(kit ?? '') ?? routes.main) : space
}

/** The origin of an asset whose kit has its own source. */
export interface Origin {
  /** Uuid of the kit. */
  kit: string
  /** The source's own name for the asset, if the source is an object. */
  id?: string
}

/** Returns the origin of a kit's assets, or undefined for a kit of the main space. */
export function originOf({ routes }: Space, kit: string, known?: Origin): Origin | undefined {
  return routes?.own.has(kit) ? { ...known, kit } : undefined
}

export interface DownloadTarget {
  uuid: string
  /** `file_hash` of the listing. It selects a file if the asset's file differs between versions. */
  hash?: string | undefined
  /** Size of the original in bytes, to recognize an incomplete body. */
  size?: number | undefined
  name?: string
  type?: string
  from?: Origin | undefined
}

/**
 * A header that a service may send with the record of a kit. Its value changes whenever the draft changes. The server
 * of this package sends it, because the dates of folders don't change; without the header, we use the dates of the
 * record. It isn't an ETag, because an ETag would change every second along with the `server_clock` in the body. Our
 * requests for files use the same header to send the `file_hash` of the listing, so that the server of this package
 * sends exactly this file, whichever version was listed last.
 */
export const revisionHeader = 'content-revision'

export interface KitRecord extends KitSummary {
  spaceId?: string | undefined
  versions?: KitVersion[] | undefined
  /** The cover's URL as the service sent it, if the URL grants access. Only used for requests, never displayed. */
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
  /** The record as the service sent it, without `sections`. */
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
  /** The record as the service sent it, without `items`. */
  raw?: unknown
  /** In display order. Ties keep the order of the service. */
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
  /** The record as the service sent it. */
  raw?: unknown
}

/**
 * An asset with all fields of a `metadata=full` import. `asset.ts` describes these fields. The keys of `colors`, `meta`
 * and `raw` keep the order of the service; `wire/sorted.ts` sorts them.
 */
export interface AssetRecord extends Omit<KnownAsset, 'cuts' | 'export' | 'named' | 'suggestedName' | 'slug' | 'dark'> {
  /** The cuts that the service lists. If absent, the default cuts of the asset's type are assumed. */
  cuts?: FullMetadata['cuts'] | undefined
  meta: unknown
  /** JSON of the thumbnails as the service sent them, if their URLs grant access. For requests, never displayed. */
  previews?: string | undefined
  /** Set when the kit is loaded. */
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
  /** `<width>x<height>` in pixels, for a picture that the service renders in that size. */
  dimensions?: string | undefined
  /** Dots per inch, for a picture that the service renders in that resolution. */
  dpi?: string | undefined
}

/** Returns the name of a cut in the lockfile and the cache: `PNG`, `PNG@1280x960` or `PNG@300dpi`. */
export function writeCut({ type, dimensions, dpi }: Cut): string {
  const size = dimensions ?? (dpi && `${dpi}dpi`)
  return size ? `${type}@${size}` : type
}

export function readCut(name: string): Cut {
  const [, type = name, dimensions, dpi] = /^(.+)@(?:(\d+x\d+)|(\d+)dpi)$/.exec(name) ?? []
  return { type, dimensions, dpi }
}
