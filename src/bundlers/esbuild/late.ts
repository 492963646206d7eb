import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type {
  BuildOptions,
  BuildResult,
  OnLoadArgs,
  OnLoadResult,
  OnResolveArgs,
  OnResolveResult,
  Plugin,
  PluginBuild,
} from 'esbuild'
import { mayWriteTokens } from '../may-write-tokens.js'
import type { Options } from '../../config/options.js'
import { NAME, RESOLVED_ID } from '../plugin.js'
import { FILE } from '../references/file-imports.js'
import { isText } from '../reports.js'

/** A hook with its filter, as a plugin passes them to esbuild. */
interface Hook<Args, Result> {
  filter: RegExp
  namespace?: string
  call: (args: Args) => Result
}

/** The hooks of the real plugin. */
interface Hooks {
  start: Parameters<PluginBuild['onStart']>[0][]
  end: Parameters<PluginBuild['onEnd']>[0][]
  resolve: Hook<OnResolveArgs, ReturnType<Parameters<PluginBuild['onResolve']>[1]>>[]
  load: Hook<OnLoadArgs, ReturnType<Parameters<PluginBuild['onLoad']>[1]>>[]
}

/**
 * Returns a function that creates the plugin that the entry exports. This plugin contains only filters, and loads the
 * real plugin when one of its hooks first receives an id. Because esbuild accepts most hooks only during the setup,
 * this plugin calls the hooks of the real plugin itself.
 * @param load loads the function that creates the real plugin
 */
export function latePlugin(load: () => Promise<(options?: Options) => Plugin>) {
  return (options?: Options): Plugin => ({
    name: NAME,
    setup(build) {
      const { initialOptions } = build
      const { absWorkingDir = process.cwd(), publicPath, metafile } = initialOptions
      const completesTypes = isLibrary(initialOptions)
      // Set these options now, because by the time the real plugin sets them, esbuild no longer reads them.
      if (options?.publicPath !== undefined) initialOptions.publicPath ??= options.publicPath
      initialOptions.metafile = true
      let hooks: Hooks | undefined
      let creating: Promise<Hooks> | undefined
      /** Resolves when the real plugin has started the current build. */
      let starting: Promise<void> | undefined
      let isRegistered = false

      async function create(): Promise<Hooks> {
        const found: Hooks = { start: [], end: [], resolve: [], load: [] }
        const plugin = (await load())(options)
        if (publicPath === undefined) delete initialOptions.publicPath
        initialOptions.metafile = metafile ?? false
        await plugin.setup({
          ...build,
          onStart: (call) => void found.start.push(call),
          // A hook that is registered during a build runs after the hooks of all plugins.
          onEnd: (call) => void (hooks === undefined ? found.end.push(call) : build.onEnd(call)),
          onResolve: (filter, call) => void found.resolve.push({ ...filter, call }),
          onLoad: (filter, call) => void found.load.push({ ...filter, call }),
        })
        return (hooks = found)
      }
      async function start({ start: calls }: Hooks): Promise<void> {
        for (const call of calls) await call()
      }
      async function open(): Promise<Hooks> {
        const opened = await (creating ??= create())
        await (starting ??= start(opened))
        return opened
      }
      function removeMetafile(result: BuildResult): void {
        if (hooks === undefined && !metafile) Reflect.deleteProperty(result, 'metafile')
      }
      const resolveLate = async (args: OnResolveArgs): Promise<OnResolveResult | null | undefined> =>
        firstResult((await open()).resolve, args)
      const loadLate = async (args: OnLoadArgs): Promise<OnLoadResult | null | undefined> =>
        firstResult((await open()).load, args)

      build.onStart(async () => {
        // Register this after the hooks of all plugins, because they may read the metafile.
        if (!isRegistered) build.onEnd(removeMetafile)
        isRegistered = true
        starting = undefined
        if (hooks !== undefined || completesTypes || mayWriteTokens(options, absWorkingDir)) await open()
      })
      build.onResolve({ filter: /content-space(?:-file)?:/ }, resolveLate)
      build.onResolve({ filter: /\/components\/runtime\/[\w-]+\.js$/, namespace: NAME }, resolveLate)
      build.onLoad({ filter: RESOLVED_ID }, loadLate)
      build.onLoad({ filter: /^/, namespace: FILE }, loadLate)
      build.onLoad({ filter: /\.css$/, namespace: 'file' }, async (args) =>
        (await readFile(args.path)).includes('content-space:') ? loadLate(args) : undefined,
      )
      build.onEnd(async (result) => {
        if (hooks === undefined && !(await hasIds(result, absWorkingDir))) return undefined
        const ended = []
        for (const call of (await open()).end) ended.push(await call(result))
        return {
          errors: ended.flatMap((one) => one?.errors ?? []),
          warnings: ended.flatMap((one) => one?.warnings ?? []),
        }
      })
    },
  })
}

/**
 * Checks whether a build makes a library, which an application's bundler will build again: a build of tsup, or one that
 * leaves packages to that bundler. Returns false if a public path is set, because the URLs of files are then known and
 * don't have to be relocated.
 */
export function isLibrary({ define, packages, platform, publicPath }: BuildOptions): boolean {
  if (publicPath !== undefined) return false
  return define?.['TSUP_FORMAT'] !== undefined || (packages === 'external' && platform !== 'node')
}

async function firstResult<Args extends { path: string; namespace: string }, Result>(
  hooks: Hook<Args, Result>[],
  args: Args,
): Promise<Awaited<Result> | undefined> {
  for (const { filter, namespace = args.namespace, call } of hooks) {
    if (namespace !== args.namespace || !filter.test(args.path)) continue
    const result = await call(args)
    if (result) return result
  }
  return undefined
}

/** Checks whether the output contains an id, either as text or as an import, which esbuild keeps unless it bundles. */
async function hasIds({ metafile, outputFiles }: BuildResult, folder: string): Promise<boolean> {
  if (outputFiles?.some(({ contents }) => Buffer.from(contents).includes('content-space:'))) return true
  for (const [path, { imports }] of Object.entries(metafile?.outputs ?? {})) {
    if (imports.some((one) => RESOLVED_ID.test(one.path))) return true
    if (outputFiles !== undefined || !isText(path)) continue
    const bytes = await readFile(resolve(folder, path)).catch(() => '')
    if (bytes.includes('content-space:')) return true
  }
  return false
}
