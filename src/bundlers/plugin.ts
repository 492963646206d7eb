import { readFile } from 'node:fs/promises'
import type { UnpluginBuildContext, UnpluginFactory, UnpluginOptions } from 'unplugin'
import { messageOf } from '../errors.js'
import type { Options } from '../config/options.js'
import type { Request } from '../request/request.js'
import type { Adapter } from './adapter.js'
import { showFrame } from './reports.js'
import { openSession, type Session } from './session/session.js'

/*
 * The hooks in this file are the same in every bundler: they resolve `content-space:` ids, load the modules of these
 * ids, and narrow imports of kits to the assets in use. An adapter adds what differs:
 *
 * - It calls `session.configure` when the bundler's configuration is known: root, mode, command and log.
 * - It chooses how generated modules refer to files, from the folder `references`. `marks.ts`: strings that are
 *   replaced in finished chunks (Rollup, Rolldown, Vite, Farm). `file-stubs.ts`: imports of asset modules (webpack,
 *   Rspack, esbuild). `dev-files.ts`: addresses that a dev server answers.
 * - It emits the files in use with `session.file`, after tree-shaking: a file that is not in use is never downloaded.
 * - It calls `session.finish` when a build has written its files, and `session.close` when the bundler ends.
 *
 * Filters of hooks keep bundlers from calling JavaScript for other modules. Vite before 6.3 and Rollup before 4.38
 * ignore them, so each handler checks the same conditions.
 *
 * A bundler loads the plugin with its configuration, even for a command that never resolves an import. The plugin must
 * therefore start fast: hooks import libraries, and the code that only resolved ids need, when they run.
 * `test/bundlers/start.test.ts` checks this.
 */

export type { Adapter } from './adapter.js'

export const NAME = 'content-space'

/** Files that may contain imports: scripts, and languages that compile to them. */
const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx?)(?:$|\?)/

const DECLARATION = /\.d\.[cm]?ts$/
const SPECIFIER = /^content-space:/
const RESOLVED_ID = /^\0?content-space:/
/** The id at the end of an importer's path: some bundlers treat an id as a path, and prepend a folder. */
const RESOLVED_IMPORTER = /\0?content-space:.*$/
const NARROWED = /content-space:(?:kit|section|tokens)\//
/** An id that is put together at run time, perhaps. */
export const COMPUTED = /(['"`])content-space:[^'"`]*(?:\$\{|\1\s*(?:\+|\.concat\())/

/** Style sheets. In webpack, loaders may follow the path. */
export const STYLE_SHEET = /\.(?:css|less|sass|scss|styl|stylus|pcss|postcss|sss)(?:$|[?!|])/

const PAGE = /\.html?$/

/** Whether a file may contain imports of content. Declarations name modules of content, but are written by `sync`. */
function mayImport(file: string): boolean {
  return SCRIPT.test(file) && !DECLARATION.test(file)
}

/** Whether a file may contain ids: in imports, or where addresses of files belong. */
export function mayContainIds(file: string): boolean {
  return mayImport(file) || STYLE_SHEET.test(file) || PAGE.test(file)
}

/**
 * Makes the plugin factory of a bundler. Hooks throw errors unchanged, and the bundler reports them as its own.
 * @param createAdapter called once for each plugin instance
 * @param shared the session of all instances; default: each opens one
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
      ...(adapter.readsImporter ? [] : [narrowingHooks(session, adapter)]),
      ...(adapter.lateOptions ? [{ name: `${NAME}:last`, ...adapter.lateOptions }] : []),
    ]
    // With two plugins, esbuild would ignore the filters and pass every file that it loads to JavaScript, and Bun would
    // not know the plugin by its name.
    return meta.framework === 'esbuild' || meta.framework === 'bun'
      ? [Object.assign({}, ...plugins, { name: NAME })]
      : plugins
  }
}

type WatchContext = Pick<UnpluginBuildContext, 'addWatchFile'>

/** Lets the bundler read a file again when the content behind a request changes, or any content. */
async function watch(context: WatchContext, session: Session, request?: Request): Promise<void> {
  const watched = await session.watchedFile(request)
  if (watched !== undefined) context.addWatchFile(watched)
}

/** Returns a handler of errors about ids. They may become right by other options or new content. */
function watchAll(context: WatchContext, session: Session): (error: unknown) => Promise<never> {
  return async (error) => {
    await watch(context, session)
    throw error
  }
}

/** Resolves ids and loads their modules. */
function moduleHooks(session: Session, adapter: Adapter): UnpluginOptions {
  const { prefix, references, specifier = { filter: SPECIFIER, read: (text: string) => text } } = adapter

  async function resolve(context: WatchContext, text: string, from: string | undefined) {
    const importingModule = RESOLVED_IMPORTER.exec(from ?? '')?.[0]
    const importer =
      importingModule === undefined
        ? from && (adapter.importerPath?.(from) ?? from)
        : session.origins.ofModule(importingModule)
    const { labelOfId, requestToId } = await import('./session/content.js')
    const parsed = await session.parse(text, importer).catch(watchAll(context, session))
    const request =
      importer !== undefined && importingModule === undefined && adapter.readsImporter?.(importer)
        ? await narrowImport(session, parsed, text, importer)
        : parsed
    const id = prefix + requestToId(request, labelOfId(text))
    session.origins.add(id, importer)
    if (importingModule === undefined) session.sourceChanged(importer)
    // An error in this hook shows which import is wrong. Imports in generated modules are always valid, and a dev
    // server also resolves imports that no page has requested yet.
    const checks = session.host.command === 'build' || (session.host.command === 'watch' && !adapter.forgetsImports)
    if (checks && importingModule === undefined) {
      await watch(context, session, request)
      await session.module(id, request, references(id))
    }
    // unplugin passes `moduleSideEffects` to Rollup and its relatives, but does not declare it.
    return { id, moduleSideEffects: false }
  }

  return {
    name: NAME,
    // Runs before resolvers that treat an unknown scheme as a URL.
    enforce: 'pre',
    buildStart: () => session.start(),
    resolveId: {
      filter: { id: specifier.filter },
      async handler(text, from) {
        if (!specifier.filter.test(text)) return undefined
        try {
          return await resolve(this, specifier.read(text), from)
        } catch (error) {
          const isRepeated = adapter.leavesOut?.() && session.reports.isRepeated(error)
          const shown = adapter.readsFrames ? error : showFrame(error)
          if (!isRepeated && !adapter.collectsErrors) throw shown
          if (!isRepeated) this.error(messageOf(shown))
          // The build fails with this report. Exports of an external module are not checked.
          return { id: text, external: true }
        }
      },
    },
    load: {
      filter: { id: RESOLVED_ID },
      async handler(id) {
        if (!RESOLVED_ID.test(id)) return undefined
        adapter.beforeLoad?.(this, id)
        const { idToRequest } = await import('./session/content.js')
        const request = idToRequest(id.slice(prefix.length))
        await watch(this, session, request)
        const code = await session.module(id, request, references(id)).catch((error: unknown) => {
          throw adapter.readsFrames ? error : showFrame(error)
        })
        // An empty map keeps the generated code out of the source maps of Rollup and its relatives.
        return prefix === '' ? code : { code, map: { mappings: '' } }
      },
    },
    watchChange: (file) => {
      if (mayContainIds(file)) session.sourceChanged(file)
    },
    ...adapter.options,
  }
}

/** Narrows a request to what the importing file uses of it, from the text of the file on disk. */
async function narrowImport(session: Session, request: Request, specifier: string, importer: string): Promise<Request> {
  const code = NARROWED.test(specifier) ? await readFile(importer, 'utf8').catch(() => undefined) : undefined
  if (code === undefined) return request
  const [{ usedNames, withPick }, engine] = await Promise.all([import('./session/content.js'), session.engine()])
  const used = await usedNames(specifier, code, importer, engine.derived)
  return (used && withPick(request, used.names, used.membersOf)) ?? request
}

/**
 * Lets an import of a kit load only the assets that it names, in any bundler. `source/narrow.ts` describes which
 * imports it understands.
 */
function narrowingHooks(
  session: Session,
  { references, readsFrames, mayName, forgetsImports }: Adapter,
): UnpluginOptions {
  return {
    name: `${NAME}:narrow`,
    // After compilers of other languages.
    enforce: 'post',
    // Uses the session of the plugin above, which builds of several environments share.
    vite: { sharedDuringBuild: true },
    ...(mayName && { transformInclude: (file) => mayImport(file) && mayName(file) }),
    transform: {
      filter: { id: SCRIPT, code: [NARROWED, COMPUTED] },
      async handler(code, file) {
        if (!mayImport(file) || !(NARROWED.test(code) || COMPUTED.test(code))) return undefined
        // The resolver reports why it cannot be opened, with the specifier, if a later build resolves the import again.
        const failed = forgetsImports ? watchAll(this, session) : () => undefined
        const engine = await session.engine().catch(failed)
        if (engine === undefined) return undefined
        const { frameworkOf, narrow, parseImport, requestToId, withPick } = await import('./session/content.js')
        /** Whether modules contain values of files. A whole module would then download all files. */
        const needsBytes = (request: Request) => {
          if (!('query' in request)) return request.kind === 'tokens'
          const { as, placeholder } = request.query
          return as === 'raw' || as === 'inline' || placeholder !== undefined || frameworkOf(as) !== undefined
        }
        session.release(file)
        session.sourceChanged(file)
        const checked: Request[] = []
        const wrong: string[] = COMPUTED.test(code) ? await computedIds(code, file) : []
        const parseIfValid = (specifier: string): Request | undefined => {
          try {
            return parseImport(engine, specifier, file)
          } catch {
            wrong.push(specifier)
            return undefined
          }
        }
        const replace = (specifier: string, pick: string[], members: (exported: string) => string[] | undefined) => {
          if (!NARROWED.test(specifier)) return undefined
          const request = parseIfValid(specifier)
          if (request === undefined) return undefined
          const narrowRequest = withPick(request, pick, members)
          if (narrowRequest === undefined) return undefined
          const id = requestToId(narrowRequest)
          if (session.host.command !== 'serve' || needsBytes(narrowRequest)) return id
          // A dev server loads one module for each kit. Narrowed copies would repeat its content, so only the names are
          // checked.
          checked.push(narrowRequest)
          return undefined
        }
        const narrowed = await narrow(code, file, replace, engine.derived)
        await Promise.all([
          ...wrong.map((specifier) => session.parse(specifier, file).catch(watchAll(this, session))),
          ...checked.map(async (request) => {
            await watch(this, session, request)
            await session.checkNames(file, request, references(''))
          }),
        ]).catch((error: unknown) => {
          throw readsFrames ? error : showFrame(error)
        })
        return narrowed
      },
    },
  }
}

/** Returns the ids of a script that are put together at run time. */
export async function computedIds(code: string, file: string): Promise<string[]> {
  const { scanSource } = await import('../source/uses.js')
  return scanSource(code, file).flatMap(({ specifier }) => (specifier.includes('${') ? specifier : []))
}
