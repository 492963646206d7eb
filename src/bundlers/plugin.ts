import { readFile } from 'node:fs/promises'
import { isAbsolute, relative } from 'node:path'
import type { UnpluginBuildContext, UnpluginFactory, UnpluginOptions } from 'unplugin'
import { messageOf } from '../errors.js'
import type { Options } from '../config/options.js'
import type { References } from '../modules/references.js'
import type { Request } from '../request/request.js'
import type { MembersOf, Used } from '../source/narrow.js'
import { showFrame } from './reports.js'
import { content, openSession, type Session } from './session/session.js'

/*
 * The hooks in this file are the same for every bundler: they resolve `content-space:` ids, load the modules of these
 * ids, and narrow imports of kits to the assets in use. An adapter adds what differs:
 *
 * - It calls `session.configure` when the bundler's configuration is known: root, mode, command, and log.
 * - It chooses how generated modules refer to files, with a module of the folder `references`. `marks.ts`: strings that
 *   are replaced in finished chunks (Rollup, Rolldown, Vite, Farm). `file-stubs.ts`: imports of asset modules (webpack,
 *   Rspack, esbuild). `dev-files.ts`: URLs that a dev server answers.
 * - It emits the files in use with `session.file` after tree-shaking. Unused files are never downloaded.
 * - It calls `session.finish` when a build has written its files, and `session.close` when the bundler ends.
 *
 * Hooks have filters so that bundlers don't call JavaScript for other modules. Vite before 6.3 and Rollup before 4.38
 * ignore filters, so each handler checks the same conditions.
 *
 * A bundler loads the plugin together with its configuration, even for a command that never resolves an import. To
 * start fast, hooks import other code when they run. `test/bundlers/start.test.ts` checks this.
 */

export type WatchContext = Pick<UnpluginBuildContext, 'addWatchFile'>

/** The additions of a bundler, or a family of bundlers, to the common hooks. */
export interface Adapter {
  /** The prefix of resolved ids. In Rollup-compatible bundlers, `\0` makes other plugins ignore them. */
  prefix: '' | '\0'
  /** Returns how the module of an id refers to files and values. Called when the bundler's configuration is known. */
  references: (id: string) => References
  /** Whether the bundler prints the `frame` property of errors. Otherwise, we add the frame to the message. */
  readsFrames?: boolean
  /** Returns whether to leave out imports after reporting their error once. The build fails anyway. */
  leavesOut?: () => boolean
  /** Whether hooks return errors, because the bundler forgets the watched files of a hook that throws. */
  collectsErrors?: boolean
  /** Returns whether the bundler runs tests, which may replace content modules with mocks. */
  runsTests?: () => boolean
  /** Called before each generated module is loaded. */
  beforeLoad?: () => void
  /**
   * Checks whether a file on disk has the same imports as the code that the bundler reads. Lets us narrow imports when
   * they are resolved, for a bundler that would otherwise pass every script to the plugin. The adapter then has to
   * reject ids that are composed at run time.
   */
  readsImporter?: (importer: string) => boolean
  /** The files whose imports a transform narrows. By default, files that `readsImporter` can't read. */
  transformed?: RegExp
  /** The bundler's own hooks and settings. Hooks under the bundler's key are merged with the common ones. */
  options: Partial<UnpluginOptions>
  /** Hooks that must run after the bundler's own. */
  lateOptions?: Partial<UnpluginOptions>
  /** Returns the path of an importing file, for a bundler that passes another value. */
  importerPath?: (importer: string) => string
}

export const NAME = 'content-space'

/** Files that may contain imports: scripts, and languages that compile to scripts. */
export const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx?)(?:$|\?)/
export const DECLARATION = /\.d\.[cm]?ts$/
const SPECIFIER = /^content-space:/
/** Scripts that bundlers read directly, or compile without changing their imports. */
const PLAIN_SCRIPT = /\.[cm]?[jt]sx?(?:$|\?)/
/** Files in other languages that are compiled to scripts. A loader may name the result `App.vue.ts`. */
export const COMPILED = /\.(?:vue|svelte|astro|mdx?)(?:\.[cm]?[jt]sx?)?(?:$|\?)/
export const RESOLVED_ID = /^\0?content-space:/
/** The id at the end of an importer's path, because some bundlers treat an id as a path and prepend a folder. */
const RESOLVED_IMPORTER = /\0?content-space:.*$/
/** A specifier of an import that can be narrowed. */
export const NARROWED = /content-space:(?:kit|section|tokens)\//
/** An id that may be composed at run time. */
export const COMPUTED = /(['"`])content-space:[^'"`]*(?:\$\{|\1\s*(?:\+|\.concat\())/

/** An id that may remain plain text, because it isn't the specifier of an import. */
export const MISPLACED = /(?<!\b(?:from|import|require|mock)\s*\(?\s*)(?:["'`(=]\s*)content-space:[a-z-]+[/"'`]/

/** Style sheets. In webpack, the path may be followed by loaders. */
export const STYLE_SHEET = /\.(?:css|less|sass|scss|styl|stylus|pcss|postcss|sss)(?:$|[?!|])/

const PAGE = /\.html?$/

/**
 * Checks whether a file may contain imports of content. Skips declarations: they name content modules, but `sync`
 * writes them.
 */
function mayImport(file: string): boolean {
  return SCRIPT.test(file) && !DECLARATION.test(file)
}

/** Checks whether a file may contain ids, either in imports or in place of file URLs. */
export function mayContainIds(file: string): boolean {
  return mayImport(file) || STYLE_SHEET.test(file) || PAGE.test(file)
}

/**
 * Makes the plugin factory of a bundler. Hooks throw errors unchanged, and the bundler reports them like its own.
 * @param createAdapter called once for each plugin instance
 * @param shared a session that all instances share; by default, each instance opens its own
 */
export function contentSpace(
  createAdapter: (session: Session) => Adapter,
  shared?: Session,
): UnpluginFactory<Options | undefined, true> {
  return (options = {}, meta) => {
    const session = shared ?? openSession(options)
    const adapter = createAdapter(session)
    const plugins = [
      moduleHooks(session, adapter),
      ...(meta.framework === 'esbuild' ? [] : [narrowingHooks(session, adapter)]),
      ...(adapter.lateOptions ? [{ name: `${NAME}:last`, ...adapter.lateOptions }] : []),
    ]
    // If there were two plugins, esbuild would ignore the filters and pass every loaded file to JavaScript, and Bun
    // wouldn't recognize the plugin by its name.
    return meta.framework === 'esbuild' || meta.framework === 'bun'
      ? [Object.assign({}, ...plugins, { name: NAME })]
      : plugins
  }
}

/** Makes the bundler read a file again when the content of a request changes. By default, any content counts. */
async function watch(context: WatchContext, session: Session, request?: Request): Promise<void> {
  const watched = await session.watchedFile(request)
  if (watched !== undefined) context.addWatchFile(watched)
}

/**
 * Returns a handler for errors about ids. It watches all content, because different options or new content may fix
 * them.
 */
function watchAll(context: WatchContext, session: Session): (error: unknown) => Promise<never> {
  return async (error) => {
    await watch(context, session)
    throw error
  }
}

export type Imports = ReturnType<typeof importsOf>

/** Returns the functions for ids that the hooks of all bundlers share. Errors name the import. */
export function importsOf(session: Session, adapter: Adapter) {
  const { prefix, references } = adapter
  const narrowRequest = narrower(session, adapter)

  /** Narrows a request to the parts that the importing file uses, according to its text on disk. */
  async function narrowImport(context: WatchContext, request: Request, specifier: string, importer: string) {
    if (!NARROWED.test(specifier)) return request
    const code = await readFile(importer.replace(/\?.*/, ''), 'utf8').catch(() => undefined)
    if (code === undefined) return request
    const [{ usedNames }, engine] = await Promise.all([content(), session.engine()])
    const used = await usedNames(specifier, code, importer, engine.derived)
    return (used && (await narrowRequest(context, request, { specifier, importer }, used))) ?? request
  }

  /**
   * Returns the resolved id of a specifier.
   * @param from the path of the importing file, or the id of the generated module that imports it
   */
  async function resolve(context: WatchContext, text: string, from: string | undefined): Promise<string> {
    const importingModule = RESOLVED_IMPORTER.exec(from ?? '')?.[0]
    const importer =
      importingModule === undefined
        ? from && (adapter.importerPath?.(from) ?? from)
        : session.origins.ofModule(importingModule)?.importer
    const { labelOfId, requestToId } = await content()
    const parsed = await session.parse(text, importer).catch(watchAll(context, session))
    const request =
      importer !== undefined && importingModule === undefined && adapter.readsImporter?.(importer)
        ? await narrowImport(context, parsed, text, importer)
        : parsed
    const id = prefix + requestToId(request, labelOfId(text))
    const specifier = labelOfId(text) === undefined ? text : undefined
    session.origins.add(id, importer && (importingModule ?? importer), specifier)
    if (importingModule === undefined) session.sourceChanged(importer)
    // Check the import in this hook, because an error of this hook shows which import is wrong. Don't check imports in
    // generated modules, which are always valid, or in dev servers, which also resolve imports that no page has
    // requested yet.
    if (session.host.command !== 'serve' && importingModule === undefined) {
      await watch(context, session, request)
      await session.module(id, request, references(id))
    }
    return id
  }

  async function load(context: WatchContext, id: string): Promise<string> {
    try {
      const { idToRequest } = await content()
      const request = idToRequest(id.slice(prefix.length))
      await watch(context, session, request)
      return await session.module(id, request, references(id))
    } catch (error) {
      throw framed(error)
    }
  }

  const framed = (error: unknown): unknown => (adapter.readsFrames ? error : showFrame(error))

  return {
    load,
    resolve: (...args: Parameters<typeof resolve>) =>
      resolve(...args).catch((error: unknown) => Promise.reject(framed(error))),
  }
}

/** The location of an import in the source, for errors. */
type Site = Parameters<Session['checkNames']>[0]

/**
 * Returns a function that narrows a request to the parts that a file uses. If the file gets the whole module, the
 * function checks the names in use and returns undefined. Bundlers don't check the names that a dynamic import uses. A
 * dev server uses one whole module per kit, because narrowed copies would repeat its content. The exception is a module
 * with values that are made from files, because loading the whole module would download all these files. A mocked
 * module is never narrowed, because a mock only replaces the whole module.
 */
function narrower(session: Session, { references, runsTests }: Adapter) {
  let mocked: Promise<Set<string>> | undefined
  return async (context: WatchContext, request: Request, site: Site, { names, membersOf, isWhole }: Used) => {
    const { frameworkOf, mockedIds, requestToId, withPick } = await content()
    const narrowed = withPick(request, names, membersOf)
    if (narrowed === undefined || (isWhole && names.length === 0)) return undefined
    if (!isWhole) {
      if (session.host.command !== 'serve' || !('query' in narrowed)) return narrowed
      const { as, placeholder } = narrowed.query
      const hasValues = as === 'raw' || as === 'inline' || placeholder !== undefined || frameworkOf(as) !== undefined
      const mocks = hasValues && runsTests?.() ? await (mocked ??= mockedIds(session)) : undefined
      if (hasValues) return mocks?.has(requestToId(request)) ? undefined : narrowed
    }
    if (session.host.isChild) return undefined
    await watch(context, session, narrowed)
    await session.checkNames(site, narrowed, references(''))
    return undefined
  }
}

function moduleHooks(session: Session, adapter: Adapter): UnpluginOptions {
  const imports = importsOf(session, adapter)
  return {
    name: NAME,
    // Run before resolvers that treat an unknown scheme as a URL.
    enforce: 'pre',
    buildStart: () => session.start(),
    watchChange(file) {
      if (!mayContainIds(file)) return
      session.sourceChanged(file)
      if (adapter.readsImporter) session.release(file)
    },
    resolveId: {
      filter: { id: RESOLVED_ID },
      async handler(text, from) {
        if (!RESOLVED_ID.test(text)) return undefined
        // Vite also resolves ids that plugins watch, such as modules that vanilla-extract's compiler has loaded.
        if (!SPECIFIER.test(text)) return { id: text, moduleSideEffects: false }
        try {
          // unplugin passes `moduleSideEffects` to Rollup-compatible bundlers, but its types don't declare it.
          return { id: await imports.resolve(this, text, from), moduleSideEffects: false }
        } catch (error) {
          const isRepeated = adapter.leavesOut?.() && session.reports.isRepeated(error)
          if (!isRepeated && !adapter.collectsErrors) throw error
          if (!isRepeated) this.error(messageOf(error))
          // The build fails anyway because of the first report. Bundlers don't check the exports of an external module.
          return { id: text, external: true }
        }
      },
    },
    load: {
      filter: { id: RESOLVED_ID },
      async handler(id) {
        if (!RESOLVED_ID.test(id)) return undefined
        adapter.beforeLoad?.()
        const code = await imports.load(this, id)
        // In Rollup-compatible bundlers, an empty map keeps the generated code out of source maps.
        return adapter.prefix === '' ? code : { code, map: { mappings: '' } }
      },
    },
    ...adapter.options,
  }
}

/**
 * Checks whether a script on disk has the same imports as the code that the bundler reads. Assumes that other plugins
 * don't add imports.
 */
export function isPlainScript(file: string): boolean {
  return isAbsolute(file) && PLAIN_SCRIPT.test(file) && !COMPILED.test(file)
}

function narrowingHooks(session: Session, adapter: Adapter): UnpluginOptions {
  const files = adapter.transformed ?? SCRIPT
  const narrowCode = codeNarrower(session, adapter)
  return {
    name: `${NAME}:narrow`,
    // Run after compilers of other languages.
    enforce: 'post',
    // Shared, because the plugin above shares its session between environments.
    vite: { sharedDuringBuild: true },
    transform: {
      filter: { id: files, code: 'content-space:' }, // Bundlers search for a string faster than for patterns.
      async handler(code, file) {
        return files.test(file) ? narrowCode(this, code, file) : undefined
      },
    },
  }
}

/**
 * Returns a function that makes the imports of kits in a script load only the assets that they name, if
 * `source/narrow.ts` can analyze them.
 */
export function codeNarrower(session: Session, adapter: Adapter) {
  const narrowRequest = narrower(session, adapter)
  return async (context: WatchContext, code: string, file: string) => {
    if (!mayImport(file) || ![NARROWED, COMPUTED, MISPLACED].some((pattern) => pattern.test(code))) return undefined
    const engine = await session.engine().catch((error: unknown) => {
      // The resolver reports this error along with the specifier, but it never receives an id that remains plain text.
      if (MISPLACED.test(code)) throw error
    })
    if (engine === undefined) return undefined
    const { narrow, requestToId } = await content()
    session.release(file)
    session.sourceChanged(file)
    const parse = (specifier: string) => session.parse(specifier, file).catch(watchAll(context, session))
    const replace = async (specifier: string, names: string[], membersOf: MembersOf) => {
      if (!NARROWED.test(specifier)) return undefined
      const request = await parse(specifier)
      const site = { specifier, importer: file }
      const narrowed = await narrowRequest(context, request, site, { names, membersOf })
      if (narrowed === undefined) return undefined
      const id = requestToId(narrowed)
      session.origins.add(adapter.prefix + id, file, specifier)
      return id
    }
    try {
      for (const id of await computedIds(code, file)) await parse(id)
      const [misplaced] = MISPLACED.test(code) ? await misplacedErrors(session, [file]) : []
      if (misplaced !== undefined) throw misplaced
      return await narrow(code, file, replace, engine.derived)
    } catch (error) {
      throw adapter.readsFrames ? error : showFrame(error)
    }
  }
}

/**
 * Returns an error for each id that files compose at run time.
 * @param start how the ids begin; by default, any id counts
 */
export async function computedErrors(session: Session, files: Iterable<string>, start = ''): Promise<unknown[]> {
  const errors: unknown[] = []
  for (const file of files) {
    const code = mayImport(file) ? await readFile(file, 'utf8').catch(() => '') : ''
    for (const id of await computedIds(code, file))
      if (id.startsWith(start)) await session.parse(id, file).catch((error: unknown) => errors.push(showFrame(error)))
  }
  return errors
}

/** Returns an error for each id in the source that remains plain text, or the error of reading the lockfile. */
export async function misplacedErrors(session: Session, files: Iterable<string>): Promise<unknown[]> {
  const errors: unknown[] = []
  for (const given of files) {
    const file = given.replace(/\?.*/, '')
    if (!mayImport(file) || !isAbsolute(file) || /[\\/]node_modules[\\/]/.test(file)) continue
    const code = await readFile(file, 'utf8').catch(() => '')
    if (!code.includes('content-space:')) continue
    try {
      const [{ options, parse }, { scanMisplaced }, { misplacedError }, { withImportSite }] = await Promise.all([
        session.engine(),
        import('../source/uses.js'),
        import('../engine/misplaced.js'),
        import('../source/import-site.js'),
      ])
      for (const use of scanMisplaced(code, relative(options.root, file)))
        errors.push(withImportSite(misplacedError(use, parse), { ...use, importer: file }))
    } catch (error) {
      return [error]
    }
  }
  return errors
}

/** Returns the ids that a script composes at run time. */
async function computedIds(code: string, file: string): Promise<string[]> {
  if (!COMPUTED.test(code)) return []
  const { scanSource } = await import('../source/uses.js')
  return scanSource(code, file).flatMap(({ specifier }) => (specifier.includes('${') ? specifier : []))
}
