import { createUnplugin, type SupportedFramework } from 'unplugin'
import { ContentSpaceError } from '../errors.js'
import type { Options } from '../config/options.js'
import { esbuildAdapter } from './esbuild.js'
import { farmAdapter } from './farm.js'
import { contentSpace, type Adapter } from './plugin.js'
import { rollupAdapter } from './rollup.js'
import type { Session } from './session.js'
import { viteAdapter } from './vite.js'
import { rspackAdapter, webpackAdapter } from './webpack.js'

const families: Partial<Record<SupportedFramework, (session: Session) => Adapter>> = {
  vite: viteAdapter,
  rollup: rollupAdapter,
  rolldown: rollupAdapter,
  webpack: webpackAdapter,
  rspack: rspackAdapter,
  esbuild: esbuildAdapter,
  farm: farmAdapter,
}

/** The plugin of every bundler: `unplugin.vite(options)` is what `unplugin-content-space/vite` exports. */
export const unplugin = createUnplugin<Options | undefined, true>((options, meta) => {
  const family = families[meta.framework]
  if (family) return contentSpace(family)(options, meta)
  throw new ContentSpaceError('invalidOption', `There is no plugin for ${meta.framework}.`, {
    hint: `There are plugins for ${Object.keys(families).join(', ')}; for others, content-space pull writes plain files.`,
  })
})
