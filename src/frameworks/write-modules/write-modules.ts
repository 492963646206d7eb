import { join, resolve } from 'node:path'
import type { Content } from '../../disk/content.js'
import { eachLimit } from '../../async/each-limit.js'
import { runtimeFiles } from '../../components/runtimes.js'
import { writeFolder, type FolderWriter } from '../../disk/write-folder.js'
import { projectFolder } from '../../disk/project-folder.js'
import type { Engine } from '../../engine/engine.js'
import { ContentSpaceError } from '../../errors.js'
import type { FileDescriptor } from '../../files/plan.js'
import type { Use } from '../../source/use.js'
import type { ReferenceKind } from '../../commands/pull/module-kinds.js'
import { singleErrors, withoutKit } from '../../engine/sync/resolve-imports.js'
import { errorModule, renderModule, withUse, type RenderedModule } from './render.js'
import { usedSpecifiers, type UsedSpecifier } from '../../engine/sync/used-specifiers.js'
import { moduleName } from './module-name.js'

/** Selects the modules to write. */
export interface ModulesOptions {
  /** Name of the folder in `.content-space`. The folder must not contain any other files. */
  folder: string
  /** Absolute path of the folder that contains `.content-space`. Default: the root of the project. */
  root?: string | undefined
  /** How modules refer to files. */
  module: ReferenceKind
  /**
   * Writes the name of a file instead of its address, because the address differs between machines.
   * @default false
   */
  named?: boolean | undefined
  /** The uses in the source. Default: all uses that option `scan` finds. */
  uses?: readonly Use[] | undefined
  /**
   * Keeps files that are no longer used, because a bundler that watches the folder may still read them.
   * @default false
   */
  keep?: boolean | undefined
  signal?: AbortSignal | undefined
}

/** The modules of all specifiers of the source, each with the files that it refers to. */
export interface WrittenModules {
  /** Absolute path of the folder. */
  folder: string
  /** Absolute paths of the modules by specifier, sorted. The module of an invalid specifier throws its error. */
  modules: ReadonlyMap<string, string>
  /** Errors by specifier, with the importing file and the line. */
  errors: ReadonlyMap<string, ContentSpaceError>
  /** Whether any file was written or removed. */
  changed: boolean
}

/**
 * Writes the modules of the source's specifiers as real files, for tools without virtual modules. Writes only changed
 * files. Each is written completely, and before the modules that refer to it. Several processes may write to the same
 * folder at the same time.
 * @throws ContentSpaceError for errors that concern more than one import: `offline`, `frozen`, `unauthorized`,
 *   `fileSystem`
 */
export async function writeModules(engine: Engine, order: ModulesOptions): Promise<WrittenModules> {
  const { options } = engine
  const { signal = new AbortController().signal } = order
  const used = usedSpecifiers(order.uses ?? (await scan(options)))
  const path = join(projectFolder(order.root ?? options.root), order.folder)
  const { rendered, errors } = await renderAll(used, order, engine)
  const isCommonJs = order.module === 'cjs'
  const policy = { owns: 'all', command: 'modules' } as const
  const folder = { out: path, policy, cacheDir: options.cacheDir, signal, prune: order.keep !== true }
  const { changes } = await writeFolder(folder, async (writer) => {
    await writeFiles(rendered, errors, writer, engine, signal)
    // Copy the runtimes, because the project may not be able to resolve this package.
    for (const name of new Set([...rendered.values()].flatMap(({ runtimes }) => runtimes)))
      for (const [file, text] of await runtimeFiles(name, isCommonJs)) await writer.put(`runtime/${file}`, text)
    const type = isCommonJs ? 'commonjs' : 'module'
    await writer.put('package.json', `${JSON.stringify({ private: true, type, sideEffects: false }, null, 2)}\n`)
    await eachLimit(used, options.concurrency, signal, (one) => {
      const error = errors.get(one.specifier)
      const text = error ? errorModule(one, error, order.module) : rendered.get(one.specifier)?.text
      return writer.put(moduleName(one.specifier), text ?? '')
    })
  })
  const modules = new Map(used.map(({ specifier }) => [specifier, resolve(path, moduleName(specifier))]))
  return { folder: path, modules, errors, changed: changes.written.length + changes.removed.length > 0 }
}

async function scan({ root, scan: globs }: Engine['options']): Promise<Use[]> {
  // Load the parser only to read source.
  const { scanSources } = await import('../../source/scan.js')
  return scanSources(root, globs)
}

interface Rendered extends RenderedModule {
  used: UsedSpecifier
}

/**
 * Makes all modules. We search for assets and sections without a kit in the kits of the other imports, so we make the
 * other modules first.
 */
async function renderAll(
  used: readonly UsedSpecifier[],
  order: ModulesOptions,
  engine: Engine,
): Promise<{ rendered: Map<string, Rendered>; errors: Map<string, ContentSpaceError> }> {
  const rendered = new Map<string, Rendered>()
  const errors = new Map<string, ContentSpaceError>()
  const render = async (one: UsedSpecifier): Promise<void> => {
    try {
      rendered.set(one.specifier, { ...(await renderModule(one, order, engine)), used: one })
    } catch (error) {
      errors.set(one.specifier, singleError(error))
    }
  }
  await Promise.all(used.filter(({ specifier }) => !withoutKit.test(specifier)).map(render))
  await Promise.all(used.filter(({ specifier }) => withoutKit.test(specifier)).map(render))
  return { rendered, errors }
}

/** @throws any error that concerns more than one import */
function singleError(error: unknown): ContentSpaceError {
  if (error instanceof ContentSpaceError && singleErrors.includes(error.code)) return error
  throw error
}

/** Writes the files of modules, each once. @param errors receives errors about files, by specifier */
async function writeFiles(
  rendered: ReadonlyMap<string, Rendered>,
  errors: Map<string, ContentSpaceError>,
  writer: FolderWriter,
  engine: Engine,
  signal: AbortSignal,
): Promise<void> {
  const { options, stats } = engine
  const byPath = new Map<string, { file: FileDescriptor; modules: UsedSpecifier[] }>()
  for (const { files, used } of rendered.values()) {
    for (const { path, file } of files) {
      byPath.set(path, { file, modules: [...(byPath.get(path)?.modules ?? []), used] })
    }
  }
  await eachLimit([...byPath], options.concurrency, signal, async ([path, { file, modules }]) => {
    try {
      const put = async (content: Content) => {
        await writer.put(path, content)
        return content.size
      }
      stats.file(file, await engine.files.use(file, put, { signal }))
    } catch (cause) {
      const error = await engine.errors.complete(cause)
      for (const { specifier, uses } of modules)
        errors.set(specifier, singleError(withUse(error, specifier, uses[0], engine)))
    }
  })
}
