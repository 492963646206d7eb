import type { UnpluginFactory, UnpluginOptions } from 'unplugin'
import type { References } from '../modules/references.js'
import type { Options } from '../options.js'
import { idToRequest, requestToId } from '../request.js'
import { openSession, type Session } from './session.js'

/** What one family of bundlers adds to the common plugin. */
export interface Family {
  /** What stands in front of resolved ids: `\0` for rollup-likes, which keeps other plugins' hands off. */
  prefix: '' | '\0'
  /** How generated code refers to files and values. Asked for each module, when the bundler's configuration is known. */
  references: () => References
  /** The bundler's own hooks and settings; those in the bundler's own key join the common ones. */
  options: Partial<UnpluginOptions>
}

const SPECIFIER = /^content-space:/
const RESOLVED = /^\0?content-space:/

/**
 * The plugin of all bundlers: resolves `content-space:` ids, loads their modules, and leaves bytes to the family.
 * Errors of ours are thrown as they are, so that the bundler shows them as its own.
 */
export function contentSpace(family: (session: Session) => Family): UnpluginFactory<Options | undefined, false> {
  return (options = {}) => {
    const session = openSession(options)
    const { prefix, references, options: own } = family(session)
    return {
      name: 'content-space',
      enforce: 'pre',
      resolveId: {
        filter: { id: SPECIFIER },
        async handler(specifier, from) {
          const importer = from === undefined ? undefined : (session.importerOf(from) ?? from)
          const request = (await session.importer()).parse(specifier, importer)
          const id = prefix + requestToId(request)
          session.imported(id, importer)
          // rollup-likes read `moduleSideEffects`; unplugin hands it through and does not declare it
          return { id, moduleSideEffects: false }
        },
      },
      load: {
        filter: { id: RESOLVED },
        handler: (id) =>
          session.naming(id, async () => {
            const importer = await session.importer()
            return importer.module(idToRequest(id.slice(prefix.length)), references(), session.importerOf(id))
          }),
      },
      ...own,
    }
  }
}
