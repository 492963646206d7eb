import { abortable } from './async/abortable.js'
import type { Host, Options } from './config/options.js'
import type { Importer } from './importer/api.js'
import type { BuildImporter } from './importer/build-importer.js'
import {
  mirrorKits,
  openDiffer,
  openKitBrowser,
  pullKits,
  runRemoteCache,
  syncProject,
  writeKitSite,
  writeKitTokens,
  writeSourceModules,
} from './importer/commands.js'
import { openEngine, type Activity, type Engine, type EngineHost } from './importer/engine.js'
import { createParsedImports } from './importer/error-policy.js'
import type { UpdateRequest } from './lock/session.js'
import { parseKit, type Request } from './request/request.js'
import { withImportSite } from './source/import-site.js'
import type { KitVersion } from './space/space.js'

export type { CallOptions, Importer } from './importer/api.js'
export type { Activity } from './importer/engine.js'
export type { BuildImporter } from './importer/build-importer.js'
export type { Host } from './config/options.js'
export type { Diff } from './commands/diff/report.js'
export type { DiffRequest } from './commands/diff/diff.js'
export type { PulledKit, PullReport } from './commands/pull/pull.js'
export type { PullOptions } from './commands/pull/options.js'
export type { Summary } from './progress.js'
export type { SyncReport } from './commands/sync/sync.js'
export type { TokensReport } from './commands/tokens/tokens.js'
export type { UpdateRequest } from './lock/session.js'

/** Opens an importer, as `createImporter` in `index.ts` describes. */
export async function createImporter(
  options: Options = {},
  host: Partial<Host> = {},
  update?: UpdateRequest,
): Promise<Importer> {
  return importerOf(await openEngine(options, host, update))
}

/**
 * Opens an importer for a bundler plugin or the command line. Other parameters and errors: those of `createImporter`.
 * @param activity is told what the importer does
 */
export async function createBuildImporter(
  options: Options = {},
  host: EngineHost = {},
  update?: UpdateRequest,
  activity?: Activity,
): Promise<BuildImporter> {
  const engine = await openEngine(options, host, update, activity)
  return { ...importerOf(engine), ...buildMethods(engine) }
}

function importerOf(engine: Engine): Importer {
  const { options, space, catalog, files, modules, sync, remote, closers } = engine
  return {
    kits: async ({ signal } = {}) => abortable(modules.kits(), signal),
    kit: async (id, { signal } = {}) => abortable(modules.kit(parseKit(id, options.kits)), signal),
    versions: async (id, { signal } = {}) => abortable(versionsOf(id, engine), signal),
    async refresh() {
      const { changed, error } = await catalog.refresh()
      if (error !== undefined) throw error
      return changed
    },
    sync: async ({ signal } = {}) => abortable(syncProject(engine, signal), signal),
    verify: sync.verify,
    pull: (request) => pullKits(engine, request),
    diff: async (request = {}) => abortable((await openDiffer(engine)).diff(request), request.signal),
    mirror: (request) => mirrorKits(engine, request),
    tokens: (request) => writeKitTokens(engine, request),
    async close() {
      for (const close of closers) close()
      files.close()
      // First the space: its pending downloads would continue while the remote cache is written.
      await space.close()
      await remote.close()
    },
  }
}

function buildMethods(engine: Engine): Omit<BuildImporter, keyof Importer> {
  const { options, files, modules, sync, stats, errors, remote } = engine
  const parsed = createParsedImports()
  const completed = async (error: unknown): Promise<never> => Promise.reject(await errors.complete(error))
  function parse(specifier: string, importer?: string): Request {
    try {
      const request = engine.parse(specifier)
      parsed.add(specifier, request)
      return request
    } catch (error) {
      throw withImportSite(error, { specifier, importer })
    }
  }
  /** Runs a step. Its errors name the specifier and the importing file. */
  async function resolve<T>(request: Request, importer: string | undefined, step: () => Promise<T>): Promise<T> {
    try {
      const result = await step()
      await errors.checkFrozen()
      return result
    } catch (error) {
      const specifier = parsed.specifierOf(request)
      throw withImportSite(await errors.complete(error), { specifier, importer })
    }
  }
  return {
    options,
    label: engine.space.label,
    derived: engine.derived,
    parse,
    unsortedKit: (id) => modules.kit(parseKit(id, options.kits), false),
    check: () => engine.catalog.refresh(),
    module: (request, references, importer) => resolve(request, importer, () => modules.source(request, references)),
    async plan(specifier, importer) {
      const request = parse(specifier, importer)
      if (request.kind !== 'asset') return undefined
      return resolve(request, importer, () => modules.address(request))
    },
    async declaration(specifier, names) {
      const { moduleDeclaration } = await import('./modules/declarations.js')
      return moduleDeclaration(await modules.describe(engine.parse(specifier)).catch(completed), names)
    },
    async file(file) {
      const bytes = await files.bytes(file).catch(completed)
      stats.file(file)
      return bytes
    },
    value: async (value) => files.value(value).catch(completed),
    browser: (order) => openKitBrowser(engine, order),
    site: (order) => writeKitSite(engine, order),
    writeModules: (order) => writeSourceModules(engine, order),
    remoteCache: (run) => runRemoteCache(engine, run),
    prepare: async () => sync.prepare().catch(completed),
    async finish() {
      await sync.save()
      await remote.flush()
      return stats.summary()
    },
  }
}

async function versionsOf(id: string, { options, catalog, space }: Engine): Promise<KitVersion[]> {
  const { uuid } = await catalog.outline(parseKit(id, options.kits))
  const { versions = [] } = await space.kit(uuid, 'versions')
  return versions
}
