import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runNode, runScript, type Finished } from './process.js'
import { repository, settings } from './settings.js'

export const bundlers = ['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'esbuild', 'farm'] as const

export type Bundler = (typeof bundlers)[number]

/**
 * Scripts that build with each bundler, from the file `entry` in the working directory to its folder `dist`, with
 * `plugins`. The output isn't minified, because the time of minifiers would hide the time of plugins.
 */
const scripts: Record<Exclude<Bundler, 'vite'>, string> = {
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

/**
 * Builds a project in a process that is measured from start to end.
 * @param options of the plugin; by default, the build doesn't use the plugin
 * @param env replaces the environment
 */
export function runBuild(
  bundler: Bundler,
  root: string,
  entry: string,
  options?: object,
  env?: Record<string, string>,
): Promise<Finished> {
  if (bundler === 'vite')
    return runVite(root, entry, options && ['unplugin-content-space', `plugin(${JSON.stringify(options)})`], env)
  const plugin =
    options === undefined
      ? 'const plugins = []'
      : `const { default: plugin } = await import('unplugin-content-space/${bundler}')
        const plugins = [plugin(${JSON.stringify(options)})]`
  return runScript(`const entry = ${JSON.stringify(entry)}\n${plugin}\n${scripts[bundler]}`, {
    cwd: root,
    ...(env && { env }),
  })
}

/** How Vite's configuration imports each package. */
const imports = {
  'unplugin-content-space': `import plugin from 'unplugin-content-space/vite'`,
  'vite-imagetools': `import { imagetools as plugin } from 'vite-imagetools'`,
}

/**
 * Builds with Vite's command line, as most users do. It caches compiled code if Node supports that.
 * @param plugin the plugin's package, and the code that creates the plugin
 * @param env replaces the environment
 */
export async function runVite(
  root: string,
  entry: string,
  plugin?: readonly [keyof typeof imports, string],
  env?: Record<string, string>,
): Promise<Finished> {
  const config = join(root, `${entry}.vite.config.js`)
  const [name, call] = plugin ?? []
  await writeFile(
    config,
    `${name ? imports[name] : ''}
    const input = ${JSON.stringify(join(root, entry))}
    export default { plugins: [${call ?? ''}],
      build: { minify: false, assetsInlineLimit: 0, rolldownOptions: { input }, emptyOutDir: true } }\n`,
  )
  if (name) {
    const link = join(root, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await rm(link, { force: true })
    const installed = join(repository, 'node_modules', name)
    await symlink(name === 'unplugin-content-space' ? settings().folder : installed, link)
  }
  const vite = join(repository, 'node_modules/vite/bin/vite.js')
  return runNode([vite, 'build', '--config', config, '--logLevel', 'warn'], { cwd: root, ...(env && { env }) })
}

function packBuild(): string {
  return `const compiler = create({ mode: 'production', context: process.cwd(), entry: './' + entry,
      devtool: false, performance: false, optimization: { minimize: false }, output: { path: process.cwd() + '/dist' },
      module: { rules: [{ test: /\\.svg$/, type: 'asset/resource' }] }, plugins })
    await new Promise((resolve, reject) => compiler.run((error, stats) => compiler.close(() =>
      error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve())))`
}
