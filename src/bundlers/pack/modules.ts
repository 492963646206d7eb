import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Compiler, LoaderContext } from 'webpack'
import { ownFile } from '../../disk/own-file.js'
import { limitCache } from '../markup/pack.js'
import { computedErrors, isPlainScript, NAME, NARROWED, type Imports, type WatchContext } from '../plugin.js'
import { sha256 } from '../references/digest.js'
import { inlineStubs, type SmallFile } from '../references/file-stubs.js'
import type { Session } from '../session/session.js'
import type { LoaderOptions } from './loader.js'
import { ENCODED, moduleFolder } from './names.js'

/**
 * Returns the functions that resolve ids and build their modules in webpack and Rspack. Both call JavaScript only for
 * ids: they select hooks by the scheme, and call a rule's functions after checking its other conditions.
 */
export function modulesOf(compiler: Compiler, session: Session, imports: Imports, small: SmallFile) {
  const hasIssuers = !('rspackVersion' in compiler.webpack)
  const folder = moduleFolder(compiler)
  const prefix = join(folder, ENCODED)
  // A `#` in the path would begin a fragment.
  const hash = hasIssuers ? '\0#' : '\u200b#'
  const unescaped = (path: string): string => path.replaceAll(hash, '#')
  const pathOf = (id: string): string => join(folder, encodeURIComponent(id).replaceAll('!', '%21'))
  const idIn = (path: string): string => decodeURIComponent(path.slice(folder.length + 1))

  /** @param importer the file that the module is loaded for; by default, one module serves all importing files */
  async function load(context: LoaderContext<LoaderOptions>, importer?: string): Promise<string> {
    limitCache(context, compiler.watchMode && compiler.options.cache)
    const watcher: WatchContext = { addWatchFile: (file) => context.addDependency(file) }
    const id = idIn(context.resourcePath)
    // In webpack, the path contains the resolved id; in Rspack, the id as it was imported.
    if (hasIssuers) return inlineStubs(await imports.load(watcher, id), small)
    if (importer !== undefined) watcher.addWatchFile(importer)
    const resolved = await imports.resolve(watcher, id, importer ?? id)
    if (importer !== undefined || resolved !== id) return exportsOf(resolved)
    return inlineStubs(await imports.load(watcher, id), small)
  }

  const loader = ownFile('bundlers/pack/loader.js')

  /**
   * Returns the loader for an id. Rspack doesn't report which file imports an id until it chooses loaders. If the
   * import may be narrowed, the file gets its own module, which exports only what the file uses.
   */
  function useFor(id: string, issuer: string) {
    const isOwn = issuer.startsWith(prefix)
    const importer = isOwn ? session.origins.ofModule(idIn(issuer))?.importer : issuer || undefined
    session.origins.add(id, isOwn ? idIn(issuer) : importer, id)
    if (!isOwn) session.sourceChanged(importer)
    if (importer === undefined || isOwn || !NARROWED.test(id) || !isPlainScript(importer))
      return { loader, ident: NAME, options: { load } }
    const path = relative(compiler.context, importer).replaceAll('\\', '/')
    const options: LoaderOptions = { load: (context) => load(context, importer) }
    return { loader, ident: `${NAME}-${sha256(path).slice(0, 12)}`, options }
  }

  function resolve(specifier: string, { contextInfo, fileDependencies }: ResolveData): Promise<string> {
    const issuer = unescaped(contextInfo.issuer ?? '')
    const context = { addWatchFile: (file: string) => void fileDependencies.add(file) }
    return imports.resolve(context, specifier, issuer.startsWith(prefix) ? idIn(issuer) : issuer || undefined)
  }

  return {
    load: (context: LoaderContext<LoaderOptions>) => load(context),
    /** Returns the loaders for a module in Rspack. */
    use: ({ resource = '', issuer }: { resource?: string; issuer: string }) => [
      useFor(idIn(unescaped(resource)), unescaped(issuer)),
    ],
    async resolve(this: void, data: { resource: string }, resolveData: ResolveData): Promise<true> {
      const path = pathOf(hasIssuers ? await resolve(data.resource, resolveData) : data.resource)
      Object.assign(data, { resource: path.replaceAll('#', hash), path, query: '', fragment: '' })
      return true
    },
    /** Rejects ids that are put together at run time. The bundlers import all files of a folder for them. */
    async checkFolder(this: void, { context, request }: { context: string; request: string }): Promise<void> {
      // Rspack doesn't report which file in the folder contains the id, but only how the id begins.
      const names = await readdir(context).catch(() => [])
      const start = request.startsWith('content-space:') ? request : ''
      const files = names.map((name) => join(context, name))
      const [error] = await computedErrors(session, files, start)
      if (error !== undefined) throw error
    },
  }
}

/** Returns the source of a module that has the same exports as an id's module. */
async function exportsOf(id: string): Promise<string> {
  const { idToRequest } = await import('../session/content.js')
  const request = idToRequest(id)
  const isPart = 'pick' in request && request.pick !== undefined && !request.pick.includes('default')
  const from = JSON.stringify(id)
  return `export * from ${from}\n${isPart ? '' : `export { default } from ${from}\n`}`
}

/** The properties of an import that webpack provides. Modules that Module Federation exposes don't have an issuer. */
type ResolveData = { contextInfo: { issuer: string | null }; fileDependencies: { add(file: string): unknown } }
