import { MagicString } from 'magic-string'
import { sha256 } from '../references/digest.js'
import { literalEdits } from '../references/literal-edits.js'
import { scriptAddresses } from '../references/relative-url.js'
import { rejectImports } from '../unbundled.js'
import { PLACEHOLDER } from './names.js'
import type { Compilation, Compiler } from 'webpack'

/** An identifier that the bundler derived from the id of a module or the descriptor of a file. */
const IDENTIFIER = /\b(?:x_content_space_base64_|content_space_3A)\w+/g

/**
 * Replaces the URLs of content files in a library's scripts with expressions that bundlers follow, and shortens the
 * names of variables that contain ids.
 */
export async function relocateScripts(compiler: Compiler, compilation: Compilation): Promise<void> {
  const { module, library } = compiler.options.output
  const format = module ? 'es' : library?.type?.startsWith('commonjs') ? 'cjs' : 'umd'
  for (const { name, source } of compilation.getAssets()) {
    if (!/\.[cm]?js$/.test(name)) continue
    const code = source.source().toString()
    await rejectImports(code, name)
    const script = scriptAddresses(name, code, format)
    const addresses = await literalEdits(
      code,
      module ? 'module' : 'script',
      (text) => {
        if (!text.startsWith(PLACEHOLDER) || text === PLACEHOLDER) return { targets: [], texts: [text] }
        return { targets: [text.slice(PLACEHOLDER.length)], texts: ['', ''] }
      },
      async (path) => () => script.of(path),
    )
    const variables = Array.from(code.matchAll(IDENTIFIER), ({ index, 0: identifier }) => ({
      start: index,
      end: index + identifier.length,
      code: `content_${sha256(identifier).slice(0, 8)}`,
    }))
    if (addresses.length + variables.length === 0) continue
    const edited = new MagicString(code)
    for (const { start, end, code: text } of [...addresses, ...variables]) edited.update(start, end, text)
    await script.complete(edited)
    const map = source.map()
    const { RawSource, SourceMapSource } = compiler.webpack.sources
    const after =
      map === null
        ? new RawSource(Buffer.from(edited.toString()))
        : new SourceMapSource(
            edited.toString(),
            name,
            edited.generateMap({ source: name, hires: 'boundary' }).toString(),
            code,
            JSON.stringify(map),
          )
    compilation.updateAsset(name, after, (info) => info)
  }
}
