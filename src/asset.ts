/** What an import of an asset is, unless its query says otherwise. */
export interface Asset {
  uuid: string
  name: string
  /** Of the original, as the service spells it: `SVG`. */
  type: string
  /** Of what `src` shows: `svg`, `png`, `webp`. */
  format: string
  /** The address in the output. */
  src: string
  /** Of what `src` shows, in pixels. */
  width?: number
  /** Of what `src` shows, in pixels. */
  height?: number
  notes: string
  keywords: string[]
  colors: unknown[]
  srcset?: string
  /** In the order asked for, as `<source>` elements take them. */
  sources?: { type: string; srcset: string }[]
  /** A small preview, as a data URI. */
  placeholder?: string
}

/** The whole record: `?metadata=full`. Dates are ISO 8601, `size` is in bytes. */
export interface FullMetadata {
  size?: number | undefined
  fileHash?: string | undefined
  fileId?: string | undefined
  dateAdded?: string | undefined
  dateUpdated?: string | undefined
  fileUpdated?: string | undefined
  permalink?: string | undefined
  /** Addresses of previews by size in pixels; they belong to the service. */
  thumbnails: Record<string, string>
  cuts: { type: string; enabled: boolean; resizable: boolean }[]
  presets: { type: string; size: string; description: string }[]
  /** The record as it came, unknown fields included. */
  raw: unknown
}

/** An asset with `?metadata=full`. */
export type FullAsset = Asset & FullMetadata

/** What describes an asset without any file: `?as=metadata`. Width and height are the original's. */
export type AssetMetadata = Omit<Asset, 'format' | 'src' | 'srcset' | 'sources' | 'placeholder'>

/** An asset as `Importer.kit` gives it: what is known without any file. */
export interface KnownAsset extends FullMetadata {
  uuid: string
  name: string
  type: string
  /** Of the original, in pixels. */
  width?: number | undefined
  /** Of the original, in pixels. */
  height?: number | undefined
  notes: string
  keywords: string[]
  colors: unknown[]
  /** What the asset is called in a module of its kit. */
  export: string
  /** What the asset is called in ids. */
  slug: string
}

/** An asset that is data and no file: a colour, a link. */
export type DataAsset = Omit<AssetMetadata, 'width' | 'height'> & { meta: unknown }

/** What pictures need of an asset: `?as=picture`. */
export type Picture = Pick<Asset, 'name' | 'src' | 'width' | 'height' | 'srcset' | 'sources' | 'placeholder'>

export interface HeadingItem {
  type: 'heading'
  uuid: string
  content: string
  displaySize?: string | undefined
}

export interface AssetItem<T = Asset> {
  type: 'asset'
  uuid: string
  displaySize?: string | undefined
  asset: T
}

/** An item of a type that this package does not know, with its data as it came. */
export interface OtherItem {
  type: string & {}
  uuid: string
  data: unknown
}

export type Item<T = Asset> = HeadingItem | AssetItem<T> | OtherItem

export interface Section<T = Asset> {
  uuid: string
  name: string
  counts: { assets: number; items: number }
  items: Item<T>[]
}

/** The description of a version of a kit. */
export interface KitHead {
  uuid: string
  name: string
  status: string
  version: number
  versionIdentifier: string
  notes: string
  counts: { assets: number; items: number; sections: number }
  /** ISO 8601. */
  dateAdded?: string | undefined
  /** ISO 8601. */
  dateUpdated?: string | undefined
}

/** The default export of a kit module: sections and items in display order. */
export interface Kit<T = Asset> extends KitHead {
  sections: Section<T>[]
}

/** A section as `Importer.kit` gives it. */
export interface KnownSection extends Section<KnownAsset> {
  /** What the section is called in ids. */
  slug: string
}

/** A kit as `Importer.kit` gives it. */
export interface KnownKit extends Kit<KnownAsset> {
  sections: KnownSection[]
}

/** The default export of a section or heading module. */
export interface SectionContent<T = Asset> {
  uuid: string
  name: string
  items: Item<T>[]
}

/** The default export of an outline module. */
export interface KitOutline extends KitHead {
  sections: { uuid: string; name: string; headings: { uuid: string; name: string }[] }[]
}

/** One element of the default export of `content-space:kits`. */
export interface KitSummary {
  uuid: string
  name: string
  status: string
  useVersion: number
  dateAdded?: string | undefined
  dateUpdated?: string | undefined
  cover?: string | undefined
}
