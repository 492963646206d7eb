import { posix } from 'node:path'
import { sha256 } from '../references/digest.js'
import { completeName, CONTENT_SOURCE, replaceStubs, type StubNames } from '../references/file-stubs.js'
import { joinUrl } from '../references/file-names.js'
import { encodePath } from '../references/relative-url.js'
import type { Session } from '../session/session.js'
import type { Compilation, Compiler } from 'webpack'
import type { AddressOf } from './style-sheet.js'

/**
 * Replaces the ids in a page or style sheet of the output, and emits the files to which they refer.
 * @param path the name in the output
 */
export async function replaceInOutput(
  text: string,
  path: string,
  compiler: Compiler,
  compilation: Compilation,
  session: Session,
  names: StubNames,
): Promise<string> {
  const addressOf = addressesFrom(path, compiler, compilation, session, names)
  // Loaders leave stubs in attributes and other text that they don't read.
  const withoutStubs = await replaceStubs(text, addressOf)
  if (path.endsWith('.css')) {
    const { replaceIds } = await import('./style-sheet.js')
    return (await replaceIds(session, withoutStubs, path, addressOf)).toString()
  }
  const [{ replaceIdsInPage }, { makeAbsolute }] = await Promise.all([import('./html.js'), import('./absolute.js')])
  return makeAbsolute(session, await replaceIdsInPage(session, withoutStubs, path, addressOf), path)
}

/** Returns a function that emits a file and returns its URL for use in a file of the output. */
function addressesFrom(
  path: string,
  compiler: Compiler,
  compilation: Compilation,
  session: Session,
  { template, served, publicPath, small }: StubNames,
): AddressOf {
  return async (file, isAlone) => {
    const uri = isAlone ? undefined : await small(file)
    if (uri !== undefined) return uri
    const name = served(file) ?? (await emit())
    const base = publicPath ?? compiler.options.output.publicPath ?? 'auto'
    const written =
      base === 'auto' || base === '' ? '' : compilation.getAssetPath(base, { hash: compilation.hash ?? '' })
    return written === '' ? encodePath(posix.relative(posix.dirname(path), name)) : joinUrl(written, encodePath(name))

    async function emit(): Promise<string> {
      const bytes = Buffer.from(await session.file(file))
      const sourceFilename = `${CONTENT_SOURCE}${file.name}.${file.ext}`
      const isSame = (asset: ReturnType<Compilation['getAssets']>[number]): boolean =>
        asset.info.sourceFilename === sourceFilename && asset.source.buffer().equals(bytes)
      const emitted = compilation.getAssets().find(isSame)
      if (emitted) return emitted.name
      const fresh = completeName(file, template(), sha256(bytes))
      compilation.emitAsset(fresh, new compiler.webpack.sources.RawSource(bytes), { sourceFilename })
      return fresh
    }
  }
}
