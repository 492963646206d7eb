import { abortable } from '../async/abortable.js'
import { createBuildImporter, type BuildImporter, type UpdateRequest } from '../importer.js'
import type { Options } from '../config/options.js'
import { optionsOf, type CommonFlags } from './flags.js'
import type { Terminal } from './terminal.js'

/** Works with the project in the working directory, and ends its importer whatever happens. */
export async function withImporter<T>(
  { cwd, signal }: Terminal,
  flags: CommonFlags,
  work: (importer: BuildImporter) => Promise<T>,
  { options = {}, renew }: { options?: Options; renew?: UpdateRequest } = {},
): Promise<T> {
  const config = flags.config === undefined ? {} : { config: flags.config }
  const importer = await createBuildImporter({ ...optionsOf(flags), ...options }, { root: cwd, ...config }, renew)
  try {
    return await abortable(work(importer), signal)
  } finally {
    await importer.close()
  }
}
