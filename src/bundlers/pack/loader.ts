import type { LoaderContext, LoaderDefinition, PitchLoaderDefinitionFunction } from 'webpack'

export type SourceMap = Parameters<LoaderDefinition>[1]

/** Code and its source map, which may be unchanged. */
export interface Narrowed {
  code: string
  map: SourceMap
}

/** Replaces the ids in a style sheet or a page. */
export type Replace = (code: string, path: string, context: LoaderContext<LoaderOptions>) => Promise<string>

export interface LoaderOptions {
  /** Returns the source of an id's module. Its file doesn't exist, and bundlers don't read it. */
  load?: (context: LoaderContext<LoaderOptions>) => Promise<string>
  /** Narrows the imports in a script that a loader has compiled. Called for scripts that contain an id. */
  narrow?: (code: string, map: SourceMap, context: LoaderContext<LoaderOptions>) => Promise<Narrowed>
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
  const { narrow, replace, type = '' } = this.getOptions()
  const { _module: { type: own } = { type: '' } } = this
  if (!code.includes('content-space:') || !own.startsWith(type)) return done(null, code, map)
  const changed =
    narrow?.(code, map, this) ??
    replace?.(code, this.resourcePath, this).then((replaced): Narrowed => ({ code: replaced, map }))
  if (changed === undefined) return done(null, code, map)
  changed.then(
    (result) => done(null, result.code, result.map),
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
