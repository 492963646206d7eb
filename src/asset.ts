/**
 * An imported asset: the default export of `content-space:asset/…`, and each named export of a kit or section module.
 *
 * @example
 * import { heroPhoto } from 'content-space:kit/brand'
 *
 * heroPhoto.src // '/assets/hero-photo-1a2b3c4d.jpg'
 * heroPhoto.width // 3000
 */
export interface Asset {
  /** The uuid in the space, in upper case: `'3BD9A2C4-…'`. */
  uuid: string
  /** The name in the space: `'Hero Photo'`. */
  name: string
  /** The type of the original, as the service spells it: `'SVG'`, `'JPG'`. */
  type: string
  /** The format of `src`, in lower case: `'svg'`, `'png'`, `'webp'`. */
  format: string
  /** The URL of the file in the output. */
  src: string
  /** The width of `src` in pixels. Absent if the service doesn't list the size of the original. */
  width?: number
  /** The height of `src` in pixels. Absent if the service doesn't list the size of the original. */
  height?: number
  /** Notes of the content authors. An empty string if the asset doesn't have notes. */
  notes: string
  /** Keywords of the content authors: `['logo', 'primary']`. */
  keywords: string[]
  /** Colors of the asset, in the shape that the service sends. */
  colors: unknown[]
  /** The value for `srcset` of an `<img>`, when the query requests several sizes: `'/a.jpg 640w, /b.jpg 1280w'`. */
  srcset?: string
  /**
   * The attributes of `<source>` elements, when the query requests several formats, in the requested order:
   * `[{ type: 'image/avif', srcset: '/a.avif 640w, /b.avif 1280w' }, …]`.
   */
  sources?: { type: string; srcset: string }[]
  /**
   * The values of custom fields, by the name of the field in camelCase: `{ expires: '2027-01-31', regions: ['EU'] }`.
   * Absent for an asset without any. Dates keep the format of the space.
   */
  fields?: Record<string, FieldValue> | undefined
  /** A small preview as a data URI of less than 2 kB, with `?placeholder=blur` or `?placeholder=color`. */
  placeholder?: string
  /**
   * The dark counterpart of the asset, converted by the same query. Present with `?dark=…`, or with `dark` or
   * `darkPattern` in option `kits`.
   */
  dark?: DarkPicture
}

/** The files of a dark counterpart. */
export type DarkPicture = Pick<Asset, 'src' | 'width' | 'height' | 'srcset' | 'sources'>

/**
 * The value of a custom field: a list of strings for a checklist, a number for a number, a string for any other type.
 */
export type FieldValue = string | number | string[]

/** The definition of a custom field. */
export interface FieldDefinition {
  id: number
  /** Its name in `fields` of assets: `'expires'`. */
  key: string
  /** Its name in the space: `'Expires'`. */
  name: string
  /** `'text'`, `'number'`, `'date'`, `'select'`, `'checklist'`, or a type that this package doesn't know. */
  type: string
  /** The values that can be chosen. */
  options?: string[] | undefined
}

/** The fields that `?metadata=full` adds. Dates are in ISO 8601: `'2024-05-17T09:30:00Z'`. */
export interface FullMetadata {
  /** The size of the original in bytes. */
  size?: number | undefined
  /** The hash of the original as the service lists it, in lower-case hexadecimal: MD5, SHA-1 or SHA-256. */
  fileHash?: string | undefined
  /** The uuid of the original at the service, in lower case. It changes when the original is replaced. */
  fileId?: string | undefined
  /** The date when the asset was added. */
  dateAdded?: string | undefined
  /** The date when the asset was last changed. */
  dateUpdated?: string | undefined
  /** The date when the original was last replaced. */
  fileUpdated?: string | undefined
  /** The download URL at the service, which may need credentials. */
  permalink?: string | undefined
  /** URLs of previews at the service, by size in pixels: `{ '292': 'https://…' }`. */
  thumbnails: Record<string, string>
  /** Conversions that the service lists, by type: `[{ type: 'PNG', enabled: true, resizable: true }]`. */
  cuts: { type: string; enabled: boolean; resizable: boolean }[]
  /** Downloads that the service suggests: `[{ type: 'PNG', size: '2x', description: 'For retina displays' }]`. */
  presets: { type: string; size: string; description: string }[]
  /** The record that the service sent, including fields that this package doesn't know. */
  raw: unknown
}

/** An asset with `?metadata=full`. */
export type FullAsset = Asset & FullMetadata

/**
 * An asset with `?as=metadata`, whose file isn't downloaded. `width` and `height` are the size of the original in
 * pixels.
 */
export type AssetMetadata = Omit<Asset, 'format' | 'src' | 'srcset' | 'sources' | 'placeholder' | 'dark'>

/** An asset that `Importer.kit` returns: only its metadata, without downloading its file. */
export interface KnownAsset extends FullMetadata, Omit<AssetMetadata, 'width' | 'height'> {
  /** The width of the original in pixels. */
  width?: number | undefined
  /** The height of the original in pixels. */
  height?: number | undefined
  /** The name of its export in the module of the kit: `'heroPhoto'`. */
  export: string
  /** Whether `names` in option `kits` defines its export name. */
  named?: boolean | undefined
  /** A suggested name for `names` in option `kits`, if its export name ends with a part of its uuid: `'sunColors'`. */
  suggestedName?: string | undefined
  /** Its name in ids: `'hero-photo'` in `content-space:asset/brand/hero-photo`. */
  slug: string
  /** The slug of the dark counterpart, which `dark` or `darkPattern` in option `kits` defines. */
  dark?: string | undefined
}

/** An asset that is data without a file, such as a color or a link. `meta` is the data as the service sends it. */
export type DataAsset = Omit<AssetMetadata, 'width' | 'height'> & { meta: unknown }

/** An asset with `?as=picture`: the fields that `picture()` of `unplugin-content-space/picture` needs. */
export type Picture = Pick<Asset, 'name' | 'src' | 'width' | 'height' | 'srcset' | 'sources' | 'placeholder' | 'dark'>

/** The properties of items of all kinds. */
export interface BaseItem {
  /** The uuid of the item, not of its asset. */
  uuid: string
  /**
   * How the space displays the item, if it specifies that: `caption`, `size`, `cardBackgroundColor`, `imageAlignment`,
   * `showMetadata`, `allowDownload`, `autoplay`, `displayStyle`, and properties that this package doesn't know.
   */
  display?: Record<string, unknown> | undefined
  /** With `metadata=full`: the record that the service sent, without its asset. */
  raw?: unknown
}

/** A heading in a section. */
export interface HeadingItem extends BaseItem {
  type: 'heading'
  /** The text of the heading. */
  content: string
  /** The display size in the space: `'small'`. */
  displaySize?: string | undefined
}

/** An asset in a section. The same asset can be in several places. */
export interface AssetItem<T = Asset> extends BaseItem {
  type: 'asset'
  /** The display size in the space: `'small'`. */
  displaySize?: string | undefined
  asset: T
}

/** A note between assets. */
export interface NoteItem extends BaseItem {
  type: 'inline_note'
  /** Markdown as the authors wrote it. It isn't sanitized. */
  content: string
}

/** Code to copy. */
export interface CodeSnippetItem extends BaseItem {
  type: 'code_snippet'
  content: string
  /** The language of the code: `'css'`. An empty string if the space doesn't specify it. */
  language: string
}

/** A rule, such as "Do" or "Don't", with a picture. */
export interface GuideItem<T = Asset> extends BaseItem {
  type: 'guide'
  title?: string | undefined
  /** Markdown as the authors wrote it. It isn't sanitized. */
  content?: string | undefined
  color?: string | undefined
  asset?: T | undefined
}

/** Assets that belong together, for example in a campaign. */
export interface GalleryItem<T = Asset> extends BaseItem {
  type: 'gallery'
  name: string
  /** In display order. */
  assets: T[]
}

/** A picture that supports the text around it. */
export interface SupportingImageItem<T = Asset> extends BaseItem {
  type: 'supporting_image'
  asset: T
}

/** An item of a type that this package doesn't know. */
export interface OtherItem<T = Asset> extends BaseItem {
  type: string & {}
  /** The data that the service sent. */
  data: unknown
  asset?: T | undefined
}

/**
 * An item of a section: check its `type`. `T` is the type of the assets, which depends on `as=` in the query. A kit may
 * contain items of other types as well (`OtherItem`).
 */
export type Item<T = Asset> =
  | HeadingItem
  | AssetItem<T>
  | NoteItem
  | CodeSnippetItem
  | GuideItem<T>
  | GalleryItem<T>
  | SupportingImageItem<T>

/** A section of a kit. `T` is the type of its assets. */
export interface Section<T = Asset> extends SectionContent<T> {
  /** The number of assets, and of all items, in the section. */
  counts: { assets: number; items: number }
}

/** The description of a version of a kit. */
export interface KitHead {
  uuid: string
  /** The name in the space: `'Brand'`. */
  name: string
  /** The description of the kit, if it has one. */
  description?: string | undefined
  /** The status in the space: `'active'`. */
  status: string
  /** The version number. 0 is the draft. */
  version: number
  /** The label of the version: `'1.1'`. */
  versionIdentifier: string
  /** The release notes of the version. */
  notes: string
  /** The number of assets, items and sections in the kit. */
  counts: { assets: number; items: number; sections: number }
  /** The date when the version was added, in ISO 8601. */
  dateAdded?: string | undefined
  /** The date when the version was last changed, in ISO 8601. */
  dateUpdated?: string | undefined
  /** With `metadata=full`: the records of the kit and of the version that the service sent. */
  raw?: { kit: unknown; version: unknown } | undefined
}

/**
 * The default export of `content-space:kit/…`. `T` is the type of its assets, which depends on `as=` in the query.
 *
 * @example
 * import kit from 'content-space:kit/brand'
 *
 * for (const section of kit.sections)
 *   for (const item of section.items) if (item.type === 'asset') console.log(item.asset)
 */
export interface Kit<T = Asset> extends KitHead {
  /** The custom fields that assets of the kit have. Absent if no asset has one. */
  fields?: readonly FieldDefinition[] | undefined
  /** In display order. */
  sections: Section<T>[]
}

/** A section that `Importer.kit` returns. */
export interface KnownSection extends Section<KnownAsset> {
  /** Its name in ids: `'logos'` in `content-space:section/brand/logos`. */
  slug: string
}

/** A kit that `Importer.kit` returns. */
export interface KnownKit extends Kit<KnownAsset> {
  /** In display order. */
  sections: KnownSection[]
}

/** The default export of `content-space:section/…`: a section, or the items under one of its headings. */
export interface SectionContent<T = Asset> {
  uuid: string
  name: string
  /** In display order. */
  items: Item<T>[]
  /** With `metadata=full`: the record that the service sent, without its items. */
  raw?: unknown
}

/** The default export of `content-space:outline/…`: sections and headings in display order, without items. */
export interface KitOutline extends KitHead {
  sections: { uuid: string; name: string; headings: { uuid: string; name: string }[] }[]
}

/** A kit in the default export of `content-space:kits`. */
export interface KitSummary {
  uuid: string
  /** The name in the space: `'Brand'`. */
  name: string
  /** The description of the kit, if it has one. */
  description?: string | undefined
  /** The status in the space: `'active'`. */
  status: string
  /** The number of the version that the space recommends. Ids without a version refer to it. */
  useVersion: number
  /** The date when the kit was added, in ISO 8601. */
  dateAdded?: string | undefined
  /** The date when the kit was last changed, in ISO 8601. */
  dateUpdated?: string | undefined
  /** The URL of the cover picture at the service. */
  cover?: string | undefined
  /** With option `metadata: 'full'`: the record that the service sent, without its versions. */
  raw?: unknown
}

/** A color or a font of `content-space:tokens/…`. */
export interface Token extends Pick<KnownAsset, 'uuid' | 'name' | 'slug' | 'notes'> {
  /** The name of its section and of the heading above it, if any. */
  group: string[]
}

/** A color of `content-space:tokens/…`, in sRGB. */
export interface ColorToken extends Token {
  /** Six digits in lower case, without alpha: `'#e5603f'`. */
  hex: string
  /** From 0 to 1. */
  alpha: number
  /** The color in CSS: `'#e5603f'`, or `'rgb(229 96 63 / 40%)'` if `alpha` is less than 1. */
  css: string
  /** Whole numbers from 0 to 255. */
  rgb: [red: number, green: number, blue: number]
  /** `hue` ranges from 0 to 360, the others from 0 to 100. */
  hsb: { hue: number; saturation: number; brightness: number }
  /** The dark counterpart, in token files that pair colors (option `dark`). */
  dark?: Pick<ColorToken, 'hex' | 'alpha' | 'css' | 'rgb' | 'hsb'>
}

/** A font of `content-space:tokens/…`. It has either `src` or `stylesheet`. */
export interface FontToken extends Token {
  /** For `font-family`, without quotes: `'Inter'`. */
  family: string
  /** For `font-weight`: from 1 to 1000. The default weight of a variable font. */
  weight: number
  /** The weights that a variable font has. Absent for other fonts. */
  weightRange?: [min: number, max: number]
  style: 'normal' | 'italic' | 'oblique'
  /** For `font-style: oblique`: the degrees that a variable font can slant. Absent for other fonts. */
  slantRange?: [min: number, max: number]
  /** For `font-stretch`: the width in percent, from 50 to 200. Absent for 100. */
  stretch?: number
  /** The widths that a variable font has. Absent for other fonts. */
  stretchRange?: [min: number, max: number]
  /** The format of the file, or the type of the style sheet: `'woff2'`, `'css'`. */
  format: string
  /** The URL of the font file in the output. */
  src?: string
  /** The URL of a style sheet with the font, if the font isn't a file of the space. */
  stylesheet?: string
}

/** The default export of `content-space:app-icons/…`. Addresses refer to files in the output. */
export interface AppIcons {
  /** Smallest first. The manifest lists the last three icons. */
  icons: {
    src: string
    /** As in a manifest: `'192x192'`, `'16x16 32x32 48x48'`, or `'any'` for an SVG. */
    sizes: string
    /** The media type: `'image/png'`. */
    type: string
    /** Present if the platform may crop the icon to its own shape. */
    purpose?: 'maskable'
  }[]
  /** The address of `manifest.webmanifest`. */
  manifest: string
  /**
   * The attributes of the `<link>` elements that a page needs. Their type is a union with a member for each `rel`, as
   * frameworks declare it.
   */
  links: {
    [Rel in 'icon' | 'apple-touch-icon' | 'manifest']: { rel: Rel; href: string; sizes?: string; type?: string }
  }['icon' | 'apple-touch-icon' | 'manifest'][]
  /** The `<link>` elements, one per line. */
  html: string
}
