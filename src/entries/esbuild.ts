import type { UnpluginInstance } from 'unplugin'
import { latePlugin } from '../bundlers/esbuild/late.js'
import type { Options } from '../config/options.js'

const esbuild: UnpluginInstance<Options | undefined>['esbuild'] = latePlugin(
  async () => (await import('../bundlers/esbuild/esbuild.js')).esbuild,
)
export { esbuild as default, esbuild as 'module.exports' }
