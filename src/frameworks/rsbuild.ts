import { latePlugin } from '../bundlers/pack/late.js'
import { NAME } from '../bundlers/plugin.js'
import type { Options } from '../config/options.js'

/** The part of Rsbuild's plugin API that is used here. */
interface RsbuildApi {
  logger: { info(message: string): void; warn(message: string): void }
  modifyRspackConfig(change: (config: object, utils: { appendPlugins: (plugin: object) => void }) => void): void
}

/**
 * Returns the plugin for Rsbuild and for tools that are built on it. It applies to all environments.
 * @param options the same as for the other plugins; by default, from the configuration file
 */
export function pluginContentSpace(options: Options = {}): { name: string; setup(api: RsbuildApi): void } {
  return {
    name: NAME,
    setup(api) {
      const log = {
        info: (message: string) => api.logger.info(message),
        warn: (message: string) => api.logger.warn(message),
      }
      // The compilers of all environments share the content and one summary.
      const plugin = latePlugin('rspack', options, async () => {
        const { openPack } = await import('../bundlers/pack/pack.js')
        return openPack('rspack', options, { log, pictureStyles: true })
      })
      api.modifyRspackConfig((_config, { appendPlugins }) => appendPlugins(plugin))
    },
  }
}
