import type { UnpluginInstance } from 'unplugin'
import { latePlugins } from '../bundlers/rollup/late.js'
import { rollupHooks, rollupPlugins } from '../bundlers/rollup/late-rollup.js'
import type { Options } from '../config/options.js'

const rollup: UnpluginInstance<Options | undefined, true>['rollup'] = latePlugins(
  async () => (await import('../bundlers/rollup/create.js')).startRollup,
  rollupPlugins,
  rollupHooks,
)
export { rollup as default, rollup as 'module.exports' }
