import { NAME } from './plugin.js'
import { importFile } from './references/file-imports.js'
import type { References } from '../modules/references.js'
import type { Session } from './session/session.js'

/*
 * Shared by esbuild and Bun, which load every module, and the bytes of its files, before they know what is used. A
 * second build without content files, the probe, finds out.
 */

/** The generated modules and files in the output of a build. Undefined if unknown: all then count as used. */
export type UsedInputs = Set<string> | undefined

/** The references of modules in the probe, which have a short text instead of anything that is made from bytes. */
export const probeReferences: References = {
  layout: 'barrel',
  address: importFile,
  value: async () => ({ code: '"?"' }),
}

/**
 * Returns a session with modules of its own. Modules of the build contain values of files, and may wait for the probe.
 */
export function isolatedSession(session: Session): Session {
  return {
    ...session,
    async module(_id, request, references) {
      const { errors, modules } = await session.engine()
      return errors.checked(() => modules.source(request, references))
    },
  }
}

interface UserPlugin<Build> {
  name: string
  setup(build: Build): unknown
}

/**
 * Returns the plugins of the probe. Our own plugin is replaced, and the user's plugins lose `onEnd`, which must not see
 * the output of the probe.
 */
export function probePlugins<Build extends { onEnd: unknown }, Plugin extends UserPlugin<Build>>(
  plugins: readonly Plugin[] = [],
  probe: Plugin,
): Plugin[] {
  return plugins.map((plugin) =>
    plugin.name === NAME ? probe : { ...plugin, setup: (build: Build) => plugin.setup({ ...build, onEnd() {} }) },
  )
}
