/**
 * Types for all `content-space:` imports with `as=preact` that `content-space.d.ts` does not declare exactly.
 * Reference it before `unplugin-content-space/client`: of equally long patterns, TypeScript uses the first.
 */

declare module 'content-space:asset/*as=preact' {
  /** A component: an SVG inline, another picture as `<img>` or `<picture>`. */
  const component: import('unplugin-content-space/preact').AssetComponent
  export default component
}

declare module 'content-space:kit/*as=preact' {
  import type { Kit } from 'unplugin-content-space/asset'
  import type { AssetComponent } from 'unplugin-content-space/preact'
  /** A kit, with a component for each picture, in display order. */
  const kit: Kit<AssetComponent>
  export default kit
}

declare module 'content-space:section/*as=preact' {
  import type { SectionContent } from 'unplugin-content-space/asset'
  import type { AssetComponent } from 'unplugin-content-space/preact'
  /** A section, or the items under one of its headings, with a component for each picture, in display order. */
  const section: SectionContent<AssetComponent>
  export default section
}
