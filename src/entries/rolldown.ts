import type { UnpluginInstance } from 'unplugin'
import { latePlugins } from '../bundlers/rollup/late.js'
import { rollupHooks, rollupPlugins } from '../bundlers/rollup/late-rollup.js'
import type { Options } from '../config/options.js'

const rolldown: UnpluginInstance<Options | undefined, true>['rolldown'] = latePlugins(
  async () => (await import('../bundlers/rollup/create.js')).startRolldown,
  rollupPlugins,
  rollupHooks,
)
export { rolldown as default, rolldown as 'module.exports' }
