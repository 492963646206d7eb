import * as v from 'valibot'

/*
 * The loader of `.content-space/next.js`, for Turbopack and webpack. An id is resolved to this file with the id in its
 * query. The loader runs in another process than the server, so it asks it for the module.
 */

/**
 * Options of the loader. A dev server has an address, and a key that authorizes requests for modules. A build has no
 * server, so every id that reaches the loader is an error, with this hint.
 */
export type LoaderOptions = { origin: string; key: string } | { hint: string }

const loadedModule = v.object({
  code: v.optional(v.string()),
  /** The message of an error. */
  error: v.optional(v.string()),
  /** A file that changes whenever modules change. */
  watched: v.optional(v.string()),
})

/** What the server answers. */
export type LoadedModule = v.InferInput<typeof loadedModule>

/** The part of the interface of loaders that this loader uses. */
interface LoaderContext {
  resourceQuery: string
  getOptions(): LoaderOptions
  async(): (error: Error | null, code?: string) => void
  cacheable(flag: boolean): void
  addDependency(file: string): void
}

/* oxlint-disable oxc/no-this-in-exported-function -- bundlers call a loader with its context as `this` */
function contentSpaceLoader(this: LoaderContext): void {
  const callback = this.async()
  load(this).then(
    (code) => callback(null, code),
    (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
  )
}

async function load(context: LoaderContext): Promise<string> {
  const options = context.getOptions()
  const specifier = specifierOf(context.resourceQuery)
  if ('hint' in options) throw plainError(`${specifier} was not found before the build started.\n${options.hint}`)
  // The module depends on the service and the lockfile, whose changes a bundler's cache does not notice.
  context.cacheable(false)
  const response = await fetch(`${options.origin}/?id=${encodeURIComponent(specifier)}`, {
    headers: { 'x-content-space': options.key },
  })
  const { code, error, watched } = v.parse(loadedModule, await response.json())
  if (watched !== undefined) context.addDependency(watched)
  if (code === undefined) throw plainError(error ?? `${specifier} could not be loaded.`)
  return code
}

/** Turbopack writes the id into the query as it is, and the plugin for webpack in encoded form. */
function specifierOf(query: string): string {
  const [, encoded] = /^\?encoded=(.*)$/s.exec(query) ?? []
  return `content-space:${encoded === undefined ? query.replace(/^\?id=/, '') : decodeURIComponent(encoded)}`
}

/** The mistake is in an import, not in the code that the stack lists. */
function plainError(message: string): Error {
  const error = new Error(message)
  error.stack = message
  return error
}

export { contentSpaceLoader as default }
