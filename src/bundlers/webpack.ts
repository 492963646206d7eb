import type { UnpluginBuildContext } from 'unplugin'
import type { FileDescriptor } from '../files/plan.js'
import { parseFile, writeFile } from './descriptors.js'
import { devFiles } from './dev-files.js'
import { serveFiles } from './webpack-dev-server.js'
import type { Adapter } from './plugin.js'
import type { Session } from './session.js'
import { isStub, stubReferences, stubRule, writeForRspack } from './file-stubs.js'

/** What the plugin needs of a compiler; webpack's and Rspack's both are one. */
interface PackCompiler {
  context: string
  watchMode: boolean
  options: {
    mode?: string | undefined
    target?: unknown
    externalsPresets?: { node?: boolean | undefined } | undefined
    devServer?: unknown
    output: { publicPath?: unknown; assetModuleFilename?: unknown }
    module: { rules: unknown[] }
  }
  hooks: {
    compilation: {
      tap(name: string, run: (compilation: PackCompilation, parameters: { normalModuleFactory: Factory }) => void): void
    }
    thisCompilation: { tap(name: string, run: (compilation: PackCompilation) => void): void }
    shouldEmit: { tap(name: string, run: () => false | undefined): void }
    done: { tapPromise(name: string, run: (stats: { hasErrors(): boolean }) => Promise<void>): void }
    shutdown: { tapPromise(name: string, run: () => Promise<void>): void }
  }
  webpack: {
    sources: { RawSource: new (bytes: Buffer) => unknown }
    Compilation: { PROCESS_ASSETS_STAGE_ADDITIONAL: number; PROCESS_ASSETS_STAGE_REPORT: number }
  }
  getInfrastructureLogger(name: string): { info(message: string): void }
}

interface AssetInfo {
  sourceFilename?: string | undefined
}

interface PackCompilation {
  errors: Error[]
  warnings: Error[]
  getAssets(): readonly { name: string; source: { buffer(): Buffer }; info: AssetInfo }[]
  updateAsset(name: string, source: unknown, info: (info: AssetInfo) => AssetInfo): void
  deleteAsset(name: string): void
  hooks: { processAssets: { tapPromise(options: { name: string; stage: number }, run: () => Promise<void>): void } }
}

interface Factory {
  hooks: { beforeResolve: { tap(name: string, run: (data: { request: string }) => undefined): void } }
}

const NAME = 'content-space'
/**
 * What stands for `content-space:` in requests to webpack, which keeps a scheme it does not know from every resolver.
 */
const UNSCHEMED = '@@content-space/'
/** In the path of a virtual module. */
const ENCODED = 'content-space%3A'

/**
 * The family of webpack: an asset is an asset module of webpack's own, whose bytes take their place after tree-shaking.
 */
export function webpackAdapter(session: Session): Adapter {
  return {
    ...packFamily(session, writeFile, (compiler) => {
      compiler.hooks.compilation.tap(NAME, (_compilation, { normalModuleFactory }) => {
        normalModuleFactory.hooks.beforeResolve.tap(NAME, (data) => {
          if (!data.request.startsWith('content-space:')) return
          // A bare `!` would separate loaders.
          data.request = UNSCHEMED + encodeURIComponent(data.request).replaceAll('!', '%21')
        })
      })
    }),
    specifier: {
      filter: /^@@content-space\//,
      read: (text) => decodeURIComponent(text.slice(UNSCHEMED.length)),
    },
  }
}

export function rspackAdapter(session: Session): Adapter {
  return packFamily(session, writeForRspack, () => {})
}

function packFamily(
  session: Session,
  write: (file: FileDescriptor) => string,
  prepare: (compiler: PackCompiler) => void,
): Adapter {
  const files = devFiles(session)
  const stubs = stubReferences(session, write)
  const apply = (compiler: PackCompiler) => {
    prepare(compiler)
    let whole = true
    const serving = serveFiles(compiler, files)
    compiler.options.module.rules.push(
      // Lets a barrel be skipped without its modules being made.
      { include: new RegExp(ENCODED), sideEffects: false },
      stubRule(() => compiler.options.output.assetModuleFilename, session.options.publicPath),
    )
    compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
      whole = true
      configure(session, compiler, compilation, serving)
      const { PROCESS_ASSETS_STAGE_REPORT: stage } = compiler.webpack.Compilation
      compilation.hooks.processAssets.tapPromise({ name: NAME, stage }, async () => {
        if (session.options.emitFiles === false) removeFiles(compilation)
      })
    })
    // `compilation` and not `thisCompilation`: those of other plugins inside a build have assets too
    compiler.hooks.compilation.tap(NAME, (compilation) => {
      const { PROCESS_ASSETS_STAGE_ADDITIONAL: stage } = compiler.webpack.Compilation
      compilation.hooks.processAssets.tapPromise({ name: NAME, stage }, async () => {
        failMissingExports(compilation)
        whole &&= await fillStubs(compiler, compilation, session)
      })
    })
    // Development builds emit in spite of errors: a page without its pictures would look finished.
    compiler.hooks.shouldEmit.tap(NAME, () => (whole ? undefined : false))
    compiler.hooks.done.tapPromise(NAME, async (stats) => {
      if (!stats.hasErrors()) await session.finish()
      if (session.host.command === 'build') await session.close()
    })
    compiler.hooks.shutdown.tapPromise(NAME, () => session.close())
  }
  return {
    prefix: '',
    references: () => (session.host.command === 'serve' ? files.references : stubs),
    loading: (context, id) => traceModule(context, id, session),
    options: { webpack: apply, rspack: apply },
  }
}

function configure(session: Session, compiler: PackCompiler, compilation: PackCompilation, serving: boolean): void {
  const { options } = compiler
  session.configure({
    root: compiler.context,
    mode: options.mode ?? 'production',
    command: serving ? 'serve' : compiler.watchMode ? 'watch' : 'build',
    log: {
      info: (message) => compiler.getInfrastructureLogger(NAME).info(message),
      warn: (message) => void compilation.warnings.push(new Error(message)),
    },
  })
  const addressless = options.output.publicPath === '' || options.output.publicPath === 'auto'
  if (options.externalsPresets?.node && addressless && session.options.publicPath === undefined)
    session.warnOfFileAddresses()
}

/**
 * A module of ours is made anew in every build, also with a cache on disk: what it shows is the service's and the
 * lock's, which no snapshot of files covers. It costs no download. Who imports it, a cached build has never resolved.
 */
function traceModule(context: UnpluginBuildContext, id: string, session: Session): void {
  const native = context.getNativeBuildContext?.()
  if (native?.framework !== 'webpack' && native?.framework !== 'rspack') return
  native.loaderContext?.cacheable(false)
  // Rspack has no module graph yet, but resolves again.
  if (native.framework === 'rspack') return
  const { _module: module } = native.loaderContext ?? {}
  const issuer = module && native.compilation?.moduleGraph.getIssuer(module)
  if (!issuer || !('resource' in issuer) || typeof issuer.resource !== 'string') return
  const path = issuer.resource
  const at = path.indexOf(ENCODED)
  session.imported(id, at === -1 ? path : decodeURIComponent(path.slice(at)))
}

/**
 * Puts the bytes where the descriptions stand. What cannot be had is removed, lest a description be taken for a
 * picture.
 */
async function fillStubs(compiler: PackCompiler, compilation: PackCompilation, session: Session): Promise<boolean> {
  const failures = new Map<string, Error>()
  await Promise.all(
    compilation
      .getAssets()
      .filter(({ info }) => isStub(info.sourceFilename))
      .map(async ({ name, source }) => {
        try {
          const file = parseFile(source.buffer())
          const bytes = new compiler.webpack.sources.RawSource(Buffer.from(await session.file(file)))
          compilation.updateAsset(name, bytes, (info) => ({
            ...info,
            sourceFilename: `${FILLED}${file.name}.${file.ext}`,
          }))
        } catch (error) {
          const failure = error instanceof Error ? error : new Error(String(error))
          failures.set(failure.message, failure)
          compilation.deleteAsset(name)
        }
      }),
  )
  compilation.errors.push(...failures.values())
  return failures.size === 0
}

/** What an emitted file of ours says of its source, instead of the description that it was made from. */
const FILLED = 'content-space:'

function removeFiles(compilation: PackCompilation): void {
  for (const { name, info } of compilation.getAssets()) {
    if (info.sourceFilename?.startsWith(FILLED)) compilation.deleteAsset(name)
  }
}

/**
 * webpack warns of a name that a module does not export, unless told otherwise for all modules; for ours it is an
 * error.
 */
function failMissingExports(compilation: PackCompilation): void {
  const missing = compilation.warnings.filter(({ message }) => MISSING.test(message))
  if (missing.length === 0) return
  compilation.warnings = compilation.warnings.filter((warning) => !missing.includes(warning))
  compilation.errors.push(...missing)
}

const MISSING = /^export .* was not found in 'content-space:/
