import { resolve } from 'node:path'
import type { ConfigEnv, UserConfig } from 'vite'
import type { Session } from '../session/session.js'

function isRelocatable({ base = './', build }: UserConfig, { command }: ConfigEnv): boolean {
  return command === 'build' && Boolean(build?.lib) && (base === './' || base === '')
}

export function librarySettings(config: UserConfig, env: ConfigEnv): UserConfig | undefined {
  // Vite doesn't emit files for servers, but a library doesn't have another build that would.
  const { ssr, emitAssets = true, ssrEmitAssets = emitAssets } = config.build ?? {}
  return ssr && isRelocatable(config, env) ? { build: { ssrEmitAssets } } : undefined
}

/** Returns the settings and the last step of a build in library mode. */
export function viteLibrary(session: Session) {
  let folder: string | undefined
  let relocatable = false

  return {
    config: (config: UserConfig, env: ConfigEnv): UserConfig | undefined => {
      folder = env.command === 'build' && config.build?.lib ? (config.build.outDir ?? 'dist') : undefined
      relocatable = isRelocatable(config, env)
      return librarySettings(config, env)
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
      await completeTypes(session, resolve(session.host.root, folder))
    },
  }
}
