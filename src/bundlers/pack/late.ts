import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Compiler } from 'webpack'
import type { Options } from '../../config/options.js'
import { COMPILED, NAME } from '../plugin.js'
import { nameAll, stubRule, type NameFile } from '../references/file-stubs.js'
import type { LoaderOptions } from './loader.js'
import { ENCODED, moduleFolder, PLACEHOLDER, type Bundler } from './names.js'
import type { Shared, Started } from './start.js'

/*
 * The plugin that webpack and Rspack apply. It contains only rules and hooks. The first build loads `start.ts`, a small
 * file that detects ids, and the first id loads the rest, because many builds never contain an id. All rules and hooks
 * are added when the plugin is applied, because their order matters, and because Rspack ignores rules that are added
 * later.
 */

const require = createRequire(import.meta.url)

/** Creates a plugin. The parameters are described in `Shared`. */
export function latePlugin(bundler: Bundler, options?: Options, open?: Shared['open'], served = false) {
  const shared: Shared = { bundler, options, open, served, running: new Set(), failed: false }
  return { apply: (compiler: object): void => apply(Object(compiler), shared) }
}

/**
 * Returns a function that creates plugins. If a plugin is applied to several compilers, each compiler has its own
 * session.
 */
export function separatePlugins(bundler: Bundler) {
  return (options?: Options) => ({
    apply: (compiler: object): void => latePlugin(bundler, options).apply(compiler),
  })
}

function apply(compiler: Compiler, shared: Shared): void {
  const { hooks } = compiler
  const { module, output, plugins } = compiler.options
  const isRspack = 'rspackVersion' in compiler.webpack
  if (isRspack !== (shared.bundler === 'rspack')) {
    const { wrongBundler }: typeof import('./pack.js') = require('#dist/bundlers/pack/pack.js')
    throw wrongBundler(shared.bundler)
  }
  // Read this now, because the bundler adds its defaults after it has applied plugins.
  const { dataUrlCondition } = Object(module.parser['asset'])
  const isLibrary = plugins.some((plugin) => Object(plugin).name === 'RslibPlugin')
  const loader = require.resolve('#dist/bundlers/pack/loader.js')
  let starting: Promise<Started> | undefined
  let started: Started | undefined

  const start = async (): Promise<Started> => {
    starting ??= import('./start.js').then((file) =>
      file.start(compiler, shared, { dataUrlCondition, isLibrary, loader }),
    )
    return (started = await starting)
  }
  const filename: NameFile = (...given) => started?.loaded()?.filename(...given) ?? ''
  const load: LoaderOptions['load'] = async (given) => (await (await start()).open()).load(given)
  const narrow: LoaderOptions['narrow'] = async (...given) => (await (await start()).open()).narrow(...given)
  const uses = [{ loader, options: { load } }]
  module.rules.unshift({
    test: COMPILED,
    enforce: 'post',
    use: () => [{ loader, options: { narrow }, ident: `${NAME}:narrow` }],
  })
  const relocates = isLibrary && (output.publicPath ?? 'auto') === 'auto'
  module.rules.push(
    {
      include: join(moduleFolder(compiler), ENCODED),
      type: 'javascript/auto',
      // Lets the bundler skip a kit's module without loading the modules of its assets.
      sideEffects: false,
      enforce: 'pre',
      // Rspack passes the importing file only if `use` is a function.
      use: isRspack ? (data) => started?.loaded()?.use(data) ?? uses : uses,
    },
    stubRule(filename, shared.options?.publicPath ?? (relocates ? PLACEHOLDER : undefined)),
  )
  const { asset } = module.generator
  if (asset?.filename !== undefined) asset.filename = nameAll(asset.filename, filename)

  const prepare = async (): Promise<void> => (await start()).prepare()
  hooks.beforeRun.tapPromise(NAME, prepare)
  hooks.watchRun.tapPromise(NAME, prepare)
  hooks.beforeCompile.tapPromise(NAME, async () => (await start()).beforeCompile())
  hooks.thisCompilation.tap(NAME, (compilation) => started?.thisCompilation(compilation))
  // Unlike `thisCompilation`, `compilation` includes child compilations of other plugins.
  hooks.compilation.tap(NAME, (compilation, factories) => started?.compilation(compilation, factories))
  hooks.shouldEmit.tap(NAME, () => started?.loaded()?.shouldEmit())
  hooks.done.tapPromise(NAME, async (stats) => started?.done(stats))
  hooks.shutdown.tapPromise(NAME, async () => started?.loaded()?.close())
}
