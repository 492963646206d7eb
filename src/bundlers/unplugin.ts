import { createUnplugin, type SupportedFramework } from 'unplugin'
import type { Options } from '../config/options.js'
import { ContentSpaceError } from '../errors.js'
import { bunAdapter } from './bun/bun.js'
import { esbuildAdapter } from './esbuild/esbuild.js'
import { farmAdapter } from './farm/farm.js'
import { contentSpace, NAME, type Adapter } from './plugin.js'
import { rollupAdapter } from './rollup/rollup.js'
import type { Session } from './session/session.js'
import { viteAdapter } from './rollup/vite.js'
import { latePlugin } from './pack/late.js'

const adapters: Partial<Record<SupportedFramework, (session: Session) => Adapter>> = {
  vite: viteAdapter,
  rollup: rollupAdapter,
  rolldown: rollupAdapter,
  esbuild: esbuildAdapter,
  farm: farmAdapter,
  bun: bunAdapter,
}

/**
 * The plugins for all bundlers: `unplugin.vite(options)` is the same as the export of `unplugin-content-space/vite`.
 */
export const unplugin = createUnplugin<Options | undefined, true>((options, meta) => {
  if (meta.framework === 'webpack' || meta.framework === 'rspack')
    return [{ name: NAME, [meta.framework]: latePlugin(meta.framework, options).apply }]
  const adapter = adapters[meta.framework]
  if (adapter) return contentSpace(adapter)(options, meta)
  throw new ContentSpaceError('invalidOption', `There is no plugin for ${meta.framework}.`, {
    hint:
      `Supported bundlers are ${[...Object.keys(adapters), 'webpack', 'rspack'].join(', ')}. ` +
      'For others, npx content-space pull writes plain files.',
  })
})
