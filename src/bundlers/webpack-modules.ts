import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Compiler, LoaderContext } from 'webpack'
import { ownFile } from '../disk/own-file.js'
import type { Imports, WatchContext } from './adapter.js'
import { limitCache } from './markup/pack.js'
import { computedErrors, isPlainScript, NAME, NARROWED } from './plugin.js'
import { sha256 } from './references/digest.js'
import type { Session } from './session/session.js'
import type { LoaderOptions } from './webpack-loader.js'

/** The beginning of an id in the name of a module. */
export const ENCODED = 'content-space%3A'

/**
 * Resolves ids and builds their modules in webpack and Rspack, which call hooks for the scheme of ids, and functions in
 * rules whose other conditions they evaluate themselves, only for ids.
 */
export function addModules(compiler: Compiler, session: Session, imports: Imports): void {
  const isRspack = 'rspackVersion' in compiler.webpack
  // No file has this path. What modules import is looked for from there.
  const folder = join(compiler.context, isRspack ? 'node_modules/.virtual' : '_virtual_')
  const prefix = join(folder, ENCODED)
  const pathOf = (id: string): string => join(folder, encodeURIComponent(id).replaceAll('!', '%21'))
  const idIn = (path: string): string => decodeURIComponent(path.slice(folder.length + 1))

  async function load(context: LoaderContext<LoaderOptions>): Promise<string> {
    const id = idIn(context.resourcePath)
    limitCache(context, compiler.watchMode && compiler.options.cache)
    // In webpack, the path has the resolved id; in Rspack, the id as it was imported.
    const resolved = isRspack ? await imports.resolve(watcher(context), id, id) : id
    return resolved === id ? imports.load(watcher(context), id) : exportsOf(resolved)
  }

  compiler.options.module.rules.push({
    include: prefix,
    type: 'javascript/auto',
    // Lets the bundler skip the module of a kit without loading the modules of its assets.
    sideEffects: false,
    enforce: 'pre',
    use: isRspack
      ? ({ resource = '', issuer }) => [useFor(idIn(resource), issuer)]
      : [{ loader: LOADER, options: { load } }],
  })

  /**
   * Rspack tells which file imports an id only when it chooses loaders. If the import may be narrowed, the file gets a
   * module of its own, which exports what it uses.
   */
  function useFor(id: string, issuer: string) {
    const isOwn = issuer.startsWith(prefix)
    const importer = issuer || undefined
    session.origins.add(id, isOwn ? session.origins.ofModule(idIn(issuer)) : importer)
    if (!isOwn) session.sourceChanged(importer)
    if (importer === undefined || isOwn || !NARROWED.test(id) || !isPlainScript(importer))
      return { loader: LOADER, ident: NAME, options: { load } }
    const narrowed: LoaderOptions['load'] = async (context) => {
      limitCache(context, compiler.watchMode && compiler.options.cache)
      context.addDependency(importer)
      return exportsOf(await imports.resolve(watcher(context), idIn(context.resourcePath), importer))
    }
    const ident = `${NAME}-${sha256(relative(compiler.context, importer).replaceAll('\\', '/')).slice(0, 12)}`
    return { loader: LOADER, ident, options: { load: narrowed } }
  }

  function resolve(specifier: string, { contextInfo: { issuer }, fileDependencies }: ResolveData): Promise<string> {
    const context = { addWatchFile: (file: string) => void fileDependencies.add(file) }
    return imports.resolve(context, specifier, issuer.startsWith(prefix) ? idIn(issuer) : issuer || undefined)
  }

  compiler.hooks.compilation.tap(NAME, (_compilation, { normalModuleFactory, contextModuleFactory }) => {
    const { resolveForScheme } = normalModuleFactory.hooks
    resolveForScheme.for('content-space').tapPromise(NAME, async (data, resolveData) => {
      const path = pathOf(isRspack ? data.resource : await resolve(data.resource, resolveData))
      Object.assign(data, { resource: path, path, query: '', fragment: '' })
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
  const { idToRequest } = await import('./session/content.js')
  const request = idToRequest(id)
  const isPart = 'pick' in request && request.pick !== undefined && !request.pick.includes('default')
  const from = JSON.stringify(id)
  return `export * from ${from}\n${isPart ? '' : `export { default } from ${from}\n`}`
}

const LOADER = ownFile('bundlers/webpack-loader.js')

/** What webpack tells of an import. */
interface ResolveData {
  contextInfo: { issuer: string }
  fileDependencies: { add(file: string): unknown }
}

function watcher(context: LoaderContext<LoaderOptions>): WatchContext {
  return { addWatchFile: (file) => context.addDependency(file) }
}
