export { contentSpaceIntegration as default } from '../frameworks/astro/integration.js'
export {
  guideLoader,
  kitLoader,
  type GuideEntry,
  type KitEntry,
  type KitImage,
  type KitLoaderOptions,
} from '../frameworks/astro/kit-loader.js'
export type { KitLoader } from '../frameworks/astro/loader-types.js'
export type {
  AssetComponent,
  ImageComponent,
  ImageProps,
  SvgComponent,
  SvgProps,
} from '../frameworks/astro/components.js'
