import { NAME } from './plugin.js'
import type { Session } from './session/session.js'
import type { PackCompilation, PackCompiler } from './webpack-compiler.js'

/** The beginning of the addresses of files in a library, until `relocate` replaces them. */
export const PLACEHOLDER = 'content-space-library:/'

/**
 * Whether Rslib makes a library, which the bundler of an application builds again. With a public path, the addresses of
 * files are known, and there is nothing to do.
 */
export function isLibrary({ plugins, output }: PackCompiler['options']): boolean {
  const { publicPath = 'auto' } = output
  return publicPath === 'auto' && plugins.some((plugin) => Object(plugin).name === 'RslibPlugin')
}

/** Replaces the addresses of files in the scripts of a library. */
export async function relocate(compiler: PackCompiler, compilation: PackCompilation): Promise<void> {
  const { relocateScripts } = await import('./webpack-relocate.js')
  await relocateScripts(compiler, compilation, PLACEHOLDER)
}

/** Completes the declarations of a library when the compiler is closed. Rslib has written them by then. */
export function completeLibrary(compiler: PackCompiler, session: Session): void {
  const started = Date.now()
  compiler.hooks.shutdown.tapPromise(NAME, async () => {
    if (!isLibrary(compiler.options)) return
    const { completeTypes } = await import('./library-types.js')
    await completeTypes(session, compiler.outputPath, started)
  })
}
