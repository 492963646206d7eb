import type { LoaderContext, LoaderDefinition } from 'webpack'

/** Replaces the ids in a style sheet or a page. */
export type Replace = (code: string, path: string, context: LoaderContext<LoaderOptions>) => Promise<string>

export interface LoaderOptions {
  replace: Replace
  /** Begins the type of the modules that are changed: `css`. Other modules stay as they are. */
  type?: string
}

/* oxlint-disable oxc/no-this-in-exported-function -- bundlers call a loader with its context as `this` */
/** The loader that runs before css-loader and html-loader, and before the bundler reads a style sheet itself. */
const load: LoaderDefinition<LoaderOptions> = function (code, map) {
  const done = this.async()
  const { replace, type = '' } = this.getOptions()
  const { _module: { type: own } = { type: '' } } = this
  if (!code.includes('content-space:') || !own.startsWith(type)) return done(null, code, map)
  replace(code, this.resourcePath, this).then(
    (replaced) => done(null, replaced, map),
    (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
  )
}

export { load as default }
