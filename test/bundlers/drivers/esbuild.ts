import { join } from 'node:path'
import { build } from 'esbuild'
import contentSpace from 'unplugin-content-space/esbuild'
import type { Driver } from '../driver.js'
import { listenToConsole } from './console.js'

export const esbuildDriver: Driver = {
  name: 'esbuild',
  async build(project, options, { format, publicPath, minify, sourcemap, hashes, entries }) {
    const said = listenToConsole()
    try {
      await build({
        absWorkingDir: project,
        entryPoints: entries,
        bundle: true,
        outdir: join(project, 'dist'),
        format: format === 'es' ? 'esm' : 'cjs',
        // Node can't load chunks from a web address.
        splitting: format === 'es' && publicPath === 'relative',
        platform: 'node',
        minify,
        sourcemap,
        assetNames: hashes ? 'media/[name]-[hash]' : 'media/[name]',
        plugins: [contentSpace(options)],
        ...(publicPath === 'relative' ? {} : { publicPath }),
      })
      return { log: said.lines }
    } finally {
      said.stop()
    }
  },
}
