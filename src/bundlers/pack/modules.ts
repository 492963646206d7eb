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

/** The beginning of an id in the name of a module. */
export const ENCODED = 'content-space%3A'

/**
 * Resolves ids and builds their modules in webpack and Rspack. Both call hooks for the scheme of ids, and call
 * functions in rules only after evaluating the other conditions, so only for ids.
 */
export function addModules(compiler: Compiler, session: Session, imports: Imports, small: SmallFile): void {
  const hasIssuers = !isRspack(compiler)
  // This path doesn't exist. Imports of modules are searched for from here.
  const folder = join(compiler.context, hasIssuers ? '_virtual_' : 'node_modules/.virtual')
  const prefix = join(folder, ENCODED)
  // A fragment would begin at a `#` of the path.
  const hash = hasIssuers ? '\0#' : '\u200b#'
  const unescaped = (path: string): string => path.replaceAll(hash, '#')
  const pathOf = (id: string): string => join(folder, encodeURIComponent(id).replaceAll('!', '%21'))
  const idIn = (path: string): string => decodeURIComponent(path.slice(folder.length + 1))

  /** @param importer the file that the module is loaded for; default: the module of all importing files */
  async function load(context: LoaderContext<LoaderOptions>, importer?: string): Promise<string> {
    limitCache(context, compiler.watchMode && compiler.options.cache)
    const watcher: WatchContext = { addWatchFile: (file) => context.addDependency(file) }
    const id = idIn(context.resourcePath)
    // In webpack, the path has the resolved id; in Rspack, the id as it was imported.
    if (hasIssuers) return inlineStubs(await imports.load(watcher, id), small)
    if (importer !== undefined) watcher.addWatchFile(importer)
    const resolved = await imports.resolve(watcher, id, importer ?? id)
    if (importer !== undefined || resolved !== id) return exportsOf(resolved)
    return inlineStubs(await imports.load(watcher, id), small)
  }

  const loader = ownFile('bundlers/pack/loader.js')
  compiler.options.module.rules.push({
    include: prefix,
    type: 'javascript/auto',
    // Lets the bundler skip the module of a kit without loading the modules of its assets.
    sideEffects: false,
    enforce: 'pre',
    use: hasIssuers
      ? [{ loader, options: { load } }]
      : ({ resource = '', issuer }) => [useFor(idIn(unescaped(resource)), unescaped(issuer))],
  })

  /**
   * Rspack tells which file imports an id only when it chooses loaders. If the import may be narrowed, the file gets a
   * module of its own, which exports what it uses.
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

  compiler.hooks.compilation.tap(NAME, (_compilation, { normalModuleFactory, contextModuleFactory }) => {
    const { resolveForScheme } = normalModuleFactory.hooks
    resolveForScheme.for('content-space').tapPromise(NAME, async (data, resolveData) => {
      const path = pathOf(hasIssuers ? await resolve(data.resource, resolveData) : data.resource)
      Object.assign(data, { resource: path.replaceAll('#', hash), path, query: '', fragment: '' })
      return true
    })
    contextModuleFactory.hooks.beforeResolve.tapPromise(NAME, async (data) => {
      if (!data || !/content\\?-space:/.test(`${data.request} ${String(data.regExp)}`)) return data
      // Rspack does not tell which file of the folder has the id, but how it begins.
      const names = await readdir(data.context).catch(() => [])
      const start = data.request.startsWith('content-space:') ? data.request : ''
      const files = names.map((name) => join(data.context, name))
      const [error] = await computedErrors(session, files, start)
      if (error !== undefined) throw error
      return data
    })
  })
}

/** Returns the source of a module that exports what the module of an id does. */
async function exportsOf(id: string): Promise<string> {
  const { idToRequest } = await import('../session/content.js')
  const request = idToRequest(id)
  const isPart = 'pick' in request && request.pick !== undefined && !request.pick.includes('default')
  const from = JSON.stringify(id)
  return `export * from ${from}\n${isPart ? '' : `export { default } from ${from}\n`}`
}

export function isRspack(compiler: { webpack: object }): boolean {
  return 'rspackVersion' in compiler.webpack
}

/** The facts that webpack gives about an import. Modules that Module Federation exposes have no issuer. */
type ResolveData = { contextInfo: { issuer: string | null }; fileDependencies: { add(file: string): unknown } }
