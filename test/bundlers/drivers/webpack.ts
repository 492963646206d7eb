import contentSpace from 'unplugin-content-space/webpack'
import { webpack } from 'webpack'
import type { Driver } from '../driver.js'
import { logStream, packConfiguration, runCompiler } from './pack.js'

export const webpackDriver: Driver = {
  name: 'webpack',
  async build(project, options, settings) {
    const log: string[] = []
    const compiler = webpack({
      ...packConfiguration(project, settings),
      infrastructureLogging: { level: 'info', stream: logStream(log) },
      plugins: [contentSpace(options)],
    })
    return { log: [...(await runCompiler(compiler)), ...log] }
  },
}
