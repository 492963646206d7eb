export { contentSpaceIntegration as default } from './frameworks/astro/integration.js'
export {
  kitLoader,
  type KitEntry,
  type KitImage,
  type KitLoader,
  type KitLoaderOptions,
} from './frameworks/astro/kit-loader.js'
