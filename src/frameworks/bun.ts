import { createBunPlugin, type UnpluginInstance } from 'unplugin'
import { bunAdapter } from '../bundlers/bun/bun.js'
import { contentSpace } from '../bundlers/plugin.js'
import type { Options } from '../config/options.js'
import type { BunRuntime } from './register/bun.js'

type BunPlugin = UnpluginInstance<Options | undefined>['bun']

const bundlerPlugin: BunPlugin = createBunPlugin(contentSpace(bunAdapter))

function createPlugin(options?: Options): ReturnType<BunPlugin> {
  const plugin = bundlerPlugin(options)
  return {
    ...plugin,
    async setup(build: BunRuntime) {
      // The runtime doesn't have hooks for builds.
      if ('onStart' in build) return plugin.setup(withNarrowFilter(build))
      const { setUpRuntime } = await import('./register/bun.js')
      return setUpRuntime(build, options)
    },
  }
}

/**
 * Narrows the hook's filter. Otherwise, unplugin passes every import to the hook, and the dev server's pages can't load
 * scripts by path.
 */
function withNarrowFilter(build: BunRuntime): BunRuntime {
  return {
    ...build,
    onResolve: ({ filter, ...where }, callback) =>
      build.onResolve({ filter: filter.source === '.*' ? /^content-space:/ : filter, ...where }, callback),
  }
}

/**
 * Returns the plugin for `Bun.build` or, in the runtime, for `Bun.plugin`: `await plugin(contentSpace())`.
 *
 * The function is itself a plugin, because `bunfig.toml` lists modules whose default export is a plugin.
 * @param options default to the configuration file and the environment
 */
export const bunPlugin: BunPlugin = Object.assign(createPlugin, {
  setup: (build: BunRuntime): unknown => createPlugin().setup(build),
})
