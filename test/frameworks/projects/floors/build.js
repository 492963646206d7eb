import { resolve } from 'node:path'

const [, , bundler, ssr] = process.argv
const { default: contentSpace } = await import(`unplugin-content-space/${bundler}`)
const plugins = [contentSpace()]

const rollup = async (load) => {
  const bundle = await load({ input: 'main.js', plugins })
  await bundle.write({ dir: 'dist', format: 'es' })
}

const pack = (create) =>
  new Promise((done, fail) => {
    const output = { path: resolve('dist'), publicPath: '/', assetModuleFilename: '[name].[hash][ext]' }
    create({ mode: 'production', entry: './main.js', output, plugins }).run((error, stats) => {
      if (error || stats.hasErrors()) fail(error ?? new Error(stats.toString('errors-only')))
      else done()
    })
  })

const builds = {
  esbuild: async () =>
    (await import('esbuild')).build({ entryPoints: ['main.js'], bundle: true, format: 'esm', outdir: 'dist', plugins }),
  farm: async () =>
    (await import('@farmfe/core')).build({
      configFile: false,
      compilation: { input: { main: './main.js' }, output: { path: 'dist' }, persistentCache: false },
      plugins,
    }),
  rolldown: async () => rollup((await import('rolldown')).rolldown),
  rollup: async () => rollup((await import('rollup')).rollup),
  rspack: async () => pack((await import('@rspack/core')).rspack),
  vite: async () =>
    (await import('vite')).build({
      configFile: false,
      plugins,
      build: ssr ? { ssr } : { rollupOptions: { input: 'main.js' } },
    }),
  webpack: async () => pack((await import('webpack')).default),
}

await builds[bundler]()
