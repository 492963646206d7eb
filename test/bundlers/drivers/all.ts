import type { Driver } from '../driver.js'
import { viteDriver } from './vite.js'
import { rollupDriver } from './rollup.js'
import { rolldownDriver } from './rolldown.js'
import { webpackDriver } from './webpack.js'
import { rspackDriver } from './rspack.js'
import { esbuildDriver } from './esbuild.js'
import { farmDriver } from './farm.js'

/** Every bundler that the plugin supports. */
export const drivers: readonly Driver[] = [
  viteDriver,
  rollupDriver,
  rolldownDriver,
  webpackDriver,
  rspackDriver,
  esbuildDriver,
  farmDriver,
]
