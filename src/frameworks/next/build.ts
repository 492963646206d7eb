import { consoleLog } from '../../print.js'
import type { Options } from '../../config/options.js'
import { ContentSpaceError } from '../../errors.js'
import { createBuildImporter, type BuildImporter } from '../../importer.js'
import { summaryLines } from '../../bundlers/session/build-report.js'

/**
 * Writes the modules that the source imports, the files of option `tokens`, the lockfile and the declarations.
 * @param typesOnly writes no modules
 * @returns absolute paths of modules by specifier
 * @throws ContentSpaceError for every import that fails
 */
export async function prepareBuild(
  root: string,
  options: Options,
  typesOnly: boolean,
): Promise<ReadonlyMap<string, string>> {
  const importer = await createBuildImporter(options, { root, command: 'build' })
  try {
    if (!typesOnly) await importer.prepare()
    const modules = typesOnly ? new Map<string, string>() : await writeModules(root, importer)
    const { warnings, lines } = summaryLines(await importer.finish())
    for (const warning of warnings) consoleLog.warn(warning)
    for (const line of typesOnly ? [] : lines) consoleLog.info(line)
    return modules
  } finally {
    await importer.close()
  }
}

async function writeModules(root: string, importer: BuildImporter): Promise<ReadonlyMap<string, string>> {
  const { modules, errors } = await importer.writeModules({ root, folder: 'next', module: 'next' })
  const [first, ...others] = [...errors.values()]
  if (first === undefined) return modules
  if (others.length === 0) throw first
  const lines = [...errors.values()].flatMap(({ message }) => message.split('\n'))
  throw new ContentSpaceError(first.code, `${errors.size} imports of content failed:`, { lines })
}
