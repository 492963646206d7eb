import { join } from 'node:path'
import { rollup } from 'rollup'
import contentSpace from 'unplugin-content-space/rollup'
import type { Driver } from '../driver.js'

export const rollupDriver: Driver = {
  name: 'rollup',
  async build(project, options, { format, publicPath, sourcemap, hashes, entries }) {
    const log: string[] = []
    const bundle = await rollup({
      input: entries.map((entry) => join(project, entry)),
      plugins: [contentSpace(publicPath === 'relative' ? options : { publicPath, ...options })],
      onLog: (_level, { message }) => void log.push(message),
    })
    const names = hashes ? {} : { assetFileNames: () => '[name][extname]' }
    await bundle.write({ dir: join(project, 'dist'), format, sourcemap, ...names })
    await bundle.close()
    return { log }
  },
}
