import type { CompilationContext, Compiler, JsPlugin, ResolvedUserConfig, UserConfig } from '@farmfe/core'
import type { Options } from '../../config/options.js'
import { mayWriteTokens } from '../may-write-tokens.js'
import { COMPILED, NAME } from '../plugin.js'

/*
 * The placeholder plugins that the entry exports. They contain only filters, and load the real plugins when one of
 * their hooks first receives an id, because many builds never contain an id. Farm evaluates these filters itself,
 * whereas unplugin's filters would make Farm call JavaScript for each module. `late.test.ts` checks that the
 * placeholders and the real plugins have the same hooks.
 */

/** Part of the path of every generated module. */
const ID = 'content-space:'

type Middleware = (context: { path: string }, next: () => Promise<void>) => Promise<void>

/** The configuration files whose plugins have been loaded. */
const opened = new Set<string>()

/**
 * Returns a function that creates placeholder plugins.
 * @param load loads the function that creates the real plugins
 */
export function latePlugins(load: () => Promise<(options?: Options) => JsPlugin[]>) {
  return (options?: Options): JsPlugin[] => {
    /** Calls to repeat once the real plugins are loaded. */
    const missed: [at: number, hook: string, given: unknown[]][] = []
    let real: JsPlugin[] = []
    let opening: Promise<void> | undefined
    let [root, configFile] = ['', '']
    let isBuild = true
    let output: (() => Buffer[]) | undefined
    let serve: Middleware | undefined
    let saved: number[] | undefined

    async function create(): Promise<void> {
      real = (await load())(options)
      if (configFile) opened.add(configFile)
      for (const [at, hook, given] of missed) {
        const result = await call(at, hook, given)
        if (hook === 'config') serve = Object(result).server.middlewares[0]()
      }
    }
    const open = (): Promise<void> => (opening ??= create())
    function call(at: number, name: string, given: unknown[]) {
      const hook = Object(Object(real[at])[name])
      return (hook.executor ?? hook).call(real[at], ...given)
    }
    function prepare(at: number, name: string, given: unknown[]): Promise<void> | undefined {
      if (opening === undefined) missed.push([at, name, given])
      return opening?.then(() => call(at, name, given))
    }
    /**
     * @param concerns returns whether a call must load the real plugins. Once they are loaded, they receive every call.
     */
    const late =
      <P, R>(at: number, name: string, concerns: (param: P) => boolean = () => true) =>
      (...given: [param: P, context?: CompilationContext]): Promise<R> | undefined =>
        opening !== undefined || concerns(given[0]) ? open().then(() => call(at, name, given)) : undefined
    const middleware: Middleware = async (context, next) => {
      if (context.path.includes('/__content-space/')) await open()
      return serve ? serve(context, next) : next()
    }

    const narrow: JsPlugin = {
      name: `${NAME}:narrow`,
      priority: 98,
      transform: { filters: { resolvedPaths: ['.*'], moduleTypes: ['.*'] }, executor: late(1, 'transform', hasId) },
    }
    const last: JsPlugin = {
      name: `${NAME}:last`,
      priority: 1,
      transform: { filters: { resolvedPaths: [], moduleTypes: ['css'] }, executor: late(2, 'transform', hasId) },
      resolve: {
        filters: { importers: ['.*'], sources: [`^/.*${ID}[a-z-]+/[\\w-]*/~`] },
        executor: late(2, 'resolve'),
      },
      finalizeResources: {
        executor: late(2, 'finalizeResources', ({ resourcesMap }) =>
          Object.values(resourcesMap).some(({ bytes }) => isConcerned(Buffer.from(bytes))),
        ),
      },
      pluginCacheLoaded: {
        executor: (...given) => {
          ;[saved] = given
          return prepare(2, 'pluginCacheLoaded', given)
        },
      },
      writePluginCache: { executor: (...given) => opening?.then(() => call(2, 'writePluginCache', given)) ?? saved },
    }
    const first: JsPlugin = {
      name: NAME,
      priority: 102,
      config(config: UserConfig) {
        void prepare(0, 'config', [config])
        const { server } = config
        return { ...config, server: { ...server, middlewares: [() => middleware, ...(server?.middlewares ?? [])] } }
      },
      configResolved(config) {
        root = config.root ?? '.'
        configFile = config.configFilePath ?? ''
        isBuild = !isWatching(config)
        if (isBuild) {
          // A build narrows a script's imports when it resolves them, and emits files in `finish`.
          Object(narrow.transform).filters = { resolvedPaths: [COMPILED.source], moduleTypes: [] }
          delete last.finalizeResources
        }
        return prepare(0, 'configResolved', [config])
      },
      configureCompiler(compiler) {
        output = () => Object.values(compiler.resources())
        const called = prepare(0, 'configureCompiler', [compiler])
        if (isBuild) return called
        updateInTurn(compiler)
        // Load the real plugins after a restart, because they stop the plugins of the previous configuration.
        return called ?? (opened.has(configFile) ? open() : undefined)
      },
      configureDevServer: (server) => prepare(0, 'configureDevServer', [server]),
      buildStart: {
        executor: (...given) => prepare(0, 'buildStart', given) ?? (mayWriteTokens(options, root) ? open() : undefined),
      },
      resolve: { filters: { sources: [ID], importers: ['.*'] }, executor: late(0, 'resolve') },
      load: { filters: { resolvedPaths: [ID] }, executor: late(0, 'load') },
      updateModules: { executor: late(0, 'updateModules', () => false) },
      finish: { executor: late(0, 'finish', () => isBuild && !!output?.().some(isConcerned)) },
    }
    return [first, narrow, last]
  }
}

function hasId({ content }: { content: string }): boolean {
  return content.includes(ID)
}

/** Checks whether an output file contains an id, or a mark from Farm's cache. */
function isConcerned(bytes: Buffer): boolean {
  return bytes.includes(ID) || bytes.includes('__CONTENT_SPACE_')
}

/**
 * Checks whether Farm watches files. `farm watch` doesn't set an option, so we check `NODE_ENV`, which Farm itself sets
 * before it resolves the configuration.
 */
export function isWatching({ compilation }: ResolvedUserConfig): boolean {
  return Boolean(compilation?.watch) || process.env['NODE_ENV'] === 'development'
}

/**
 * Makes each update wait for the first build and for the previous update. Farm would lose an update that it receives
 * during a build, or during another update that fails.
 */
export function updateInTurn(compiler: Compiler): void {
  const [compile, update] = [compiler.compile.bind(compiler), compiler.update.bind(compiler)]
  let turn: Promise<unknown> = Promise.resolve()
  const take = <T>(work: Promise<T>): Promise<T> => {
    turn = work.catch(() => {})
    return work
  }
  compiler.compile = () => take(compile())
  compiler.update = (...given) => (given[2] ? update(...given) : take(turn.then(() => update(...given))))
}
