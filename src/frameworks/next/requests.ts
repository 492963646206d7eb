import * as v from 'valibot'

/* Requests from loaders to this package's server. */

/**
 * Options of the loader. A server has an address, and a key that authorizes requests. With a hint, the loader reports
 * an error for every id that it receives from a script. Without a server, it also reports an error for every id in a
 * style sheet.
 */
export interface LoaderOptions {
  origin?: string
  key?: string
  hint?: string
}

const answer = v.object({
  code: v.optional(v.string()),
  /** The message of an error. */
  error: v.optional(v.string()),
  /** A file that changes whenever the modules change. */
  watched: v.optional(v.string()),
})

/** The server's response. */
export type Answer = v.InferInput<typeof answer>

/** Returns the source of a module. @param watch receives a file that changes whenever the module changes */
export async function loadModule(
  specifier: string,
  options: LoaderOptions,
  watch: (file: string) => unknown,
): Promise<string> {
  if (options.hint !== undefined)
    throw plainError(`${specifier} was not found before the build started.\n${options.hint}`)
  return ask(`id=${encodeURIComponent(specifier)}`, undefined, options, watch)
}

/** Replaces the ids in a style sheet. Parameters are as in `loadModule`. @param sheet its absolute path */
export async function replaceInSheet(
  code: string,
  sheet: string,
  options: LoaderOptions,
  watch: (file: string) => unknown,
): Promise<string> {
  if (options.origin === undefined)
    throw plainError(`content-space: in ${sheet} cannot be replaced.\n${options.hint ?? ''}`)
  return ask(`sheet=${encodeURIComponent(sheet)}`, code, options, watch)
}

async function ask(
  query: string,
  body: string | undefined,
  { origin = '', key = '' }: LoaderOptions,
  watch: (file: string) => unknown,
): Promise<string> {
  const request = body === undefined ? {} : { method: 'POST', body }
  const response = await fetch(`${origin}/?${query}`, { ...request, headers: { 'x-content-space': key } })
  const { code, error, watched } = v.parse(answer, await response.json())
  if (watched !== undefined) watch(watched)
  if (code === undefined) throw plainError(error ?? `${query} could not be loaded.`)
  return code
}

/** Creates an error without a stack, because the mistake is in the user's source, not in this code. */
function plainError(message: string): Error {
  const error = new Error(message)
  error.stack = message
  return error
}
