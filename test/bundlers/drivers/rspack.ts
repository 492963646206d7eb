import { rspack } from '@rspack/core'
import contentSpace from 'unplugin-content-space/rspack'
import type { Driver } from '../driver.js'
import { logStream, packConfiguration, runCompiler } from './pack.js'

export const rspackDriver: Driver = {
  name: 'rspack',
  async build(project, options, settings) {
    const log: string[] = []
    const { experiments: _module, ...configuration } = packConfiguration(project, settings)
    const compiler = rspack({
      ...configuration,
      infrastructureLogging: { level: 'info', stream: logStream(log) },
      plugins: [contentSpace(options)],
    })
    return { log: [...(await runCompiler(compiler)), ...log] }
  },
}
