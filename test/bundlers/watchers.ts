import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { rspack } from '@rspack/core'
import { context } from 'esbuild'
import { watch as watchRolldown } from 'rolldown'
import { watch as watchRollup } from 'rollup'
import contentSpaceEsbuild from 'unplugin-content-space/esbuild'
import contentSpaceRolldown from 'unplugin-content-space/rolldown'
import contentSpaceRollup from 'unplugin-content-space/rollup'
import contentSpaceRspack from 'unplugin-content-space/rspack'
import contentSpaceVite from 'unplugin-content-space/vite'
import contentSpaceWebpack from 'unplugin-content-space/webpack'
import { build as buildVite } from 'vite'
import { webpack } from 'webpack'
import type { Options } from '../../src/config/options.js'

interface Watching {
  close(): Promise<unknown>
}

/** How each bundler watches an entry and reports errors. */
export type Watch = (
  input: string,
  dir: string,
  options: Options,
  failed: (message: string) => void,
) => Watching | Promise<Watching>

interface RollupWatcher extends Watching {
  on(
    event: 'event',
    listener: (event: {
      code: string
      error?: { message: string }
      result?: { close(): Promise<void> } | null
    }) => void,
  ): unknown
}

/** Reports the errors of the three bundlers that have Rollup's events. */
function listen(watcher: RollupWatcher, failed: (message: string) => void): Watching {
  watcher.on('event', ({ error, result }) => {
    if (error) failed(error.message)
    void result?.close()
  })
  return watcher
}

interface PackCompiler {
  watch(
    settings: object,
    done: (error: Error | null, stats?: { toJson(options: object): { errors?: { message: string }[] } }) => void,
  ): unknown
  close(done: () => void): void
}

function watchPack(compiler: PackCompiler, failed: (message: string) => void): Watching {
  compiler.watch({ aggregateTimeout: 50 }, (error, stats) => {
    const errors = stats?.toJson({ all: false, errors: true }).errors ?? []
    for (const { message } of [...(error ? [error] : []), ...errors]) failed(message)
  })
  return { close: () => new Promise<void>((done) => compiler.close(done)) }
}

function pack(input: string, dir: string) {
  const quiet = { infrastructureLogging: { level: 'error' }, devtool: false } as const
  return {
    ...quiet,
    context: dirname(input),
    entry: input,
    mode: 'development',
    target: 'node',
    output: { path: dir, publicPath: '/' },
  } as const
}

const farm = `
  import { watch } from '@farmfe/core'
  import contentSpace from 'unplugin-content-space/farm'
  // Otherwise, Farm would bundle the plugin with the configuration.
  Object.assign(globalThis, { contentSpace })
  await watch({ configPath: process.argv[1] })
`

/**
 * Watches with Farm, whose process ends if the first build fails. It reads its configuration from `farm.config.mjs`.
 */
export const watchFarm: Watch = async (input, dir, options, failed) => {
  const root = dirname(input)
  const compilation = {
    input: { main: input },
    output: { path: dir, targetEnv: 'node' },
    lazyCompilation: false,
    persistentCache: false,
  }
  const given = join(root, 'farm.config.mjs')
  const config = JSON.stringify({ root, compilation, plugins: [] })
  await writeFile(given, `export default ${config.replace('[]', `[contentSpace(${JSON.stringify(options)})]`)}`)
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const watching = spawn(process.execPath, ['--input-type=module', '--eval', farm, given], { cwd })
  const builds: string[] = []
  let [output, hasEnded] = ['', false]
  const ended = once(watching, 'exit').then(([code, signal]) => {
    hasEnded = true
    output += `\nFarm ended: ${code ?? signal}`
  })
  for (const stream of [watching.stdout, watching.stderr])
    stream.on('data', (chunk) => {
      const text = String(chunk)
      output += text
      if (text.includes('Build completed')) builds.push(text)
      if (text.includes('ContentSpaceError')) failed(text)
    })
  // Farm doesn't report when it has begun to watch.
  while (builds.length < 2) {
    await setTimeout(200)
    if (hasEnded) throw new Error(output)
    if (builds.length === 1) await utimes(input, new Date(), new Date())
  }
  return { close: () => (watching.kill(), ended) }
}

export const watchers: Record<string, Watch> = {
  rollup(input, dir, options, failed) {
    // The root is always the working directory.
    process.chdir(dirname(input))
    return listen(watchRollup({ input, output: { dir }, plugins: [contentSpaceRollup(options)], onLog() {} }), failed)
  },
  rolldown: (input, dir, options, failed) =>
    listen(
      watchRolldown({
        cwd: dirname(input),
        input,
        output: { dir },
        plugins: [contentSpaceRolldown(options)],
        onLog() {},
      }),
      failed,
    ),
  async vite(input, dir, options, failed) {
    const root = dirname(input)
    const watching = await buildVite({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [contentSpaceVite(options)],
      build: { watch: {}, outDir: dir, minify: false, rolldownOptions: { input } },
    })
    if (!('on' in watching)) throw new Error('Vite does not watch')
    return listen(watching, failed)
  },
  webpack: (input, dir, options, failed) =>
    watchPack(webpack({ ...pack(input, dir), plugins: [contentSpaceWebpack(options)] }), failed),
  rspack: (input, dir, options, failed) =>
    watchPack(rspack({ ...pack(input, dir), plugins: [contentSpaceRspack(options)] }), failed),
  async esbuild(input, dir, options, failed) {
    const building = await context({
      absWorkingDir: dirname(input),
      entryPoints: [input],
      bundle: true,
      format: 'esm',
      outdir: dir,
      logLevel: 'silent',
      plugins: [
        contentSpaceEsbuild(options),
        {
          name: 'listen',
          setup: (build) =>
            build.onEnd(({ errors }) => {
              for (const { text } of errors) failed(text)
            }),
        },
      ],
    })
    await building.watch()
    return { close: () => building.dispose() }
  },
}
