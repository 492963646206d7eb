import { resolve } from 'node:path'
import type { ConfigEnv, UserConfig } from 'vite'
import type { Session } from '../session/session.js'

/** Returns the settings and the last step of a build in library mode. */
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
     * Whether URLs must be relative to the script. A library doesn't know where an application will put its files.
     * Unless a base is configured, Vite would write URLs that begin at the root of the site.
     */
    isRelocatable: (): boolean => relocatable,
    /** Whether the build makes a library, whose option `external` must not match runtimes. */
    isLibrary: (): boolean => folder !== undefined,
    /** Completes the declarations after all files have been written. */
    complete: async (): Promise<void> => {
      if (folder === undefined) return
      const { completeTypes } = await import('../library-types.js')
      await completeTypes(session, resolve(session.host.root, folder), started)
    },
  }
}
