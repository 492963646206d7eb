import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { rspack } from '@rspack/core'
import { watch as watchRolldown } from 'rolldown'
import { watch as watchRollup } from 'rollup'
import contentSpaceRolldown from 'unplugin-content-space/rolldown'
import contentSpaceRollup from 'unplugin-content-space/rollup'
import contentSpaceRspack from 'unplugin-content-space/rspack'
import contentSpaceVite from 'unplugin-content-space/vite'
import contentSpaceWebpack from 'unplugin-content-space/webpack'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { webpack } from 'webpack'
import type { Options } from '../../src/config/options.js'
import { createProject, readTree } from './driver.js'
import { drawing, kits, openTestSpace, type TestSpace } from './space.js'

let space: TestSpace
beforeAll(async () => void (space = await openTestSpace()))
afterAll(() => space.close())

const home = process.cwd()

interface Watching {
  close(): Promise<unknown>
}

/** How each bundler watches an entry, and reports errors. */
type Watch = (
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

/** Reports errors of the three bundlers with Rollup's events. */
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

const bundlers: Record<string, Watch> = {
  rollup(input, dir, options, failed) {
    // Its root is always the working directory.
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
    const watching = await build({
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
}

function entry(mark: string): string {
  return `import { ${mark} as mark } from 'content-space:kit/${kits.brand}@draft'; console.log(mark.src)`
}

for (const [name, watch] of Object.entries(bundlers)) {
  test(`${name} rebuilds when a draft changes, writes declarations despite a wrong import, and recovers`, async () => {
    const asset = `01 Logos/${name}-mark.svg`
    await space.edit(asset, drawing('before'))
    const project = await createProject({ 'main.js': entry(`${name}Mark`) })
    const dist = join(project.root, 'dist')
    const failures: string[] = []
    const options: Options = { ...space.options(), types: 'types.d.ts', refresh: 0.2, publicPath: '/' }
    const watcher = await watch(join(project.root, 'main.js'), dist, options, (message) => void failures.push(message))
    const declared = () => readFile(join(project.root, 'types.d.ts'), 'utf8')
    const drawn = async () =>
      [...(await readTree(dist))].filter(([path]) => path.endsWith('.svg')).map(([, bytes]) => bytes.toString())
    const patience = { timeout: 15_000, interval: 50 }
    try {
      await vi.waitFor(async () => expect(await drawn()).toContain(drawing('before')), patience)
      expect(await readFile(join(project.root, '.content-space/.gitignore'), 'utf8')).toBe('*\n')
      await space.edit(asset, drawing('after'))
      await vi.waitFor(async () => expect(await drawn()).toContain(drawing('after')), patience)
      await writeFile(join(project.root, 'main.js'), entry('acmeLoga'))
      await vi.waitFor(() => expect(failures.join()).toMatch(/acmeLoga[\s\S]*acmeLogo/), patience)
      // An editor needs the declarations most when the build fails.
      await writeFile(
        join(project.root, 'main.js'),
        `${entry('acmeLoga')}; import 'content-space:asset/${kits.brand}@draft/acme-logo'`,
      )
      await vi.waitFor(async () => expect(await declared()).toContain('@draft/acme-logo'), patience)
      await writeFile(join(project.root, 'main.js'), entry('acmeLogo'))
      await vi.waitFor(async () => expect(await drawn()).toContain(drawing('Acme')), patience)
    } finally {
      process.chdir(home)
      await watcher.close()
      await project.remove()
    }
  })
}
