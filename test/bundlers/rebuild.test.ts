import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rspack } from '@rspack/core'
import rspackPlugin from 'unplugin-content-space/rspack'
import webpackPlugin from 'unplugin-content-space/webpack'
import { expect, test, vi } from 'vitest'
import { soon } from '../support/long.js'
import { webpack } from 'webpack'
import { createImporter } from '../../src/importer.js'
import type { Options } from '../../src/config/options.js'
import { createProject, readTree } from './driver.js'
import { drawing } from './space.js'

/*
 * Counts what webpack and Rspack rebuild in watch mode: content modules only after a change of the content, the
 * lockfile, or the options, and then all that are out of date.
 */

interface Build {
  /** The modules that were built instead of being taken from the bundler's memory. */
  made: string[]
  errors: string[]
}

interface Module {
  name?: string
  built?: boolean
  modules?: Module[]
}

interface Stats {
  toJson(options: object): { modules?: Module[]; errors?: { message: string }[] }
}

interface Compiler {
  watch(settings: object, done: (error: Error | null, stats?: Stats) => void): unknown
  run(done: (error: Error | null) => void): unknown
  close(done: () => void): void
}

const shown = { all: false, modules: true, nestedModules: true, cachedModules: true, errors: true, modulesSpace: 1000 }
const names = ({ name, built, modules = [] }: Module): string[] => [
  ...(built && name !== undefined ? [name] : []),
  ...modules.flatMap(names),
]

const loaders = ['style-loader', 'css-loader'].map((name) => fileURLToPath(import.meta.resolve(name)))
const quiet = { mode: 'development', devtool: false, infrastructureLogging: { level: 'error' } } as const
const configuration = (root: string) => ({
  ...quiet,
  context: root,
  entry: './main.js',
  module: { rules: [{ test: /\.css$/, use: loaders }] },
  output: { path: join(root, 'dist'), publicPath: '/' },
})

const bundlers: [string, (root: string, options: Options) => Compiler][] = [
  ['webpack', (root, options) => webpack({ ...configuration(root), plugins: [webpackPlugin(options)] })],
  ['rspack', (root, options) => rspack({ ...configuration(root), plugins: [rspackPlugin(options)] })],
]

const published = (version: number) => ({
  use_version: version,
  versions: [1, 2].map((one) => ({ version: one, version_identifier: `${one}.0`, folder: `versions/${one}` })),
})

/** Opens a project that imports a published kit and a draft and that a bundler watches. */
async function watchProject(create: (root: string, options: Options) => Compiler) {
  const project = await createProject({
    'main.js': "import './plain.js'; import './logo.js'; import './left.js'; import './sheet.css'",
    'plain.js': 'console.log(0)',
    'logo.js': "import logo from 'content-space:asset/brand/logo'; console.log(logo)",
    'left.js': "import { left } from 'content-space:kit/icons@draft'; console.log(left)",
    'sheet.css': '.a { background: url("content-space:asset/icons@draft/right") }',
    'space/brand/kit.json': JSON.stringify(published(1)),
    'space/brand/versions/1/Logos/logo.svg': drawing('one'),
    'space/brand/versions/2/Logos/logo.svg': drawing('two'),
    'space/icons/Arrows/left.svg': drawing('left'),
    'space/icons/Arrows/right.svg': drawing('right'),
  })
  const { root } = project
  const options: Options = { space: join(root, 'space'), types: false, cacheDir: join(root, '.cache') }
  const builds: Build[] = []
  const compiler = create(root, options)
  compiler.watch({ aggregateTimeout: 20 }, (error, stats) => {
    if (error) throw error
    const { modules = [], errors = [] } = stats?.toJson(shown) ?? {}
    builds.push({ made: modules.flatMap(names), errors: errors.map(({ message }) => message) })
  })
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  let edits = 0
  /** Waits for a build, and returns the modules that it and the builds before it have built. */
  const made = (expected: (build: Build) => boolean): Promise<string[]> =>
    vi.waitFor(() => {
      expect(builds.some(expected)).toBe(true)
      return builds.splice(0).flatMap((build) => build.made)
    }, soon)
  const output = async () => [...(await readTree(join(root, 'dist'))).values()].join('\n')
  const has = (name: string) => (build: Build) => build.made.some((one) => one.includes(name))
  /**
   * Edits a module without content until a build rebuilds only this module. webpack doesn't trust files that are as new
   * as the build that read them, so it builds their modules once more.
   */
  async function settle(): Promise<void> {
    const again: string[] = []
    for (let attempt = 0; attempt < 4; attempt++) {
      await write('plain.js', `console.log(${++edits})`)
      const others = (await made(has('plain.js'))).filter((name) => name !== './plain.js')
      if (others.length === 0) return
      again.push(...others)
    }
    throw new Error(`Made again: ${again.join(' ')}`)
  }
  async function close(): Promise<void> {
    await new Promise<void>((done) => compiler.close(done))
    await project.remove()
  }
  return {
    root,
    options,
    write,
    made,
    has,
    failed: (message: RegExp) => made(({ errors }) => message.test(errors.join())),
    settle,
    output,
    emitted: (text: string) => vi.waitFor(async () => expect((await output()).includes(text), text).toBe(true), soon),
    close,
  }
}

test.each(bundlers)(
  '%s makes modules of content again only after a change of what they depend on',
  async (_, create) => {
    const { write, made, has, settle, output, emitted, options, root, close } = await watchProject(create)
    try {
      const first = await made(has('content-space:asset/'))
      expect(first.filter((name) => name.startsWith('content-space:')).length).toBeGreaterThan(2)
      const lockfile = join(root, 'content-space.lock.json')
      await vi.waitFor(async () => expect(await readFile(lockfile, 'utf8')).toContain('"use": 1'), soon)
      await settle()

      const changed = drawing('changed')
      await write('space/icons/Arrows/left.svg', changed.replace('<path', '<path onclick="go()"'))
      const draft = await made(has('content-space:asset/'))
      expect(draft.filter((name) => /plain|left\.js|logo/.test(name))).toEqual([])
      expect(draft.join()).toContain('sheet.css')
      await emitted('>changed<')
      await settle()

      // As `git pull` does after `content-space update` on another machine.
      await write('space/brand/kit.json', JSON.stringify(published(2)))
      const importer = await createImporter(options, { root }, { rename: false })
      await importer.sync()
      await importer.close()
      await made(has('content-space:asset/logo'))
      await emitted(drawing('two'))
      await settle()

      expect(await output()).not.toMatch(/onclick="go|fileHash/)
      await write('content-space.config.json', '{ "svg": "trust", "metadata": "full" }')
      await emitted('onclick="go')
      await emitted('fileHash')
      await settle()
    } finally {
      await close()
    }
  },
)

test.each(bundlers)('%s reports an unknown asset in each build until the content has it', async (_, create) => {
  const { write, made, has, settle, failed, emitted, root, close } = await watchProject(create)
  try {
    await made(has('content-space:asset/'))
    await write('left.js', "import { up } from 'content-space:kit/icons@draft'; console.log(up)")
    await failed(/does not export up/)
    await write('plain.js', 'console.log("edited")')
    await failed(/does not export up/)
    await write('space/icons/Arrows/up.svg', drawing('up'))
    await emitted(drawing('up'))
    await settle()
    await rm(join(root, 'space/icons/Arrows/up.svg'))
    await failed(/up is no longer in kit icons/)
    await write('plain.js', 'console.log("edited again")')
    await failed(/up is no longer in kit icons/)
    await write('space/icons/Arrows/up.svg', drawing('up again'))
    await emitted(drawing('up again'))
  } finally {
    await close()
  }
})

test.each(bundlers)("%s doesn't take content modules of an earlier run from its memory", async (_, create) => {
  const project = await createProject({
    'main.js': "import left from 'content-space:asset/icons/left'; console.log(left)",
  })
  const { root } = project
  const options: Options = { space: join(root, 'space'), types: false, cacheDir: join(root, '.cache') }
  const emitted = async (compiler: Compiler, title: string): Promise<string> => {
    await project.write({ 'space/icons/Arrows/left.svg': drawing(title) })
    await new Promise<void>((done, fail) => compiler.run((error) => (error ? fail(error) : done())))
    return [...(await readTree(join(root, 'dist'))).values()].join('\n')
  }
  const compilers = [create(root, options), create(root, options)] as const
  try {
    expect(await emitted(compilers[0], 'first')).toContain(drawing('first'))
    expect(await emitted(compilers[0], 'second')).toContain(drawing('second'))
    expect(await emitted(compilers[1], 'third')).toContain(drawing('third'))
    expect(await emitted(compilers[0], 'fourth')).toContain(drawing('fourth'))
  } finally {
    for (const compiler of compilers) await new Promise<void>((done) => compiler.close(done))
    await project.remove()
  }
})

// In a second run, Rspack takes the module itself from its memory.
test('webpack narrows the import of a module that had no id in an earlier run', async () => {
  const project = await createProject({
    'main.js': "import './plain.js'",
    'plain.js': 'console.log(0)',
    'space/icons/Arrows/left.svg': drawing('left'),
    'space/icons/Arrows/right.svg': drawing('right'),
  })
  const { root } = project
  const options: Options = { space: join(root, 'space'), types: false, cacheDir: join(root, '.cache') }
  const compiler = webpack({ ...configuration(root), plugins: [webpackPlugin(options)] })
  const run = () => new Promise<void>((done, fail) => compiler.run((error) => (error ? fail(error) : done())))
  try {
    await run()
    await project.write({ 'plain.js': "import('content-space:kit/icons').then(({ left }) => console.log(left.src))" })
    await run()
    const output = [...(await readTree(join(root, 'dist'))).values()].join('\n')
    expect(output).toContain(drawing('left'))
    expect(output).not.toContain(drawing('right'))
  } finally {
    await new Promise<void>((done) => compiler.close(() => done()))
    await project.remove()
  }
})
