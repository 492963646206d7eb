import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadedByScript, type LoadedModules } from '../support/loaded-modules.js'
import { createProject } from './driver.js'

const bundlers = ['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'esbuild', 'farm', 'bun']
/** The packages of bundlers that are named differently. */
const sources: Record<string, string> = { farm: '@farmfe/core', rspack: '@rspack/core' }
/**
 * Bundlers whose entry is a single file, and how many files a build loads before it sees an id. What some need when
 * they run would exceed the size of an entry.
 */
const late = new Map([
  ['rollup', 1],
  ['rolldown', 1],
  ['esbuild', 1],
  ['vite', 2],
  ['farm', 1],
  ['webpack', 2],
  ['rspack', 2],
])

test.each(bundlers)('the entry of %s has at most 3 kB', async (bundler) => {
  const { size } = await stat(join('dist/entries', `${bundler}.js`))
  expect(size).toBeLessThanOrEqual(3000)
})

const runCompiler = `
      const settings = { mode: 'development', entry: './main.js', plugins }
      await new Promise((resolve, reject) => bundler.default(settings, (error) => (error ? reject(error) : resolve())))`
const builds: Record<string, string> = {
  esbuild: "await build({ absWorkingDir: root, entryPoints: ['./main.js'], bundle: true, outdir: 'dist', plugins })",
  vite: "await build({ configFile: false, logLevel: 'error', plugins })",
  farm: `const compilation = { input: { main: './main.js' }, output: { path: 'dist' }, persistentCache: false }
      await build({ root, compilation, plugins })`,
  webpack: runCompiler,
  rspack: runCompiler,
}

test.each([...late])(
  'the entry of %s loads nothing, and neither does a build without an id',
  async (bundler, count) => {
    const project = await createProject({
      'main.js': 'console.log(1)',
      'index.html': '<script type="module" src="./main.js"></script>',
      'public/robots.txt': 'User-agent: *',
      'package.json': '{}',
    })
    try {
      const imported = await loadedByScript(`import 'unplugin-content-space/${bundler}'`)
      expect([imported.packages, imported.files]).toEqual([[], 1])
      const generic = `const bundle = await bundler.${bundler}({ input: './main.js', plugins })
      await bundle.write({ dir: 'dist' })
      await bundle.close()`
      const build = (plugins: string): Promise<LoadedModules> =>
        loadedByScript(`
      import * as bundler from '${sources[bundler] ?? bundler}'
      const root = ${JSON.stringify(project.root)}
      process.chdir(root)
      const { build } = bundler
      ${plugins}
      ${builds[bundler] ?? generic}`)
      const without = await build('const plugins = []')
      const { packages, files } = await build(`
      import contentSpace from 'unplugin-content-space/${bundler}'
      const plugins = [contentSpace()]`)
      expect(packages).toEqual(without.packages)
      expect(files).toBe(count)
    } finally {
      await project.remove()
    }
  },
)

test('the entry of bun loads nothing before a build or the runtime sets it up', async () => {
  const { packages, files } = await loadedByScript(`
    import contentSpace from 'unplugin-content-space/bun'
    contentSpace()`)
  expect([packages, files]).toEqual([[], 1])
})

test.each(['rsbuild', 'docusaurus', 'storybook'])('the entry of %s loads nothing', async (name) => {
  const { packages, files } = await loadedByScript(`import 'unplugin-content-space/${name}'`)
  expect([packages, files]).toEqual([[], 1])
})

test('the root loads only unplugin', async () => {
  const [{ packages, own }, unplugin] = await Promise.all([
    loadedByScript("import 'unplugin-content-space'"),
    loadedByScript("import 'unplugin'"),
  ])
  expect(packages).toEqual(unplugin.packages)
  expect(own).not.toContain('engine/engine')
})

test('a build loads the engine only if it imports content', async () => {
  const project = await createProject({
    'without.js': 'console.log(1)',
    'with.js': "import kit from 'content-space:kit/brand'\nconsole.log(kit)",
  })
  const build = (input: string): Promise<LoadedModules> =>
    loadedByScript(`
      import { rollup } from 'rollup'
      import contentSpace from 'unplugin-content-space/rollup'
      const plugins = [contentSpace({ space: ${JSON.stringify(project.root)}, types: false, lockfile: false })]
      await rollup({ input: ${JSON.stringify(join(project.root, input))}, plugins })
        .then((bundle) => bundle.generate({}))
        .catch((error) => { if (error.pluginCode !== 'kitNotFound') throw error })`)
  try {
    const before = await build('without.js')
    expect(before.packages.filter((name) => !/^@?rollup/.test(name))).toEqual([])
    expect(before.own).not.toContain('engine/engine')
    expect((await build('with.js')).own).toContain('engine/engine')
  } finally {
    await project.remove()
  }
})

test('a dev server loads the importer only for a page that imports content', async () => {
  const project = await createProject({ 'index.html': '<p>Nothing' })
  try {
    // The plugins are loaded half a second after the start, which a busy machine would reach.
    const { files } = await loadedByScript(`
      import { mock } from 'node:test'
      import { createServer } from 'vite'
      import contentSpace from 'unplugin-content-space/vite'
      mock.timers.enable({ apis: ['setTimeout'] })
      const root = ${JSON.stringify(project.root)}
      const plugins = [contentSpace({ space: root })]
      const server = await createServer({ configFile: false, root, logLevel: 'error', plugins, server: { port: 0 } })
      await server.listen()
      await server.transformIndexHtml('/', '<p>Nothing')
      server.printUrls()
      await server.close()`)
    expect(files).toBe(late.get('vite'))
  } finally {
    await project.remove()
  }
})
