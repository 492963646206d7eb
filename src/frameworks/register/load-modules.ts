import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Options } from '../../config/options.js'
import { ContentSpaceError } from '../../errors.js'
import { withImportSite } from '../../source/import-site.js'

/**
 * Writes the modules of all ids that option `scan` finds, with the files that they refer to, because a runtime resolves
 * imports synchronously. Updates the lockfile and the declarations, as a build does.
 * @throws ContentSpaceError any error of a build, except for errors of single imports, because their modules throw them
 */
export async function loadModules(options: Options = {}) {
  const { openEngine } = await import('../../engine/engine.js')
  const { finish, prepare } = await import('../../engine/build.js')
  const { writeModules } = await import('../write-modules/write-modules.js')
  const engine = await openEngine(options)
  try {
    await prepare(engine)
    // Coverage tools ignore files in a folder named node_modules.
    const { modules } = await writeModules(engine, { folder: 'runtime/node_modules/content', module: 'url' })
    await finish(engine)
    return {
      /**
       * Returns the `file:` URL of the module of a specifier.
       * @param importer the importing file, for the error
       * @throws ContentSpaceError `invalidId` for a specifier that the source didn't contain when it was scanned
       */
      find(this: void, specifier: string, importer: string | undefined): string {
        const path = modules.get(specifier)
        if (path === undefined) throw unknownSpecifier(specifier, importer)
        return pathToFileURL(path).href
      },
    }
  } finally {
    await engine.close()
  }
}

function unknownSpecifier(specifier: string, importer: string | undefined): unknown {
  const error = new ContentSpaceError('invalidId', `${specifier} was not loaded when the process started.`, {
    hint:
      'Imports are resolved synchronously, so only imports that option `scan` finds in the source are available. ' +
      'Add the importing file to `scan`, and write the import as a literal.',
  })
  const path = importer?.startsWith('file:') ? fileURLToPath(importer) : importer
  return withImportSite(error, { specifier, importer: path })
}
