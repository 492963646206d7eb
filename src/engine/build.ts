import type { AppIconsPlan } from '../files/app-icons.js'
import type { AssetPlan, FileDescriptor, ValueDescriptor } from '../files/plan.js'
import type { Summary } from '../progress.js'
import { requireFramework } from '../config/framework.js'
import { frameworkOf } from '../request/frameworks.js'
import type { Request } from '../request/request.js'
import { withImportSite } from '../source/import-site.js'
import type { Engine } from './engine.js'

/*
 * The steps of a build, which may have several environments and outputs. An error covers the whole build if that is
 * more informative than an error about one import. Errors name the specifier and the importing file.
 */

/** Parses a specifier like `Engine.parse`. */
export function parseImport(engine: Engine, specifier: string, importer?: string): Request {
  try {
    const request = engine.parse(specifier)
    const framework = 'query' in request ? frameworkOf(request.query.as) : undefined
    if (framework !== undefined) requireFramework(framework, engine.options.root)
    return request
  } catch (error) {
    throw withImportSite(error, { specifier, importer })
  }
}

/**
 * Returns the plan of an asset, for code that needs a file's address instead of a module. Returns undefined for other
 * kinds of ids.
 */
export async function planAddress(
  engine: Engine,
  specifier: string,
  importer?: string,
): Promise<AssetPlan | undefined> {
  const request = parseImport(engine, specifier, importer)
  if (request.kind !== 'asset') return undefined
  return engine.errors.checked(() => engine.modules.address(request), { specifier, importer })
}

/**
 * Returns the plan of an application's icons, for a page that links to them. Returns undefined for other kinds of ids.
 * @param served whether a dev server serves the files
 */
export async function planIcons(
  engine: Engine,
  specifier: string,
  served: boolean,
  importer?: string,
): Promise<AppIconsPlan | undefined> {
  const request = parseImport(engine, specifier, importer)
  if (request.kind !== 'app-icons') return undefined
  const step = () => engine.modules.icons(request, served)
  return (await engine.errors.checked(step, { specifier, importer })).plan
}

/**
 * Returns the verified bytes of a file from the cache. If the cache lacks the file, downloads and converts it first.
 */
export async function readFile({ files, errors, stats }: Engine, file: FileDescriptor): Promise<Uint8Array> {
  const bytes = await completed(errors, files.bytes(file))
  stats.file(file, bytes.length)
  return bytes
}

/**
 * Returns a small file as a data URI, which doesn't count as a file of the build.
 * @param isSmall the bundler's rule for the size
 * @returns undefined for a file that isn't small
 */
export async function readSmall(
  { files, errors }: Engine,
  file: FileDescriptor,
  isSmall: (bytes: Uint8Array) => boolean,
): Promise<string | undefined> {
  const bytes = await completed(errors, files.bytes(file))
  return isSmall(bytes) ? completed(errors, files.value({ file, as: 'inline' })) : undefined
}

export function readValue({ files, errors }: Engine, value: ValueDescriptor): Promise<string> {
  return completed(errors, files.value(value))
}

/**
 * Returns the text of a declaration file for a specifier: a module that needs only `unplugin-content-space/asset`.
 * Throws the errors of `parseImport` and `Modules.source`.
 * @param names the exports to declare; undefined for all
 */
export async function declarationOf(
  { parse, modules, errors }: Engine,
  specifier: string,
  names: readonly string[] | undefined,
): Promise<string> {
  const { moduleDeclaration } = await import('../modules/declarations.js')
  return moduleDeclaration(await completed(errors, modules.describe(parse(specifier))), names)
}

/**
 * Writes the files of option `tokens`, before a build reads them.
 * @throws ContentSpaceError `frozen` if a file is out of date; any error of loading kits
 */
export function prepare({ sync, errors }: Engine): Promise<void> {
  return completed(errors, sync.prepare())
}

/**
 * Writes the lockfile and the declarations, and returns a summary of the content that the build used. Call it once per
 * finished build.
 * @param changed absolute paths of the files that may have changed since the last call, if known
 */
export async function finish({ sync, remote, stats }: Engine, changed?: ReadonlySet<string>): Promise<Summary> {
  await sync.save(changed)
  await remote.flush()
  return stats.summary()
}

function completed<T>(errors: Engine['errors'], step: Promise<T>): Promise<T> {
  return step.catch(async (error: unknown) => {
    throw await errors.complete(error)
  })
}
