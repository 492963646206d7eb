import { resolve } from 'node:path'
import type { ConfigEnv, UserConfig } from 'vite'
import type { Session } from './session/session.js'

/** What a build in library mode needs. */
export interface ViteLibrary {
  config(this: void, config: UserConfig, environment: ConfigEnv): void
  /**
   * Whether addresses must be relative to the script. A library does not know where an application will put its files,
   * and Vite would write addresses that begin at the root of the site, unless a base is configured.
   */
  isRelocatable(this: void): boolean
  /** Whether a library is built: its option `external` must not match runtimes. */
  isLibrary(this: void): boolean
  /** Completes the declarations. Called when all files have been written. */
  complete(this: void): Promise<void>
}

export function viteLibrary(session: Session): ViteLibrary {
  const started = Date.now()
  let folder: string | undefined
  let relocatable = false

  return {
    config({ base = './', build }, { command }) {
      folder = command === 'build' && build?.lib ? (build.outDir ?? 'dist') : undefined
      relocatable = folder !== undefined && (base === './' || base === '')
    },
    isRelocatable: () => relocatable,
    isLibrary: () => folder !== undefined,
    async complete() {
      if (folder === undefined) return
      const { completeTypes } = await import('./library-types.js')
      await completeTypes(session, resolve(session.host.root, folder), started)
    },
  }
}
