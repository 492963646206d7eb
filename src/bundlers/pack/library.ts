import type { Session } from '../session/session.js'
import type { Compiler } from 'webpack'
import { sha256 } from '../references/digest.js'

/**
 * Checks whether Rslib makes a library, which an application's bundler will build again. Returns false if a public path
 * is set, because the URLs of files are then known and don't have to be relocated.
 */
export function isLibrary(options: Compiler['options']): boolean {
  const { publicPath = 'auto' } = options.output
  return publicPath === 'auto' && isOfRslib(options)
}

function isOfRslib({ plugins }: Compiler['options']): boolean {
  return plugins.some((plugin) => Object(plugin).name === 'RslibPlugin')
}

/**
 * Renames chunks of content in a library. By default, a chunk's name is the encoded id of its module. `import()` would
 * decode the name, and it may be too long for a file.
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

/**
 * Completes the declarations of a library. Called when the compiler is closed, because Rslib has written them by then.
 */
export async function completeLibrary(compiler: Compiler, session: Session): Promise<void> {
  if (!isLibrary(compiler.options)) return
  const { completeTypes } = await import('../library-types.js')
  await completeTypes(session, compiler.outputPath)
}
