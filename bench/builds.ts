export const bundlers = ['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'esbuild', 'farm'] as const

export type Bundler = (typeof bundlers)[number]

/**
 * Scripts that build with each bundler: from the file `entry` of the working directory to its folder `dist`, with
 * `plugins`. Nothing is minified, so the time of minifiers doesn't hide the time of plugins.
 */
const builds: Record<Bundler, string> = {
  vite: `const { build } = await import('vite')
    const input = process.cwd() + '/' + entry
    await build({ configFile: false, logLevel: 'error', plugins,
      build: { minify: false, assetsInlineLimit: 0, rolldownOptions: { input }, emptyOutDir: true } })`,
  rollup: `const { rollup } = await import('rollup')
    const bundle = await rollup({ input: entry, plugins })
    await bundle.write({ dir: 'dist' })
    await bundle.close()`,
  rolldown: `const { rolldown } = await import('rolldown')
    const bundle = await rolldown({ input: './' + entry, plugins })
    await bundle.write({ dir: 'dist' })
    await bundle.close()`,
  webpack: `const { default: create } = await import('webpack')
    ${packBuild()}`,
  rspack: `const { rspack: create } = await import('@rspack/core')
    ${packBuild()}`,
  esbuild: `const { build } = await import('esbuild')
    await build({ entryPoints: [entry], bundle: true, format: 'esm', outdir: 'dist', plugins, logLevel: 'error',
      loader: { '.svg': 'file' } })`,
  farm: `const { build } = await import('@farmfe/core')
    await build({ root: process.cwd(), plugins, compilation: { input: { main: './' + entry }, minify: false,
      sourcemap: false, persistentCache: false, presetEnv: false, output: { path: 'dist' } } })`,
}

/** Returns a script that builds, with the plugin or without. */
export function buildScript(bundler: Bundler, entry: string, options?: object): string {
  const plugin =
    options === undefined
      ? 'const plugins = []'
      : `const { default: plugin } = await import('unplugin-content-space/${bundler}')
        const plugins = [plugin(${JSON.stringify(options)})]`
  return `const entry = ${JSON.stringify(entry)}
    ${plugin}
    ${builds[bundler]}`
}

function packBuild(): string {
  return `const compiler = create({ mode: 'production', context: process.cwd(), entry: './' + entry,
      devtool: false, performance: false, optimization: { minimize: false }, output: { path: process.cwd() + '/dist' },
      module: { rules: [{ test: /\\.svg$/, type: 'asset/resource' }] }, plugins })
    await new Promise((resolve, reject) => compiler.run((error, stats) => compiler.close(() =>
      error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve())))`
}
