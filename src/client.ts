/**
 * Types for all `content-space:` imports that `content-space.d.ts` does not declare exactly. Add them to a project with
 * `/// <reference types="unplugin-content-space/client" />`. There is a pattern for each kind of id, and
 * for each query that changes what is imported. Of equally long patterns, TypeScript uses the first. The named exports
 * of kits are not in a pattern: `content-space sync` declares them.
 */

declare module 'content-space:kits' {
  /** All kits of the space. */
  const kits: import('unplugin-content-space/asset').KitSummary[]
  export default kits
}

declare module 'content-space:tokens/*' {
  import type { ColorToken, FontToken } from 'unplugin-content-space/asset'
  /** The colors of a kit, by export name, in display order. */
  export const colors: Record<string, ColorToken>
  /** The fonts of a kit, by export name, in display order. */
  export const fonts: Record<string, FontToken>
  const tokens: { colors: typeof colors; fonts: typeof fonts }
  export default tokens
}

declare module 'content-space:asset/*?url' {
  /** The URL of the file in the output. */
  const asset: string
  export default asset
}
declare module 'content-space:asset/*&url' {
  const asset: string
  export default asset
}

declare module 'content-space:asset/*?raw' {
  /** The text of the file. */
  const asset: string
  export default asset
}
declare module 'content-space:asset/*&raw' {
  const asset: string
  export default asset
}

declare module 'content-space:asset/*?inline' {
  /** The file as a data URI. */
  const asset: string
  export default asset
}
declare module 'content-space:asset/*&inline' {
  const asset: string
  export default asset
}

declare module 'content-space:asset/*as=url' {
  /** The URL of the file in the output. */
  const asset: string
  export default asset
}

declare module 'content-space:asset/*as=raw' {
  /** The text of the file. */
  const asset: string
  export default asset
}

declare module 'content-space:asset/*as=inline' {
  /** The file as a data URI. */
  const asset: string
  export default asset
}

declare module 'content-space:asset/*as=picture' {
  /** What `picture()` of `unplugin-content-space/picture` needs. */
  const asset: import('unplugin-content-space/asset').Picture
  export default asset
}

declare module 'content-space:asset/*as=metadata' {
  /** A description of the asset. No file is downloaded. */
  const asset: import('unplugin-content-space/asset').AssetMetadata
  export default asset
}

declare module 'content-space:asset/*metadata=full' {
  /** The asset, with its whole record. */
  const asset: import('unplugin-content-space/asset').FullAsset
  export default asset
}

declare module 'content-space:asset/*' {
  /** The asset: URL, format, size and description. */
  const asset: import('unplugin-content-space/asset').Asset
  export default asset
}

declare module 'content-space:kit/*?url' {
  /** A kit, with the URL of each file, in display order. */
  const kit: import('unplugin-content-space/asset').Kit<string>
  export default kit
}
declare module 'content-space:kit/*&url' {
  const kit: import('unplugin-content-space/asset').Kit<string>
  export default kit
}

declare module 'content-space:kit/*?raw' {
  /** A kit, with the text of each file, in display order. */
  const kit: import('unplugin-content-space/asset').Kit<string>
  export default kit
}
declare module 'content-space:kit/*&raw' {
  const kit: import('unplugin-content-space/asset').Kit<string>
  export default kit
}

declare module 'content-space:kit/*?inline' {
  /** A kit, with each file as a data URI, in display order. */
  const kit: import('unplugin-content-space/asset').Kit<string>
  export default kit
}
declare module 'content-space:kit/*&inline' {
  const kit: import('unplugin-content-space/asset').Kit<string>
  export default kit
}

declare module 'content-space:kit/*as=url' {
  /** A kit, with the URL of each file, in display order. */
  const kit: import('unplugin-content-space/asset').Kit<string>
  export default kit
}

declare module 'content-space:kit/*as=raw' {
  /** A kit, with the text of each file, in display order. */
  const kit: import('unplugin-content-space/asset').Kit<string>
  export default kit
}

declare module 'content-space:kit/*as=inline' {
  /** A kit, with each file as a data URI, in display order. */
  const kit: import('unplugin-content-space/asset').Kit<string>
  export default kit
}

declare module 'content-space:kit/*as=picture' {
  import type { Kit, Picture } from 'unplugin-content-space/asset'
  /** A kit, with a picture for each asset, in display order. */
  const kit: Kit<Picture>
  export default kit
}

declare module 'content-space:kit/*as=metadata' {
  import type { AssetMetadata, Kit } from 'unplugin-content-space/asset'
  /** A kit, with descriptions of its assets. No file is downloaded. */
  const kit: Kit<AssetMetadata>
  export default kit
}

declare module 'content-space:kit/*metadata=full' {
  import type { FullAsset, Kit } from 'unplugin-content-space/asset'
  /** A kit, with the whole record of each asset, in display order. */
  const kit: Kit<FullAsset>
  export default kit
}

declare module 'content-space:kit/*' {
  /** A kit, with its assets, in display order. */
  const kit: import('unplugin-content-space/asset').Kit
  export default kit
}

declare module 'content-space:section/*?url' {
  /** A section, or the items under one of its headings, with the URL of each file, in display order. */
  const section: import('unplugin-content-space/asset').SectionContent<string>
  export default section
}
declare module 'content-space:section/*&url' {
  const section: import('unplugin-content-space/asset').SectionContent<string>
  export default section
}

declare module 'content-space:section/*?raw' {
  /** A section, or the items under one of its headings, with the text of each file, in display order. */
  const section: import('unplugin-content-space/asset').SectionContent<string>
  export default section
}
declare module 'content-space:section/*&raw' {
  const section: import('unplugin-content-space/asset').SectionContent<string>
  export default section
}

declare module 'content-space:section/*?inline' {
  /** A section, or the items under one of its headings, with each file as a data URI, in display order. */
  const section: import('unplugin-content-space/asset').SectionContent<string>
  export default section
}
declare module 'content-space:section/*&inline' {
  const section: import('unplugin-content-space/asset').SectionContent<string>
  export default section
}

declare module 'content-space:section/*as=url' {
  /** A section, or the items under one of its headings, with the URL of each file, in display order. */
  const section: import('unplugin-content-space/asset').SectionContent<string>
  export default section
}

declare module 'content-space:section/*as=raw' {
  /** A section, or the items under one of its headings, with the text of each file, in display order. */
  const section: import('unplugin-content-space/asset').SectionContent<string>
  export default section
}

declare module 'content-space:section/*as=inline' {
  /** A section, or the items under one of its headings, with each file as a data URI, in display order. */
  const section: import('unplugin-content-space/asset').SectionContent<string>
  export default section
}

declare module 'content-space:section/*as=picture' {
  import type { Picture, SectionContent } from 'unplugin-content-space/asset'
  /** A section, or the items under one of its headings, with a picture for each asset, in display order. */
  const section: SectionContent<Picture>
  export default section
}

declare module 'content-space:section/*as=metadata' {
  import type { AssetMetadata, SectionContent } from 'unplugin-content-space/asset'
  /** A section, or the items under one of its headings, with descriptions of its assets. No file is downloaded. */
  const section: SectionContent<AssetMetadata>
  export default section
}

declare module 'content-space:section/*metadata=full' {
  import type { FullAsset, SectionContent } from 'unplugin-content-space/asset'
  /** A section, or the items under one of its headings, with the whole record of each asset, in display order. */
  const section: SectionContent<FullAsset>
  export default section
}

declare module 'content-space:section/*' {
  /** A section, or the items under one of its headings, with its assets, in display order. */
  const section: import('unplugin-content-space/asset').SectionContent
  export default section
}

declare module 'content-space:outline/*' {
  /** Sections and headings of a kit, without items. */
  const outline: import('unplugin-content-space/asset').KitOutline
  export default outline
}
