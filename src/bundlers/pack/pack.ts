import { ContentSpaceError } from '../../errors.js'
import type { FileDescriptor } from '../../files/plan.js'
import { mountBrowser } from '../mount-kit-browser.js'
import { isPlainScript, NAME, type Adapter, type Imports } from '../plugin.js'
import { writeDescriptor } from '../references/descriptors.js'
import type { References } from '../../modules/references.js'
import { devFiles, type DevFiles } from '../references/dev-files.js'
import { addMarkup } from '../markup/pack.js'
import {
  isStub,
  nameAll,
  stubReferences,
  stubRequest,
  stubRule,
  writeForRspack,
  type StubNames,
} from '../references/file-stubs.js'
import { readableIds, showFrame } from '../reports.js'
import type { Session } from '../session/session.js'
import type { Compilation, Compiler } from 'webpack'
import { allowedHosts, answerRequests, isOnDisk } from './dev-server.js'
import { addEmission, generatorOption } from './emission.js'
import { completeLibrary, isLibrary, nameChunks, PLACEHOLDER } from './library.js'
import { addModules, ENCODED, isRspack } from './modules.js'

/**
 * Makes each content file an asset module, whose bytes are added after tree-shaking.
 * @param served whether a server in this process serves the output of a compiler in watch mode, even from the disk
 */
export function webpackAdapter(session: Session, served = false): Adapter {
  return packAdapter(session, writeDescriptor, nameModules, served)
}

/**
 * Does the same for Rspack, where naming modules in hooks would call JavaScript for each module. We name them only in
 * the statistics.
 */
export function rspackAdapter(session: Session): Adapter {
  return packAdapter(session, writeForRspack, nameInStatistics, false)
}

/** Lets picture components import their style sheet, for a framework that always builds style sheets. */
export function withPictureStyles(adapter: Adapter): Adapter {
  return { ...adapter, references: (id) => ({ ...adapter.references(id), pictureStyles: true }) }
}

/** Names content modules as the source does, in statistics, developer tools, and chunks of development builds. */
function nameModules(compiler: Compiler, displayName: DisplayName): void {
  // With a DLL, other compilations find modules by name.
  if (compiler.options.plugins.some((plugin) => Object(plugin).constructor.name.startsWith('Dll'))) return
  compiler.hooks.compilation.tap(NAME, (_compilation, { normalModuleFactory }) => {
    normalModuleFactory.hooks.afterResolve.tap(NAME, ({ createData }) => {
      const label = displayName(createData.userRequest ?? '')
      if (label !== undefined) createData.userRequest = label
    })
  })
}

/** Names modules in the statistics as the source does, after the bundler has named them. */
function nameInStatistics({ hooks }: Compiler, displayName: DisplayName): void {
  const rename = (entry: { name?: string; moduleName?: string }): void => {
    const [name, moduleName] = [displayName(entry.name ?? ''), displayName(entry.moduleName ?? '')]
    if (name !== undefined) entry.name = name
    if (moduleName !== undefined) entry.moduleName = moduleName
  }
  hooks.compilation.tap(NAME, (compilation) =>
    compilation.hooks.statsFactory.tap(NAME, ({ hooks: { extract } }) => {
      for (const kind of ['module', 'error']) extract.for(kind).tap({ name: NAME, stage: 100 }, rename)
    }),
  )
}

function packAdapter(
  session: Session,
  write: (file: FileDescriptor) => string,
  name: (compiler: Compiler, displayName: DisplayName) => void,
  served: boolean,
): Adapter {
  const files = devFiles(session)
  const stubs = stubReferences(session, write)
  const dev: References = {
    ...files.references,
    // The variable holds the base of all URLs in the output. If it is empty, URLs would be relative to the page.
    address: (file) => ({ code: `(__webpack_public_path__ || "/") + ${JSON.stringify(files.path(file))}` }),
  }
  // An adapter may be applied to several compilers, which run concurrently and share a summary.
  const running = new Set<Compiler>()
  let failed = false
  let narrows = true
  const apply = (compiler: Compiler, imports: Imports): void => {
    narrows &&= !providesContent(compiler)
    const names = stubNames(compiler, session, files)
    addMarkup(compiler, session, (file) => stubRequest(file, write), names)
    compiler.hooks.beforeCompile.tapPromise(NAME, async () => void running.add(compiler))
    addModules(compiler, session, imports, names.small)
    name(compiler, addStubRule(compiler, names))
    serveInDev(compiler, session, files, served)
    compiler.hooks.beforeCompile.tapPromise(NAME, async () => {
      session.configure({ root: compiler.context, mode: compiler.options.mode ?? 'production' })
      await session.start()
    })
    compiler.hooks.thisCompilation.tap(NAME, (compilation) => configure(session, compiler, compilation))
    addEmission(compiler, session)
    compiler.hooks.done.tapPromise(NAME, async (stats) => {
      failed ||= stats.hasErrors()
      running.delete(compiler)
      if (running.size > 0) return
      const complete = !failed
      failed = false
      if (complete) await session.finish()
      logTo(session, compiler)
      if (session.host.command === 'build') await session.close()
    })
    nameChunks(compiler)
    completeLibrary(compiler, session)
    compiler.hooks.shutdown.tapPromise(NAME, () => session.close())
  }
  return {
    prefix: '',
    references: () => (session.host.command === 'serve' ? dev : stubs),
    readsImporter: (file) => narrows && isPlainScript(file),
    ownHooks: (imports) => ({
      webpack: (compiler) => apply(compiler, imports),
      rspack: (compiler) => apply(Object(compiler), imports),
    }),
    options: {},
  }
}

/**
 * Makes a plugin for one of the two bundlers. It rejects compilers of the other one, where it would leave ids
 * unresolved.
 * @throws ContentSpaceError `invalidOption` when the plugin is applied
 */
export function onlyFor<O, C>(
  bundler: 'webpack' | 'rspack',
  create: (options?: O) => { apply(compiler: C): void },
): (options?: O) => { apply(compiler: C): void } {
  return (options) => {
    const plugin = create(options)
    return {
      apply(compiler) {
        const actual = isRspack(Object(compiler)) ? 'rspack' : 'webpack'
        if (actual === bundler) return plugin.apply(compiler)
        const name = actual === 'rspack' ? 'Rspack' : actual
        const message = `unplugin-content-space/${bundler} is used in a compiler of ${name}.`
        throw new ContentSpaceError('invalidOption', message, {
          hint: `Import unplugin-content-space/${actual} instead, or unplugin-content-space/docusaurus in Docusaurus.`,
        })
      },
    }
  }
}

/** Checks whether the bundler adds imports of content to scripts. It doesn't check the names in these imports. */
function providesContent({ options }: Compiler): boolean {
  const providers = options.plugins.filter((plugin) => Object(plugin).constructor.name === 'ProvidePlugin')
  return JSON.stringify(providers).includes('content-space:')
}

/** Lets modules refer to files that are served on request, if a server in this process serves the output. */
function serveInDev(compiler: Compiler, session: Session, files: DevFiles, served: boolean): void {
  const { hooks } = compiler
  let stop: (() => void) | undefined
  hooks.beforeCompile.tapPromise(NAME, async () => {
    const { watchMode, outputFileSystem } = compiler
    const serving = watchMode && (served || (outputFileSystem !== null && !(await isOnDisk(outputFileSystem))))
    session.configure({ command: serving ? 'serve' : watchMode ? 'watch' : 'build' })
    if (!serving || stop !== undefined) return
    const log = compiler.getInfrastructureLogger(NAME)
    const say = ({ message }: Error): void => log.error(message)
    const browse = mountBrowser(session, {
      // A plugin doesn't know at which path the user's own server serves the output.
      isBase: () => true,
      hosts: () => allowedHosts(compiler.options.devServer),
      warn: (message) => log.error(message),
    })
    stop = answerRequests((request, response) => files.answer(request, response, say) || browse(request, response))
  })
  hooks.shutdown.tapPromise(NAME, async () => stop?.())
}

function stubNames(compiler: Compiler, session: Session, files: DevFiles): StubNames {
  const { options } = compiler
  // Read this now, because defaults are added after plugins have been applied.
  const { dataUrlCondition } = Object(options.module.parser['asset'])
  return {
    async small(file) {
      if (session.host.command === 'serve') return undefined
      const { smallFile } = await import('./inline.js')
      return smallFile(file, compiler, dataUrlCondition, session).catch((error: unknown) =>
        Promise.reject(showFrame(error)),
      )
    },
    template: () => generatorOption(options, 'filename') ?? options.output.assetModuleFilename,
    served: (file) => (session.host.command === 'serve' ? files.path(file) : undefined),
    icons: session.reports.icons,
    publicPath: session.options.publicPath ?? (isLibrary(options) ? PLACEHOLDER : undefined),
  }
}

/** Returns a content module's name as in the source; undefined for any other module. */
type DisplayName = (module: string) => string | undefined

function addStubRule({ options, hooks }: Compiler, names: StubNames): DisplayName {
  const { rule, filename, displayName, load } = stubRule(names)
  hooks.compilation.tap(NAME, (_compilation, { normalModuleFactory }) =>
    normalModuleFactory.hooks.resolveForScheme
      .for('data')
      .tapPromise(NAME, async ({ resource }) => (isStub(resource) ? load() : undefined)),
  )
  const { asset } = options.module.generator
  if (asset?.filename !== undefined) asset.filename = nameAll(asset.filename, filename)
  options.module.rules.push(rule)
  return (module) => {
    const at = module.indexOf(ENCODED)
    return at === -1 ? displayName(module) : readableIds(module.slice(at).replaceAll('%3A', ':').replaceAll('%2F', '/'))
  }
}

function configure(session: Session, compiler: Compiler, compilation: Compilation): void {
  const { options } = compiler
  logTo(session, compiler, compilation)
  const relative = options.output.publicPath === '' || options.output.publicPath === 'auto'
  const warns = options.externalsPresets?.node && relative && !isLibrary(options)
  if (warns && session.options.publicPath === undefined) session.warnOfFileUrls()
}

/** Prints messages. Bundlers print a compilation's warnings when it ends, so later warnings go to their logger. */
function logTo(session: Session, compiler: Compiler, compilation?: Compilation): void {
  const logger = compiler.getInfrastructureLogger(NAME)
  session.configure({
    log: {
      // webpack prefixes each line with the logger's name.
      info: (message) => logger.info(message.replace(`${NAME}: `, '')),
      warn: (message) => void (compilation ? compilation.warnings.push(new Error(message)) : logger.warn(message)),
    },
  })
}
