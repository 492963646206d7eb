import type { Options } from '../../config/options.js'
import { ContentSpaceError } from '../../errors.js'
import { consoleLog } from '../../print.js'
import { writeDescriptor } from '../references/descriptors.js'
import { mountBrowser } from '../mount-kit-browser.js'
import { codeNarrower, importsOf, isPlainScript, mayContainIds, NAME, type Adapter } from '../plugin.js'
import type { References } from '../../modules/references.js'
import { devFiles, type DevFiles } from '../references/dev-files.js'
import { markupOf } from '../markup/pack.js'
import { stubNaming, stubReferences, stubRequest, writeForRspack, type StubNames } from '../references/file-stubs.js'
import { readDescriptor } from '../references/read-descriptors.js'
import { readableIds, showFrame } from '../reports.js'
import { openSession, type Session } from '../session/session.js'
import type { Compilation, Compiler } from 'webpack'
import { narrowCompiled } from './compiled.js'
import { allowedHosts, answerRequests } from './dev-server.js'
import { emissionOf, generatorOption } from './emission.js'
import { completeLibrary, isLibrary, nameChunks } from './library.js'
import { modulesOf } from './modules.js'
import { ENCODED, PLACEHOLDER, type Bundler } from './names.js'

/** What a framework adds to the options. */
interface Additions {
  /** Functions that log messages in place of the bundler's. */
  log?: Partial<typeof consoleLog>
  /** Prints information itself, for a framework whose loggers print only warnings. */
  printsInfo?: true
  /** Makes picture components import their style sheet, for a framework that always builds style sheets. */
  pictureStyles?: true
}

export type Pack = ReturnType<typeof openPack>

/** The functions for a compiler that the hooks in `late.ts` call. */
export type Loaded = ReturnType<Pack['attach']>

/**
 * Opens a session for compilers of webpack or Rspack. Each content file becomes an asset module, whose bytes are added
 * after tree-shaking.
 */
export function openPack(bundler: Bundler, options: Options = {}, { printsInfo, ...given }: Additions = {}) {
  const { log = printsInfo && { info: consoleLog.info }, ...styles } = given
  const opened = openSession(options)
  const session: Session = {
    ...opened,
    configure: (known) => opened.configure(known.log ? { ...known, log: { ...known.log, ...log } } : known),
  }
  session.configure({ log: consoleLog })
  const files = devFiles(session)
  const write = bundler === 'rspack' ? writeForRspack : writeDescriptor
  const stubs = stubReferences(session, write)
  const dev: References = {
    ...files.references,
    // The variable holds the base of all URLs in the output. If it is empty, URLs would be relative to the page.
    address: (file) => ({ code: `(__webpack_public_path__ || "/") + ${JSON.stringify(files.path(file))}` }),
  }
  let narrows = true
  const adapter: Adapter = {
    prefix: '',
    references: () => ({ ...(session.host.command === 'serve' ? dev : stubs), ...styles }),
    readsImporter: (file) => narrows && isPlainScript(file),
    options: {},
  }
  const imports = importsOf(session, adapter)
  const narrowCode = codeNarrower(session, adapter)

  /** @param condition the `dataUrlCondition` in the configuration for all asset modules */
  function attach(compiler: Compiler, condition: unknown) {
    narrows &&= !providesContent(compiler)
    const names = stubNames(compiler, session, files, condition)
    const naming = stubNaming(names, readDescriptor)
    const emission = emissionOf(compiler, session)
    const { replaceInAssets, ...markup } = markupOf(compiler, session, (file) => stubRequest(file, write), names)
    const server = devServer(compiler, session, files)
    nameChunks(compiler)

    return {
      ...modulesOf(compiler, session, imports, names.small),
      ...markup,
      ...namesOf(compiler, naming.displayName),
      filename: naming.filename,
      narrow: narrowCompiled(narrowCode),
      emit: emission.emit,
      shouldEmit: emission.shouldEmit,
      /**
       * Called before a compilation, or when the first id is seen.
       * @param serving whether a server in this process serves the output
       */
      async begin(this: void, serving: boolean): Promise<void> {
        session.configure({ command: serving ? 'serve' : compiler.watchMode ? 'watch' : 'build' })
        if (serving) server.start()
        session.configure({ root: compiler.context, mode: compiler.options.mode ?? 'production' })
        await session.start()
      },
      /** Called when a compilation has started, except child compilations. */
      enter(this: void, compilation: Compilation): void {
        emission.clear()
        configure(session, compiler, compilation)
        for (const file of [...(compiler.modifiedFiles ?? []), ...(compiler.removedFiles ?? [])].filter(
          mayContainIds,
        )) {
          session.sourceChanged(file)
          session.release(file)
        }
      },
      // Before hashes and compressed copies are made.
      summarize: replaceInAssets,
      report: emission.report,
      /** Called after a build of all compilers. */
      async finish(this: void, isComplete: boolean): Promise<void> {
        if (isComplete) await session.finish()
        logTo(session, compiler)
        if (session.host.command === 'build') await session.close()
      },
      async close(this: void): Promise<void> {
        server.stop()
        await completeLibrary(compiler, session)
        await session.close()
      },
    }
  }
  return {
    attach,
    /** Warns about ids in pages that a framework has rendered into a folder. */
    async checkPages(this: void, folder: string): Promise<void> {
      const { warnOfRenderedIds } = await import('../text-ids.js')
      await warnOfRenderedIds(session, folder)
    },
  }
}

/** Returns the error for a plugin in a compiler of the other bundler, where it would leave ids unresolved. */
export function wrongBundler(bundler: Bundler): ContentSpaceError {
  const actual = bundler === 'rspack' ? 'webpack' : 'rspack'
  const name = actual === 'rspack' ? 'Rspack' : actual
  const message = `unplugin-content-space/${bundler} was added to a compiler of ${name}.`
  return new ContentSpaceError('invalidOption', message, {
    hint: `Import unplugin-content-space/${actual} instead, or unplugin-content-space/docusaurus in Docusaurus.`,
  })
}

/** Checks whether the bundler adds imports of content to scripts. It doesn't check the names in these imports. */
function providesContent({ options }: Compiler): boolean {
  const providers = options.plugins.filter((plugin) => Object(plugin).constructor.name === 'ProvidePlugin')
  return JSON.stringify(providers).includes('content-space:')
}

/** Lets modules refer to files that are served on request. */
function devServer(compiler: Compiler, session: Session, files: DevFiles) {
  let stop: (() => void) | undefined
  function start(): void {
    const log = compiler.getInfrastructureLogger(NAME)
    const say = ({ message }: Error): void => log.error(message)
    const browse = mountBrowser(session, {
      // A plugin doesn't know at which path the user's own server serves the output.
      isBase: () => true,
      hosts: () => allowedHosts(compiler.options.devServer),
      warn: (message) => log.error(message),
    })
    stop = answerRequests((request, response) => files.answer(request, response, say) || browse(request, response))
  }
  return { start: () => (stop ? undefined : start()), stop: () => stop?.() }
}

function stubNames(compiler: Compiler, session: Session, files: DevFiles, condition: unknown): StubNames {
  const { options } = compiler
  return {
    async small(file) {
      if (session.host.command === 'serve') return undefined
      const { smallFile } = await import('./inline.js')
      return smallFile(file, compiler, condition, session).catch((error: unknown) => Promise.reject(showFrame(error)))
    },
    template: () => generatorOption(options, 'filename') ?? options.output.assetModuleFilename,
    served: (file) => (session.host.command === 'serve' ? files.path(file) : undefined),
    icons: session.reports.icons,
    publicPath: session.options.publicPath ?? (isLibrary(options) ? PLACEHOLDER : undefined),
  }
}

/** Returns a content module's name as in the source; undefined for any other module. */
type DisplayName = (module: string) => string | undefined

/** Returns functions that name content modules as the source does. */
function namesOf({ options }: Compiler, nameOfStub: DisplayName) {
  const displayName: DisplayName = (module) => {
    const at = module.indexOf(ENCODED)
    return at === -1 ? nameOfStub(module) : readableIds(module.slice(at).replaceAll('%3A', ':').replaceAll('%2F', '/'))
  }
  // With a DLL, other compilations find modules by name.
  const isDll = options.plugins.some((plugin) => Object(plugin).constructor.name.startsWith('Dll'))
  const rename = (entry: { name?: string; moduleName?: string }): void => {
    const [name, moduleName] = [displayName(entry.name ?? ''), displayName(entry.moduleName ?? '')]
    if (name !== undefined) entry.name = name
    if (moduleName !== undefined) entry.moduleName = moduleName
  }
  return {
    /** Names a module of webpack in statistics, developer tools, and chunks of development builds. */
    nameModule({ createData }: { createData: { userRequest?: string } }): void {
      const label = isDll ? undefined : displayName(createData.userRequest ?? '')
      if (label !== undefined) createData.userRequest = label
    },
    /**
     * Names modules of Rspack in the statistics, after the bundler has named them. A hook that names modules would call
     * JavaScript for each module.
     */
    nameInStatistics({ hooks: { extract } }: StatsFactory): void {
      for (const kind of ['module', 'error']) extract.for(kind).tap({ name: NAME, stage: 100 }, rename)
    },
  }
}

type StatsFactory = Parameters<Parameters<Compilation['hooks']['statsFactory']['tap']>[1]>[0]

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
