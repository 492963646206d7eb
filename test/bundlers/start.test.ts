import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { expectWithin } from '../support/budgets.js'
import { loadedByScript, type LoadedModules } from '../support/loaded-modules.js'
import { createProject } from './driver.js'

const bundlers = ['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'esbuild', 'farm', 'bun']
/** The others bundle unplugin. */
const withLoaders = ['webpack', 'rspack']
/** Adapters that import modules of another adapter. */
const sharing = new Map([
  ['vite', 'rollup'],
  ['farm', 'rollup'],
  ['rspack', 'webpack'],
])
/** Bundlers whose entry is a single file, which loads the adapter with the first id. */
const late = ['rollup', 'rolldown', 'esbuild']
let unplugin: LoadedModules

beforeAll(async () => {
  unplugin = await loadedByScript("import 'unplugin'")
})

test.each(bundlers)('the entry of %s has at most 3 kB', async (bundler) => {
  const { size } = await stat(join('dist/entries', `${bundler}.js`))
  expect(size).toBeLessThanOrEqual(3000)
})

test.each(late)('the entry of %s loads nothing, and neither does a build without an id', async (bundler) => {
  const project = await createProject({ 'main.js': 'console.log(1)', 'package.json': '{}' })
  try {
    const build =
      bundler === 'esbuild'
        ? "await build({ absWorkingDir: process.cwd(), entryPoints: ['./main.js'], bundle: true, outdir: 'dist', plugins })"
        : `const bundle = await ${bundler}({ input: './main.js', plugins })
      await bundle.write({ dir: 'dist' })
      await bundle.close()`
    const { packages, files } = await loadedByScript(`
      import * as bundler from '${bundler}'
      import contentSpace from 'unplugin-content-space/${bundler}'
      process.chdir(${JSON.stringify(project.root)})
      const { build${bundler === 'esbuild' ? '' : `, ${bundler}`} } = bundler
      const plugins = [contentSpace()]
      ${build}`)
    expect(packages.filter((name) => !/rol(?:ldown|lup)|oxc|esbuild/.test(name))).toEqual([])
    expect(files).toBe(1)
  } finally {
    await project.remove()
  }
})

test.each(bundlers.filter((name) => !late.includes(name)))(
  'the entry of %s loads only unplugin and its own adapter',
  async (bundler) => {
    const { packages, own, files } = await loadedByScript(`import 'unplugin-content-space/${bundler}'`)
    expect(packages).toEqual(withLoaders.includes(bundler) ? unplugin.packages : [])
    expect(own).not.toContain('engine/engine')
    expect(own.length).toBeLessThanOrEqual(29)
    expectWithin('entryFiles', files)
    const adapters = bundlers.filter((name) => own.includes(`bundlers/${name}`))
    expect([bundler, sharing.get(bundler)]).toEqual(expect.arrayContaining(adapters))
  },
)

test('the root loads only unplugin', async () => {
  const { packages, own } = await loadedByScript("import 'unplugin-content-space'")
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
    const { own } = await loadedByScript(`
      import { createServer } from 'vite'
      import contentSpace from 'unplugin-content-space/vite'
      const root = ${JSON.stringify(project.root)}
      const plugins = [contentSpace({ space: root })]
      const server = await createServer({ configFile: false, root, logLevel: 'error', plugins, server: { port: 0 } })
      await server.listen()
      await server.close()`)
    expect(own).not.toContain('engine/engine')
  } finally {
    await project.remove()
  }
})
