import type { UnpluginInstance } from 'unplugin'
import type { Options } from '../../config/options.js'
import { NAME } from '../plugin.js'

type BunPlugin = UnpluginInstance<Options | undefined>['bun']

type SetUp = (builder: never, options?: Options) => unknown

/**
 * Returns the plugin for `Bun.build` or, in the runtime, for `Bun.plugin`: `await plugin(contentSpace())`. It loads its
 * code when a build or the runtime sets it up. It can't wait for a build's first id, because Bun can't start the probe
 * while it is loading a module.
 *
 * The function is itself a plugin, because `bunfig.toml` lists modules whose default export is a plugin.
 * @param loadBuild loads the function that sets up a build
 * @param loadRuntime loads the function that sets up the runtime, which doesn't have hooks for builds
 */
export function latePlugin(loadBuild: () => Promise<SetUp>, loadRuntime: () => Promise<SetUp>): BunPlugin {
  const create = (options?: Options) => ({
    name: NAME,
    setup: async (builder: object): Promise<void> => {
      const setUp = await ('onStart' in builder ? loadBuild() : loadRuntime())
      await Reflect.apply(setUp, undefined, [builder, options])
    },
  })
  return Object.assign(create, { setup: create().setup })
}
