import { resolve } from 'node:path'
import type { ConfigEnv, UserConfig } from 'vite'
import type { Session } from '../session/session.js'

/** Returns what a build in library mode needs. */
export function viteLibrary(session: Session) {
  const started = Date.now()
  let folder: string | undefined
  let relocatable = false

  return {
    config: ({ base = './', build }: UserConfig, { command }: ConfigEnv): UserConfig | undefined => {
      folder = command === 'build' && build?.lib ? (build.outDir ?? 'dist') : undefined
      relocatable = folder !== undefined && (base === './' || base === '')
      // Vite doesn't emit files for servers, but a library doesn't have another build that would.
      const { emitAssets = true, ssrEmitAssets = emitAssets } = build ?? {}
      return relocatable && build?.ssr ? { build: { ssrEmitAssets } } : undefined
    },
    /**
     * Whether addresses must be relative to the script. A library does not know where an application will put its
     * files, and Vite would write addresses that begin at the root of the site, unless a base is configured.
     */
    isRelocatable: (): boolean => relocatable,
    /** Whether a library is built: its option `external` must not match runtimes. */
    isLibrary: (): boolean => folder !== undefined,
    /** Completes the declarations. Called when all files have been written. */
    complete: async (): Promise<void> => {
      if (folder === undefined) return
      const { completeTypes } = await import('../library-types.js')
      await completeTypes(session, resolve(session.host.root, folder), started)
    },
  }
}
