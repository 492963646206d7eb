import type { UnpluginInstance } from 'unplugin'
import { latePlugins } from '../bundlers/rollup/late.js'
import { nestedBuilds, viteHooks, vitePlugins } from '../bundlers/rollup/late-vite.js'
import type { Options } from '../config/options.js'

const vite: UnpluginInstance<Options | undefined, true>['vite'] = latePlugins(
  async () => (await import('../bundlers/rollup/create-vite.js')).startVite,
  vitePlugins,
  viteHooks(async () => (await import('../bundlers/rollup/vite-early.js')).viteEarly),
  nestedBuilds(),
)
export { vite as default, vite as 'module.exports' }
