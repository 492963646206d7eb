import type { LoaderContext, LoaderDefinition, PitchLoaderDefinitionFunction } from 'webpack'

/** Replaces the ids in a style sheet or a page. */
export type Replace = (code: string, path: string, context: LoaderContext<LoaderOptions>) => Promise<string>

export interface LoaderOptions {
  /** Returns the source of an id's module. Its file doesn't exist, and bundlers don't read it. */
  load?: (context: LoaderContext<LoaderOptions>) => Promise<string>
  /** Called before css-loader and html-loader, and before the bundler itself reads a style sheet. */
  replace?: Replace
  /** The beginning of the type of modules that `replace` changes, such as `css`. Other modules remain unchanged. */
  type?: string
}

/* oxlint-disable oxc/no-this-in-exported-function -- bundlers call a loader with its context as `this` */
const pitch: PitchLoaderDefinitionFunction<LoaderOptions> = function () {
  return this.getOptions()
    .load?.(this)
    .catch((error: unknown) => Promise.reject(plainError(error)))
}

const loader: LoaderDefinition<LoaderOptions> = function (code, map) {
  const done = this.async()
  const { replace, type = '' } = this.getOptions()
  const { _module: { type: own } = { type: '' } } = this
  if (replace === undefined || !code.includes('content-space:') || !own.startsWith(type)) return done(null, code, map)
  replace(code, this.resourcePath, this).then(
    (replaced) => done(null, replaced, map),
    (error: unknown) => done(plainError(error)),
  )
}

/** Returns a plain `Error` with the same fields, because webpack can't store other classes in its cache. */
function plainError(error: unknown): Error {
  const given = error instanceof Error ? error : new Error(String(error))
  const { message, name, stack } = given
  return Object.assign(new Error(message), given, { name, stack })
}

export { loader as default, pitch }
