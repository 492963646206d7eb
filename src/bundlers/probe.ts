import { NAME } from './plugin.js'
import { importFile } from './references/file-imports.js'
import type { References } from '../modules/references.js'
import type { Session } from './session/session.js'

/*
 * The probe is an additional build that finds out what is used, without loading content files. esbuild and Bun need it,
 * because they load every module and the bytes of its files before they know what is used.
 */

/**
 * The generated modules and files in the output of a build. If the output is unknown (undefined), all modules and files
 * count as used.
 */
export type UsedInputs = Set<string> | undefined

/** The references of modules in the probe. They use a short text in place of any value that is made from bytes. */
export const probeReferences: References = {
  layout: 'barrel',
  address: importFile,
  value: async () => ({ code: '"?"' }),
}

/**
 * Returns a session with separate modules, because the build's modules contain values that are made from files and may
 * be waiting for the probe.
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
 * Returns the plugins of the probe. Replaces our own plugin and removes `onEnd` from the user's plugins, because they
 * must not see the probe's output.
 */
export function probePlugins<Build extends { onEnd: unknown }, Plugin extends UserPlugin<Build>>(
  plugins: readonly Plugin[] = [],
  probe: Plugin,
): Plugin[] {
  return plugins.map((plugin) =>
    plugin.name === NAME ? probe : { ...plugin, setup: (build: Build) => plugin.setup({ ...build, onEnd() {} }) },
  )
}
