/**
 * Types for every id that `content-space.d.ts` does not declare exactly: one pattern for each kind, and for each shape
 * that a query can ask for. Of equally long patterns the first wins, so those with a query come first.
 * A pattern cannot know the names that a kit exports: importing one before it is declared is an error.
 */

declare module 'content-space:kits' {
  import type { KitSummary } from 'unplugin-content-space/asset'
  const kits: KitSummary[]
  export default kits
}

declare module 'content-space:asset/*?url' {
  const asset: string
  export default asset
}

declare module 'content-space:asset/*&url' {
  const asset: string
  export default asset
}

declare module 'content-space:asset/*?raw' {
  const asset: string
  export default asset
}

declare module 'content-space:asset/*&raw' {
  const asset: string
  export default asset
}

declare module 'content-space:asset/*?inline' {
  const asset: string
  export default asset
}

declare module 'content-space:asset/*&inline' {
  const asset: string
  export default asset
}

declare module 'content-space:asset/*as=url' {
  const asset: string
  export default asset
}

declare module 'content-space:asset/*as=raw' {
  const asset: string
  export default asset
}

declare module 'content-space:asset/*as=inline' {
  const asset: string
  export default asset
}

declare module 'content-space:asset/*as=picture' {
  import type { Picture } from 'unplugin-content-space/asset'
  const asset: Picture
  export default asset
}

declare module 'content-space:asset/*as=metadata' {
  import type { AssetMetadata } from 'unplugin-content-space/asset'
  const asset: AssetMetadata
  export default asset
}

declare module 'content-space:asset/*metadata=full' {
  import type { FullAsset } from 'unplugin-content-space/asset'
  const asset: FullAsset
  export default asset
}

declare module 'content-space:asset/*' {
  import type { Asset } from 'unplugin-content-space/asset'
  const asset: Asset
  export default asset
}

declare module 'content-space:kit/*?url' {
  import type { Kit } from 'unplugin-content-space/asset'
  const kit: Kit<string>
  export default kit
}

declare module 'content-space:kit/*&url' {
  import type { Kit } from 'unplugin-content-space/asset'
  const kit: Kit<string>
  export default kit
}

declare module 'content-space:kit/*?raw' {
  import type { Kit } from 'unplugin-content-space/asset'
  const kit: Kit<string>
  export default kit
}

declare module 'content-space:kit/*&raw' {
  import type { Kit } from 'unplugin-content-space/asset'
  const kit: Kit<string>
  export default kit
}

declare module 'content-space:kit/*?inline' {
  import type { Kit } from 'unplugin-content-space/asset'
  const kit: Kit<string>
  export default kit
}

declare module 'content-space:kit/*&inline' {
  import type { Kit } from 'unplugin-content-space/asset'
  const kit: Kit<string>
  export default kit
}

declare module 'content-space:kit/*as=url' {
  import type { Kit } from 'unplugin-content-space/asset'
  const kit: Kit<string>
  export default kit
}

declare module 'content-space:kit/*as=raw' {
  import type { Kit } from 'unplugin-content-space/asset'
  const kit: Kit<string>
  export default kit
}

declare module 'content-space:kit/*as=inline' {
  import type { Kit } from 'unplugin-content-space/asset'
  const kit: Kit<string>
  export default kit
}

declare module 'content-space:kit/*as=picture' {
  import type { Kit, Picture } from 'unplugin-content-space/asset'
  const kit: Kit<Picture>
  export default kit
}

declare module 'content-space:kit/*as=metadata' {
  import type { AssetMetadata, Kit } from 'unplugin-content-space/asset'
  const kit: Kit<AssetMetadata>
  export default kit
}

declare module 'content-space:kit/*metadata=full' {
  import type { FullAsset, Kit } from 'unplugin-content-space/asset'
  const kit: Kit<FullAsset>
  export default kit
}

declare module 'content-space:kit/*' {
  import type { Kit } from 'unplugin-content-space/asset'
  const kit: Kit
  export default kit
}

declare module 'content-space:section/*?url' {
  import type { SectionContent } from 'unplugin-content-space/asset'
  const section: SectionContent<string>
  export default section
}

declare module 'content-space:section/*&url' {
  import type { SectionContent } from 'unplugin-content-space/asset'
  const section: SectionContent<string>
  export default section
}

declare module 'content-space:section/*?raw' {
  import type { SectionContent } from 'unplugin-content-space/asset'
  const section: SectionContent<string>
  export default section
}

declare module 'content-space:section/*&raw' {
  import type { SectionContent } from 'unplugin-content-space/asset'
  const section: SectionContent<string>
  export default section
}

declare module 'content-space:section/*?inline' {
  import type { SectionContent } from 'unplugin-content-space/asset'
  const section: SectionContent<string>
  export default section
}

declare module 'content-space:section/*&inline' {
  import type { SectionContent } from 'unplugin-content-space/asset'
  const section: SectionContent<string>
  export default section
}

declare module 'content-space:section/*as=url' {
  import type { SectionContent } from 'unplugin-content-space/asset'
  const section: SectionContent<string>
  export default section
}

declare module 'content-space:section/*as=raw' {
  import type { SectionContent } from 'unplugin-content-space/asset'
  const section: SectionContent<string>
  export default section
}

declare module 'content-space:section/*as=inline' {
  import type { SectionContent } from 'unplugin-content-space/asset'
  const section: SectionContent<string>
  export default section
}

declare module 'content-space:section/*as=picture' {
  import type { Picture, SectionContent } from 'unplugin-content-space/asset'
  const section: SectionContent<Picture>
  export default section
}

declare module 'content-space:section/*as=metadata' {
  import type { AssetMetadata, SectionContent } from 'unplugin-content-space/asset'
  const section: SectionContent<AssetMetadata>
  export default section
}

declare module 'content-space:section/*metadata=full' {
  import type { FullAsset, SectionContent } from 'unplugin-content-space/asset'
  const section: SectionContent<FullAsset>
  export default section
}

declare module 'content-space:section/*' {
  import type { SectionContent } from 'unplugin-content-space/asset'
  const section: SectionContent
  export default section
}

declare module 'content-space:outline/*' {
  import type { KitOutline } from 'unplugin-content-space/asset'
  const outline: KitOutline
  export default outline
}
