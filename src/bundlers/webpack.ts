import type { UnpluginBuildContext } from 'unplugin'
import type { FileDescriptor } from '../files/plan.js'
import { NAME, type Adapter } from './plugin.js'
import { writeDescriptor } from './references/descriptors.js'
import { devFiles } from './references/dev-files.js'
import { isStub, stubReferences, stubRule, writeForRspack } from './references/file-stubs.js'
import type { Session } from './session/session.js'
import type { PackCompilation, PackCompiler } from './webpack-compiler.js'
import { serveFiles } from './webpack-dev-server.js'

/** Replaces the scheme in requests to webpack, which passes requests with an unknown scheme to no resolver. */
const REWRITTEN = '@@content-space/'
/** The beginning of an id in the path of a virtual module. */
const ENCODED = 'content-space%3A'

/** Each content file is an asset module, and its bytes are added after tree-shaking. */
export function webpackAdapter(session: Session): Adapter {
  return {
    ...packAdapter(session, writeDescriptor, rewriteRequests),
    specifier: {
      filter: /^@@content-space\//,
      read: (text) => decodeURIComponent(text.slice(REWRITTEN.length)),
    },
  }
}

/** The same as for webpack, except that Rspack passes specifiers to resolvers unchanged. */
export function rspackAdapter(session: Session): Adapter {
  return packAdapter(session, writeForRspack, () => {})
}

function rewriteRequests(compiler: PackCompiler): void {
  compiler.hooks.compilation.tap(NAME, (_compilation, { normalModuleFactory }) => {
    normalModuleFactory.hooks.beforeResolve.tap(NAME, (data) => {
      if (!data.request.startsWith('content-space:')) return
      // An unescaped `!` separates loaders.
      data.request = REWRITTEN + encodeURIComponent(data.request).replaceAll('!', '%21')
    })
  })
}

function packAdapter(
  session: Session,
  write: (file: FileDescriptor) => string,
  prepare: (compiler: PackCompiler) => void,
): Adapter {
  const files = devFiles(session)
  const stubs = stubReferences(session, write)
  const apply = (compiler: PackCompiler): void => {
    prepare(compiler)
    const serving = serveFiles(compiler, files)
    addRules(compiler, session)
    compiler.hooks.thisCompilation.tap(NAME, (compilation) => configure(session, compiler, compilation, serving))
    addEmission(compiler, session)
    compiler.hooks.done.tapPromise(NAME, async (stats) => {
      if (!stats.hasErrors()) await session.finish()
      if (session.host.command === 'build') await session.close()
    })
    compiler.hooks.shutdown.tapPromise(NAME, () => session.close())
  }
  return {
    prefix: '',
    references: () => (session.host.command === 'serve' ? files.references : stubs),
    beforeLoad: (context, id) => prepareModule(context, id, session),
    options: { webpack: apply, rspack: apply },
  }
}

function addRules({ options, hooks }: PackCompiler, session: Session): void {
  const { rule, load } = stubRule(() => options.output.assetModuleFilename, session.options.publicPath)
  hooks.beforeCompile.tapPromise(NAME, load)
  options.module.rules.push(
    // Lets the bundler skip the module of a kit without loading the modules of its assets.
    { include: new RegExp(ENCODED), sideEffects: false },
    rule,
  )
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
  const relative = options.output.publicPath === '' || options.output.publicPath === 'auto'
  if (options.externalsPresets?.node && relative && session.options.publicPath === undefined) session.warnOfFileUrls()
}

/**
 * Prepares a generated module for loading. The bundler must not restore it from a cache on disk: it depends on the
 * service and the lockfile, whose changes the bundler does not detect. Making the module again downloads nothing. With
 * a cache on disk, webpack does not resolve the import again, so the importing file is read from the module graph.
 */
function prepareModule(context: UnpluginBuildContext, id: string, session: Session): void {
  const native = context.getNativeBuildContext?.()
  if (native?.framework !== 'webpack' && native?.framework !== 'rspack') return
  native.loaderContext?.cacheable(false)
  // Rspack has no module graph at this point, but it resolves imports again.
  if (native.framework === 'rspack') return
  const { _module: module } = native.loaderContext ?? {}
  const issuer = module && native.compilation?.moduleGraph.getIssuer(module)
  if (!issuer || !('resource' in issuer) || typeof issuer.resource !== 'string') return
  const path = issuer.resource
  const at = path.indexOf(ENCODED)
  session.origins.add(id, at === -1 ? path : decodeURIComponent(path.slice(at)))
}

/** Adds the hooks that replace the descriptors in stubs with bytes. */
function addEmission(compiler: PackCompiler, session: Session): void {
  const { PROCESS_ASSETS_STAGE_ADDITIONAL, PROCESS_ASSETS_STAGE_REPORT } = compiler.webpack.Compilation
  let complete = true
  compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
    complete = true
    const options = { name: NAME, stage: PROCESS_ASSETS_STAGE_REPORT }
    compilation.hooks.processAssets.tapPromise(options, async () => {
      if (session.options.emitFiles === false) removeFiles(compilation)
    })
  })
  // `compilation`, unlike `thisCompilation`, includes the child compilations of other plugins, which have assets too.
  compiler.hooks.compilation.tap(NAME, (compilation) => {
    const options = { name: NAME, stage: PROCESS_ASSETS_STAGE_ADDITIONAL }
    compilation.hooks.processAssets.tapPromise(options, async () => {
      failOnMissingExports(compilation)
      complete &&= await replaceStubs(compiler, compilation, session)
    })
  })
  // Development builds emit in spite of errors. Without its files, the output would look complete.
  compiler.hooks.shouldEmit.tap(NAME, () => (complete ? undefined : false))
}

/**
 * Replaces the descriptors in emitted stubs with the bytes of the files. A stub whose file fails is deleted, so that
 * its descriptor is not served as a picture.
 * @returns whether all files were loaded
 */
async function replaceStubs(compiler: PackCompiler, compilation: PackCompilation, session: Session): Promise<boolean> {
  const { parseDescriptor } = await import('./references/read-descriptors.js')
  const failures = new Map<string, Error>()
  await Promise.all(
    compilation
      .getAssets()
      .filter(({ info }) => isStub(info.sourceFilename))
      .map(async ({ name, source }) => {
        try {
          const file = parseDescriptor(source.buffer())
          const bytes = new compiler.webpack.sources.RawSource(Buffer.from(await session.file(file)))
          const sourceFilename = `${CONTENT_SOURCE}${file.name}.${file.ext}`
          compilation.updateAsset(name, bytes, (info) => ({ ...info, sourceFilename }))
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

/** The beginning of the source file name of an emitted content file. */
const CONTENT_SOURCE = 'content-space:'

function removeFiles(compilation: PackCompilation): void {
  for (const { name, info } of compilation.getAssets()) {
    if (info.sourceFilename?.startsWith(CONTENT_SOURCE)) compilation.deleteAsset(name)
  }
}

/**
 * Turns warnings about missing exports of content modules into errors. webpack itself does this only with a setting
 * that applies to all modules.
 */
function failOnMissingExports(compilation: PackCompilation): void {
  const missing = compilation.warnings.filter(({ message }) => MISSING_EXPORT.test(message))
  if (missing.length === 0) return
  compilation.warnings = compilation.warnings.filter((warning) => !missing.includes(warning))
  compilation.errors.push(...missing)
}

const MISSING_EXPORT = /^export .* was not found in 'content-space:/
