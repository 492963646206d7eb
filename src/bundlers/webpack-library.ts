import { NAME } from './plugin.js'
import type { Session } from './session/session.js'
import type { Compiler } from 'webpack'

/** The beginning of the addresses of files in a library, until `relocateScripts` replaces them. */
export const PLACEHOLDER = 'content-space-library:/'

/**
 * Whether Rslib makes a library, which the bundler of an application builds again. With a public path, the addresses of
 * files are known, and there is nothing to do.
 */
export function isLibrary({ plugins, output }: Compiler['options']): boolean {
  const { publicPath = 'auto' } = output
  return publicPath === 'auto' && plugins.some((plugin) => Object(plugin).name === 'RslibPlugin')
}

/** Completes the declarations of a library when the compiler is closed. Rslib has written them by then. */
export function completeLibrary(compiler: Compiler, session: Session): void {
  const started = Date.now()
  compiler.hooks.shutdown.tapPromise(NAME, async () => {
    if (!isLibrary(compiler.options)) return
    const { completeTypes } = await import('./library-types.js')
    await completeTypes(session, compiler.outputPath, started)
  })
}
