import { join } from 'node:path'
import contentSpace from 'unplugin-content-space/vite'
import { build, createLogger } from 'vite'
import type { Driver } from '../driver.js'

export const viteDriver: Driver = {
  name: 'vite',
  async build(project, options, settings) {
    const { format, publicPath, minify, sourcemap, hashes, development, entries } = settings
    const log: string[] = []
    const say = (message: string): void => void log.push(message)
    await build({
      root: project,
      configFile: false,
      mode: development ? 'development' : 'production',
      logLevel: 'warn',
      customLogger: { ...createLogger(), info: say, warn: say, error: say },
      base: publicPath === 'relative' ? './' : publicPath,
      plugins: [contentSpace(options)],
      build: {
        minify,
        sourcemap,
        modulePreload: false,
        rolldownOptions: {
          // On a busy machine, Vite would warn about slow plugins.
          checks: { bundlerTimings: false },
          input: entries.map((entry) => join(project, entry)),
          output: { format, entryFileNames: '[name].js', ...(hashes ? {} : { assetFileNames: '[name][extname]' }) },
        },
      },
    })
    return { log }
  },
}
