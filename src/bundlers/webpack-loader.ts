import type { LoaderContext, LoaderDefinition, PitchLoaderDefinitionFunction } from 'webpack'

export interface LoaderOptions {
  /** Returns the source of the module. */
  load: (context: LoaderContext<LoaderOptions>) => Promise<string>
}

/** The loader of modules of ids. Bundlers do not read their files, which do not exist, because `pitch` has a result. */
const loader: LoaderDefinition<LoaderOptions> = (code) => code

/* oxlint-disable oxc/no-this-in-exported-function -- bundlers call a loader with its context as `this` */
const pitch: PitchLoaderDefinitionFunction<LoaderOptions> = function () {
  const done = this.async()
  this.getOptions()
    .load(this)
    .then(
      (code) => done(null, code),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    )
}

export { loader as default, pitch }
