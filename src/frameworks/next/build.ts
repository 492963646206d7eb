import { consoleLog } from '../../print.js'
import type { Options } from '../../config/options.js'
import { ContentSpaceError } from '../../errors.js'
import { writeModules } from '../write-modules/write-modules.js'
import { finish, prepare } from '../../engine/build.js'
import { openEngine, type Engine } from '../../engine/engine.js'
import { showFrame } from '../../bundlers/reports.js'
import { summaryLines } from '../../bundlers/session/build-report.js'

/**
 * Writes the modules that the source imports, the files of option `tokens`, the lockfile and the declarations.
 * @param typesOnly whether to skip the modules
 * @returns absolute paths of modules by specifier
 * @throws ContentSpaceError that lists every import that failed
 */
export async function prepareBuild(root: string, options: Options, typesOnly: boolean) {
  const engine = await openEngine(options, { root, command: 'build' })
  try {
    if (!typesOnly) await prepare(engine)
    const modules = typesOnly ? new Map<string, string>() : await modulesOf(root, engine)
    const { warnings, lines } = summaryLines(await finish(engine))
    for (const warning of warnings) consoleLog.warn(warning)
    for (const line of typesOnly ? [] : lines) consoleLog.info(line)
    return modules
  } finally {
    await engine.close()
  }
}

async function modulesOf(root: string, engine: Engine): Promise<ReadonlyMap<string, string>> {
  const { modules, errors } = await writeModules(engine, { root, folder: 'next', module: 'next' })
  const [first, ...others] = [...errors.values()]
  if (first === undefined) return modules
  if (others.length === 0) throw showFrame(first)
  const lines = [...errors.values()].flatMap(({ message }) => message.split('\n'))
  throw new ContentSpaceError(first.code, `${errors.size} imports of content failed:`, { lines })
}
