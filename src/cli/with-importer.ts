import { abortable } from '../async/abortable.js'
import type { Options } from '../config/options.js'
import type { BuildImporter, UpdateRequest } from '../importer.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { optionsOf, type CommonFlags } from './flags.js'
import type { Terminal } from './terminal.js'

/** Opens an importer for the project of the working directory, and closes it after the work. */
export async function withImporter<T>(
  { cwd, signal }: Terminal,
  flags: CommonFlags,
  work: (importer: BuildImporter) => Promise<T>,
  { options = {}, update }: { options?: Options; update?: UpdateRequest } = {},
): Promise<T> {
  // Loaded here and not at the top of the file: `--help` and `--version` need no engine.
  // Node reads all files of an import at once. In steps, it stays below low limits of open files.
  await import('../catalog/catalog.js')
  await import('../files/files.js')
  const { createBuildImporter } = await import('../importer.js')
  const host = { root: cwd, ...omitUndefined({ config: flags.config }) }
  const importer = await createBuildImporter({ ...optionsOf(flags, cwd), ...options }, host, update)
  try {
    return await abortable(work(importer), signal)
  } finally {
    await importer.close()
  }
}
