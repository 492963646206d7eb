import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Driver } from '../driver.js'

const script = `
  import contentSpace from 'unplugin-content-space/bun'
  const { root, options, configuration } = JSON.parse(process.env.TEST_BUILD)
  process.chdir(root)
  try {
    await Bun.build({ ...configuration, plugins: [contentSpace(options)] })
  } catch (error) {
    for (const { message } of error.errors ?? [error]) console.error(message)
    process.exitCode = 1
  }
`

/** @param executable returns the path of Bun, which isn't a dependency of this package */
export function bunDriver(executable: () => string): Driver {
  return {
    name: 'bun',
    async build(root, options, { format, publicPath, minify, sourcemap, hashes, entries }) {
      const configuration = {
        entrypoints: entries.map((entry) => `./${entry}`),
        outdir: 'dist',
        target: 'node',
        format: format === 'es' ? 'esm' : 'cjs',
        naming: { asset: hashes ? 'assets/[name]-[hash].[ext]' : 'assets/[name].[ext]' },
        // Bun imports chunks from the public path.
        ...(publicPath === 'relative' ? { splitting: format === 'es' } : { publicPath }),
        minify,
        sourcemap: sourcemap ? 'linked' : 'none',
      }
      const { stdout, stderr } = await promisify(execFile)(executable(), ['--eval', script], {
        cwd: fileURLToPath(new URL('../../..', import.meta.url)),
        env: { ...process.env, TEST_BUILD: JSON.stringify({ root, options, configuration }) },
        timeout: 40_000,
        maxBuffer: 1e8,
      }).catch((error: { stdout: string; stderr: string }) => {
        throw new Error(error.stdout + error.stderr)
      })
      return { log: [stdout, stderr] }
    },
  }
}
