import { join } from 'node:path'
import { rolldown } from 'rolldown'
import contentSpace from 'unplugin-content-space/rolldown'
import type { Driver } from '../driver.js'

export const rolldownDriver: Driver = {
  name: 'rolldown',
  async build(project, options, { format, publicPath, minify, sourcemap, hashes, entries }) {
    const log: string[] = []
    const bundle = await rolldown({
      input: entries.map((entry) => join(project, entry)),
      plugins: [contentSpace(publicPath === 'relative' ? options : { publicPath, ...options })],
      // On a busy machine, Rolldown would warn that plugins are slow.
      checks: { bundlerTimings: false },
      onLog: (_level, { message }) => void log.push(message),
    })
    try {
      const names = hashes ? {} : { assetFileNames: () => '[name][extname]' }
      await bundle.write({ dir: join(project, 'dist'), format, minify, sourcemap, ...names })
    } finally {
      await bundle.close()
    }
    return { log }
  },
}
