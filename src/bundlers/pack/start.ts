import type { Compilation, Compiler, Stats } from 'webpack'
import { addSheetRule, CSS_LOADER, HTML_LOADER, insertLoaders } from '../markup/pack-rules.js'
import type { Options } from '../../config/options.js'
import { mayWriteTokens } from '../may-write-tokens.js'
import { NAME } from '../plugin.js'
import { isStub } from '../references/file-stubs.js'
import { isText } from '../reports.js'
import type { Replace } from './loader.js'
import type { Bundler } from './names.js'
import type { Loaded, Pack } from './pack.js'

/*
 * The hooks of webpack and Rspack. They load the rest of the plugin at the first id.
 *
 * A build that uses content always calls one of these hooks, even if the bundler's cache contains its modules, because
 * modules with ids aren't cacheable.
 */

/** The state of a plugin. If the plugin is applied to several compilers, they run concurrently and share this state. */
export interface Shared {
  bundler: Bundler
  options: Options | undefined
  /** Opens the session. By default, the session uses only the options. */
  open: (() => Promise<Pack>) | undefined
  /** Whether a server in this process serves the output of a compiler in watch mode, even from the disk. */
  served: boolean
  running: Set<Compiler>
  failed: boolean
  pack?: Promise<Pack>
  /** Ends a build of all compilers. Undefined before the first id. */
  finish?: (isComplete: boolean) => Promise<void>
}

/** The facts about a compiler that are known when the plugin is applied. */
interface Applied {
  /** The configuration's condition for inlining asset modules. */
  dataUrlCondition: unknown
  /** Whether Rslib builds a library. */
  isLibrary: boolean
  /** The path of the loader. */
  loader: string
}

type Factories = Parameters<Parameters<Compiler['hooks']['compilation']['tap']>[1]>[1]

/** The functions that the rules and hooks in `late.ts` call. */
export interface Started {
  /** Loads the rest of the plugin. */
  open(): Promise<Loaded>
  /** Returns the rest of the plugin if it is loaded. */
  loaded(): Loaded | undefined
  /** Called before a build. Other plugins have added their rules by then. */
  prepare(): Promise<void>
  beforeCompile(): Promise<void>
  thisCompilation(compilation: Compilation): void
  compilation(compilation: Compilation, factories: Factories): void
  done(stats: Stats): Promise<void>
}

export function start(compiler: Compiler, shared: Shared, { dataUrlCondition, isLibrary, loader }: Applied): Started {
  const { bundler, options, running, served } = shared
  const { Compilation: stages } = compiler.webpack
  let current: Compilation | undefined
  let loading: Promise<Loaded> | undefined
  let loaded: Loaded | undefined
  /** Resolves once the current build has begun. */
  let beginning: Promise<void> | undefined
  let serving = false

  async function attach(): Promise<Loaded> {
    shared.pack ??= shared.open?.() ?? import('./pack.js').then(({ openPack }) => openPack(bundler, options))
    loaded = (await shared.pack).attach(compiler, dataUrlCondition)
    shared.finish = loaded.finish
    if (current) loaded.enter(current)
    return loaded
  }

  async function open(): Promise<Loaded> {
    const opened = await (loading ??= attach())
    await (beginning ??= opened.begin(serving))
    return opened
  }

  const replaceInSheet: Replace = async (...given) => (await open()).replaceInSheet(...given)
  const replaceInPage: Replace = async (...given) => (await open()).replaceInPage(...given)

  return {
    open,
    loaded: () => loaded,
    async prepare() {
      current = undefined
      if (isLibrary) await (loading ??= attach())
      const { rules } = compiler.options.module
      addSheetRule(rules, loader, replaceInSheet)
      insertLoaders(rules, loader, [
        { loader: CSS_LOADER, replace: replaceInSheet },
        { loader: HTML_LOADER, replace: replaceInPage },
      ])
    },
    async beforeCompile() {
      running.add(compiler)
      beginning = undefined
      serving = await isServed(compiler, served)
      // A dev server also serves the kit browser.
      if (loaded || serving || isLibrary || mayWriteTokens(options, compiler.context)) await open()
    },
    thisCompilation(compilation) {
      current = compilation
      loaded?.enter(compilation)
      const steps = {
        summarize: stages.PROCESS_ASSETS_STAGE_SUMMARIZE,
        report: stages.PROCESS_ASSETS_STAGE_REPORT,
      }
      for (const step of ['summarize', 'report'] as const)
        compilation.hooks.processAssets.tapPromise({ name: NAME, stage: steps[step] }, async () => {
          if (loaded || compilation.getAssets().some(hasId)) await (await open())[step](compilation)
        })
    },
    compilation(compilation, factories) {
      const { resolveForScheme, afterResolve } = factories.normalModuleFactory.hooks
      resolveForScheme.for(NAME).tapPromise(NAME, async (...given) => (await open()).resolve(...given))
      // Compilers may share a rule, so another compiler's functions may have replaced the ids in a style sheet. This
      // compiler then sees only stubs.
      resolveForScheme.for('data').tapPromise(NAME, async ({ resource }) => {
        if (isStub(resource)) await open()
      })
      factories.contextModuleFactory.hooks.beforeResolve.tapPromise(NAME, async (data) => {
        if (data && /content\\?-space:/.test(`${data.request} ${String(data.regExp)}`))
          await (await open()).checkFolder(data)
        return data
      })
      if (bundler === 'rspack') compilation.hooks.statsFactory.tap(NAME, (stats) => loaded?.nameInStatistics(stats))
      else afterResolve.tap(NAME, (data) => loaded?.nameModule(data))
      const stage = stages.PROCESS_ASSETS_STAGE_ADDITIONAL
      compilation.hooks.processAssets.tapPromise({ name: NAME, stage }, async () => loaded?.emit(compilation))
    },
    async done(stats) {
      shared.failed ||= stats.hasErrors()
      running.delete(compiler)
      if (running.size > 0) return
      const isComplete = !shared.failed
      shared.failed = false
      await shared.finish?.(isComplete)
    },
  }
}

/**
 * Checks whether a server in this process serves the output. Only this process can serve files in memory. File systems
 * don't reveal whether they are in memory, so we check for a file that exists on every disk.
 * @param served as in `Shared`
 */
async function isServed({ watchMode, outputFileSystem }: Compiler, served: boolean): Promise<boolean> {
  if (!watchMode || served || outputFileSystem === null) return watchMode && served
  return new Promise((resolve) => outputFileSystem.stat(process.execPath, (error) => resolve(Boolean(error))))
}

/** Checks whether an emitted text file contains an id. */
function hasId({ name, source }: ReturnType<Compilation['getAssets']>[number]): boolean {
  return isText(name.replace(/\?.*/, '')) && source.buffer().includes('content-space:')
}
