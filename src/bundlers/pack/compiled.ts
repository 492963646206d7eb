import type { LoaderContext } from 'webpack'
import type { codeNarrower } from '../plugin.js'
import type { LoaderOptions, Narrowed, SourceMap } from './loader.js'

/** Returns a function that narrows imports in a script that loaders have compiled, and combines the source maps. */
export function narrowCompiled(narrowCode: ReturnType<typeof codeNarrower>) {
  return async (code: string, map: SourceMap, loader: LoaderContext<LoaderOptions>): Promise<Narrowed> => {
    // webpack and Rspack each have a character that escapes others in paths.
    const file = loader.resource.replace(/[\0\u200b](.)/gs, '$1')
    const narrowed = await narrowCode({ addWatchFile: (path) => loader.addDependency(path) }, code, file)
    if (narrowed === undefined) return { code, map }
    if (loader.sourceMap === false) return { code: narrowed.code, map }
    const after = narrowed.map.toString()
    const before: unknown = typeof map === 'string' ? JSON.parse(map) : map
    if (!Object(before).mappings) return { code: narrowed.code, map: after }
    const { default: remapping } = await import('@jridgewell/remapping')
    return { code: narrowed.code, map: remapping([after, JSON.stringify(before)], () => null).toString() }
  }
}
