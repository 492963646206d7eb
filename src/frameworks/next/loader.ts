import { loadModule, replaceInSheet, type LoaderOptions } from './requests.js'

/*
 * The loader of `.content-space/next.js` and of style sheets, for Turbopack and webpack. We resolve each id to
 * `next.js`, with the id in the query. The loader and the server run in different processes, so the loader requests the
 * module from the server.
 */

export type { LoaderOptions } from './requests.js'

/** The part of the loader interface that this loader uses. */
interface LoaderContext {
  resourcePath: string
  resourceQuery: string
  getOptions(): LoaderOptions
  async(): (error: Error | null, code?: string) => void
  cacheable(flag: boolean): void
  addDependency(file: string): void
}

/* oxlint-disable oxc/no-this-in-exported-function -- bundlers call a loader with its context as `this` */
function contentSpaceLoader(this: LoaderContext, source: string): void {
  const callback = this.async()
  loadSource(this, source).then(
    (code) => callback(null, code),
    (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
  )
}

async function loadSource(context: LoaderContext, source: string): Promise<string> {
  const { resourcePath, resourceQuery } = context
  // The text depends on the service and the lockfile, and a bundler's cache doesn't notice their changes.
  context.cacheable(false)
  const watch = (file: string): void => context.addDependency(file)
  return resourcePath.endsWith('.css')
    ? replaceInSheet(source, resourcePath, context.getOptions(), watch)
    : loadModule(specifierOf(resourceQuery), context.getOptions(), watch)
}

/** Returns the specifier in a query. Turbopack writes the id unencoded, and the webpack plugin encodes it. */
function specifierOf(query: string): string {
  const [, encoded] = /^\?encoded=(.*)$/s.exec(query) ?? []
  return `content-space:${encoded === undefined ? query.replace(/^\?id=/, '') : decodeURIComponent(encoded)}`
}

export { contentSpaceLoader as default }
