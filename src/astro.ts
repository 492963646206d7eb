export { contentSpaceIntegration as default } from './frameworks/astro/integration.js'
export {
  kitLoader,
  type KitEntry,
  type KitImage,
  type KitLoader,
  type KitLoaderOptions,
} from './frameworks/astro/kit-loader.js'
export type {
  AssetComponent,
  ImageComponent,
  ImageProps,
  SvgComponent,
  SvgProps,
} from './frameworks/astro/components.js'
