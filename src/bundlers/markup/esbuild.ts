import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { BuildOptions, OnResolveResult } from 'esbuild'
import type { UnpluginBuildContext } from 'unplugin'
import type { FileDescriptor } from '../../files/plan.js'
import type { Session } from '../session/session.js'

/**
 * Returns a function that adds the hooks for style sheets. unplugin calls it before it adds its own resolver, which
 * would resolve ids to scripts.
 */
export function addStyleSheetHooks(
  session: Session,
  resolveFile: (file: FileDescriptor, options: BuildOptions) => OnResolveResult,
) {
  return function (this: UnpluginBuildContext): void {
    const native = this.getNativeBuildContext?.()
    if (native?.framework !== 'esbuild') return
    native.build.onResolve({ filter: /content-space:/ }, async ({ kind, path, importer }) => {
      if (kind !== 'url-token') return undefined
      const [{ readId }, { filesOfId }] = await Promise.all([
        import('../../source/style-sheet.js'),
        import('./files.js'),
      ])
      const found = readId(path)
      if (!found) return undefined
      const [{ file }, watched] = await Promise.all([filesOfId(session, found.id, importer), session.watchedFile()])
      const resolved = resolveFile(file, native.build.initialOptions)
      return { ...resolved, suffix: found.fragment, watchFiles: watched ? [watched] : [] }
    })
    // esbuild resolves `url()` but not strings in other functions, so wrap ids in `url()`. A pair becomes two rules.
    native.build.onLoad({ filter: /\.css$/, namespace: 'file' }, async ({ path }) => {
      const code = await readFile(path, 'utf8')
      if (!code.includes('content-space:')) return undefined
      const { wrapIds } = await import('./style-sheet.js')
      return { contents: await wrapIds(session, code, path), loader: 'default', resolveDir: dirname(path) }
    })
  }
}
