import { createUnplugin, type SupportedFramework } from 'unplugin'
import { ContentSpaceError } from '../errors.js'
import type { Options } from '../config/options.js'
import { esbuildFamily } from './esbuild.js'
import { farmFamily } from './farm.js'
import { contentSpace, type Family } from './plugin.js'
import { rollupFamily } from './rollup.js'
import type { Session } from './session.js'
import { viteFamily } from './vite.js'
import { rspackFamily, webpackFamily } from './webpack.js'

const families: Partial<Record<SupportedFramework, (session: Session) => Family>> = {
  vite: viteFamily,
  rollup: rollupFamily,
  rolldown: rollupFamily,
  webpack: webpackFamily,
  rspack: rspackFamily,
  esbuild: esbuildFamily,
  farm: farmFamily,
}

/** The plugin of every bundler: `unplugin.vite(options)` is what `unplugin-content-space/vite` exports. */
export const unplugin = createUnplugin<Options | undefined, true>((options, meta) => {
  const family = families[meta.framework]
  if (family) return contentSpace(family)(options, meta)
  throw new ContentSpaceError('invalidOption', `There is no plugin for ${meta.framework}.`, {
    hint: `There are plugins for ${Object.keys(families).join(', ')}; for others, content-space pull writes plain files.`,
  })
})
