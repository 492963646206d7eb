import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Driver } from '../driver.js'

/** Runs each build in a separate process, because Farm ends the process when a build fails. */
const script = `
  import { build } from '@farmfe/core'
  import contentSpace from 'unplugin-content-space/farm'
  const { options, configuration } = JSON.parse(process.argv[1])
  await build({ ...configuration, plugins: [contentSpace(options)] })
`

export const farmDriver: Driver = {
  name: 'farm',
  async build(project, options, { format, publicPath, minify, sourcemap, hashes, development, entries }) {
    const configuration = {
      root: project,
      compilation: {
        input: Object.fromEntries(entries.map((entry) => [entry.replace('.js', ''), `./${entry}`])),
        output: {
          path: 'dist',
          targetEnv: 'node',
          format: format === 'es' ? 'esm' : 'cjs',
          entryFilename: '[entryName].js',
          ...(hashes ? {} : { assetsFilename: '[resourceName].[ext]' }),
          ...(publicPath === 'relative' ? {} : { publicPath }),
        },
        // Farm does not follow links that lead out of the project.
        external: ['^react(-dom)?(/|$)', '^preact(-render-to-string)?(/|$)', '^(vue|solid-js)(/|$)'],
        mode: development ? 'development' : 'production',
        minify,
        sourcemap,
        persistentCache: false,
        presetEnv: false,
      },
    }
    const cwd = fileURLToPath(new URL('../../..', import.meta.url))
    const input = JSON.stringify({ options, configuration })
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', script, input],
      {
        cwd,
        timeout: 40_000,
        maxBuffer: 1e8,
      },
    ).catch((error: { stdout: string; stderr: string }) => {
      throw new Error(error.stdout + error.stderr)
    })
    return { log: [stdout, stderr] }
  },
}
