import type { UnpluginInstance } from 'unplugin'
import { latePlugins } from '../bundlers/rollup/late.js'
import type { Options } from '../config/options.js'

const rolldown: UnpluginInstance<Options | undefined, true>['rolldown'] = latePlugins(
  async () => (await import('../bundlers/rollup/create.js')).rolldown,
)
export { rolldown as default, rolldown as 'module.exports' }
