import { NAME } from '../plugin.js'
import type { Session } from '../session/session.js'
import type { Compiler } from 'webpack'
import { sha256 } from '../references/digest.js'

/** The beginning of the addresses of files in a library, until `relocateScripts` replaces them. */
export const PLACEHOLDER = 'content-space-library:/'

/**
 * Whether Rslib makes a library, which the bundler of an application builds again. With a public path, the addresses of
 * files are known, and there is nothing to do.
 */
export function isLibrary(options: Compiler['options']): boolean {
  const { publicPath = 'auto' } = options.output
  return publicPath === 'auto' && isOfRslib(options)
}

function isOfRslib({ plugins }: Compiler['options']): boolean {
  return plugins.some((plugin) => Object(plugin).name === 'RslibPlugin')
}

/**
 * Gives chunks of content in a library other names than the encoded ids of their modules, which `import()` decodes, and
 * which may be too long for a file.
 */
export function nameChunks({ options }: Compiler): void {
  const { chunkFilename = '[name].js' } = options.output
  if (!isOfRslib(options)) return
  options.output.chunkFilename = (data, info) => {
    const template = typeof chunkFilename === 'function' ? chunkFilename(data, info) : chunkFilename
    const name = String(data.chunk?.name ?? data.chunk?.id)
    if (!/content-space(?:%3A|;base64,)/.test(name)) return template
    const [, readable = 'file'] = /%2F([\w-]+)(?:%3F.*)?$/.exec(name) ?? []
    return template.replace('[name]', `content-${readable}-${sha256(name).slice(0, 8)}`)
  }
}

/** Completes the declarations of a library when the compiler is closed. Rslib has written them by then. */
export function completeLibrary(compiler: Compiler, session: Session): void {
  const started = Date.now()
  compiler.hooks.shutdown.tapPromise(NAME, async () => {
    if (!isLibrary(compiler.options)) return
    const { completeTypes } = await import('../library-types.js')
    await completeTypes(session, compiler.outputPath, started)
  })
}
