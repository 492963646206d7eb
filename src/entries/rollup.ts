import type { UnpluginInstance } from 'unplugin'
import { latePlugins } from '../bundlers/rollup/late.js'
import type { Options } from '../config/options.js'

const rollup: UnpluginInstance<Options | undefined, true>['rollup'] = latePlugins(
  async () => (await import('../bundlers/rollup/create.js')).rollup,
)
export { rollup as default, rollup as 'module.exports' }
