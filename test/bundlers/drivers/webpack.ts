import contentSpace from 'unplugin-content-space/webpack'
import { webpack } from 'webpack'
import type { Driver } from '../driver.js'
import { logStream, packConfiguration, runCompiler } from './pack.js'

export const webpackDriver: Driver = {
  name: 'webpack',
  async build(project, options, settings) {
    const log: string[] = []
    // webpack loads chunks from the same base, and Node can't load them from a web address.
    const { publicPath, format } = settings
    const apart = format === 'es' && publicPath !== 'relative'
    const compiler = webpack({
      ...packConfiguration(project, apart ? { ...settings, publicPath: 'relative' } : settings),
      infrastructureLogging: { level: 'info', stream: logStream(log) },
      plugins: [contentSpace(apart ? { publicPath, ...options } : options)],
    })
    return { log: [...(await runCompiler(compiler)), ...log] }
  },
}
