import { abortable } from './async/abortable.js'
import type { KitSummary, KnownKit } from './asset.js'
import { ContentSpaceError, unless } from './errors.js'
import type { DiffRequest } from './commands/diff/diff.js'
import type { Diff } from './commands/diff/report.js'
import { withOfferedCuts } from './files/choose-cut.js'
import { createFiles } from './files/files.js'
import { openPool } from './files/convert/pool.js'
import { openOriginals } from './files/originals.js'
import { openStore } from './files/store.js'
import type { FileDescriptor, ValueDescriptor } from './files/plan.js'
import { openCatalog } from './catalog/catalog.js'
import { openLockSession, type UpdateRequest } from './lock/session.js'
import { noSnapshots, openSnapshots } from './catalog/snapshots.js'
import type { MirrorRequest, MirrorReport } from './commands/mirror/mirror.js'
import { createModules } from './modules/modules.js'
import type { References } from './modules/references.js'
import { memoize } from './async/memoize.js'
import type { Host, Options, ResolvedOptions } from './config/options.js'
import { resolveOptions } from './config/resolve.js'
import type { ProgressEvent } from './progress.js'
import type { PullOptions } from './commands/pull/options.js'
import type { PullReport } from './commands/pull/pull.js'
import { parseQuery } from './request/query.js'
import { parseKit, parseRequest, requestToId, type Request } from './request/request.js'
import { openSpace } from './space/open.js'
import type { AssetRecord, KitVersion } from './space/space.js'
import { createBuildStats, type Summary } from './progress.js'
import { createSync, type SyncReport } from './commands/sync/sync.js'

export type { Host } from './config/options.js'
export type { UpdateRequest } from './lock/session.js'
export type { Diff, DiffEntry, DiffSide } from './commands/diff/report.js'
export type { DiffRequest } from './commands/diff/diff.js'
export type { Summary } from './progress.js'
export type { SyncReport } from './commands/sync/sync.js'
export type { PullOptions } from './commands/pull/options.js'
export type { PulledKit, PullReport } from './commands/pull/pull.js'

/** How what is asked is called off. */
interface Call {
  signal?: AbortSignal | undefined
}

/**
 * The composition: request, kit, files, module. One importer serves a whole build, all its environments and outputs.
 */
export interface Importer {
  readonly options: ResolvedOptions
  /**
   * Every kit of the space.
   * @throws ContentSpaceError what the space throws; `aborted`, as all that takes a signal
   */
  kits(call?: Call): Promise<KitSummary[]>
  /**
   * A kit with all that is known without any file, in display order.
   * @param id what stands behind `content-space:kit/`: an alias, uuid or slug, and `@<version>`
   * @throws ContentSpaceError `invalidId`, `kitNotFound`, `versionNotFound`, `aborted`
   */
  kit(id: string, call?: Call): Promise<KnownKit>
  /** The versions of a kit, the draft among them, as the space lists them. Takes and throws what `kit` does. */
  versions(id: string, call?: Call): Promise<KitVersion[]>
  /**
   * Reads an id as the user wrote it, or one that `requestToId` made (generated and narrowed imports).
   * @throws ContentSpaceError `invalidId` or `invalidQuery`, naming the importer and the nearest right thing
   */
  parse(specifier: string, importer?: string): Request
  /**
   * The ES source of the module of a request. Fetches the kit when it is needed first, never a file
   * (but for values that must be literals, where `references` says so).
   */
  module(request: Request, references: References, importer?: string): Promise<string>
  /**
   * The bytes of a file, verified: downloaded, cut and converted, or from the cache; made once however often it is
   * asked.
   */
  file(file: FileDescriptor): Promise<Uint8Array>
  value(value: ValueDescriptor): Promise<string>
  /**
   * Looks again at what it has loaded: drafts at the service, the rest at the lock, which another process may have
   * changed.
   * @returns whether a module would come out differently now
   * @throws ContentSpaceError `unreachable` and its like; what was loaded stays
   */
  refresh(): Promise<boolean>
  /**
   * Fetches what the source imports, and writes the lock and the declarations, without any bundler.
   * @throws ContentSpaceError `frozen`, `offline` naming everything that is missing, `aborted`, and what the space
   *   throws
   */
  sync(call?: Call): Promise<SyncReport>
  /**
   * Writes kits into a folder: files by section, a module beside each, an index, and `manifest.json`. Obeys the lock,
   * and writes it.
   * @throws ContentSpaceError what `kit` throws and downloads throw; `invalidOption`, `sectionNotFound`,
   *   `headingNotFound`, `assetNotFound`,
   * `ambiguousName`, `fileCutUnavailable`; `fileSystem`, also for files in the way that were not pulled; `aborted`
   */
  pull(options: PullOptions): Promise<PullReport>
  /**
   * Compares the lock, the declarations and the cache with the source and the space. Writes neither lock nor
   * declarations; a file that the source uses and the cache does not have is fetched, to be compared.
   * @returns every difference, sorted; none when a build would change nothing
   */
  verify(): Promise<string[]>
  /**
   * What has become of a kit's assets: between two versions, or since the lock, which is what an update would change.
   * Writes neither lock nor declarations, and asks for no file unless pictures are wanted. What the space has now is
   * asked once for all comparisons of an importer; `refresh` looks again.
   * @param request default: every kit of the lock, as it is locked and as it is now
   * @returns assets that are added, removed, renamed, and whose file has changed, with the lines that would break
   * @throws ContentSpaceError `kitNotFound`, also for a kit without `from` that the lock does not have;
   *   `versionNotFound`, `invalidId`, `invalidOption`, `aborted`, and what the space throws
   */
  diff(request?: DiffRequest): Promise<Diff>
  /**
   * Writes kits as an embedded space, a folder that builds give the same output from, without a service or a token.
   * @throws ContentSpaceError `kitNotFound`, `versionNotFound`; `invalidOption`, also for a folder that holds other
   *   things; what the space throws
   */
  mirror(order: MirrorRequest): Promise<MirrorReport>
  /** Writes what a build has learned, and reports what it used. Called once per finished build. */
  finish(): Promise<Summary>
  /** Ends it. What is still being asked for fails with `aborted`: a service that is silent is not waited for. */
  close(): Promise<void>
}

/**
 * Opens an importer. Options are completed from the configuration file and the environment of the host.
 * @param host default: the working directory, and `NODE_ENV` or `production` as the mode
 * @param renew what of the lock is not to be believed, as `content-space update` wants it
 * @throws ContentSpaceError `invalidOption`, `invalidLock`
 */
export async function createImporter(
  given: Options = {},
  host: Partial<Host> = {},
  renew?: UpdateRequest,
): Promise<Importer> {
  const { root = process.cwd(), mode = process.env['NODE_ENV'] ?? 'production' } = host
  const options = await resolveOptions(given, { ...host, root, mode })
  const { offline, strict, cacheDir, full } = options
  /** Those of calls under way. What such a call does it tells itself; that requests are held back concerns them all. */
  const listeners = new Set<(event: ProgressEvent) => void>()
  const stats = createBuildStats((event) => {
    options.onProgress(event)
    if (event.type === 'wait') for (const tell of listeners) tell(event)
  })
  const { warn } = stats
  const space = await openSpace(options, stats)

  /** @param call not checked yet, so it may be anything */
  async function listening<T>(call: Pick<PullOptions, 'onProgress'>, work: () => Promise<T>): Promise<T> {
    const { onProgress = () => {} } = { ...call }
    listeners.add(onProgress)
    return work().finally(() => listeners.delete(onProgress))
  }

  const store = openStore(cacheDir, warn)
  const memory = await openLockSession({
    lockfile: options.lockfile,
    spaceId: space.spaceId,
    frozen: options.frozen,
    hashes: host.command !== 'serve',
    renew: renew && { ...renew, ...(renew.kit === undefined ? {} : { kit: parseKit(renew.kit, options.kits).kit }) },
  })
  const records = new Map<string, AssetRecord>()
  const catalog = openCatalog({
    space,
    memory,
    snapshots: space.local ? noSnapshots : openSnapshots(store, space.key, offline),
    configured: [...options.kits.values()],
    strict,
    warn,
    onKit(named) {
      stats.kit(named.kit)
      for (const asset of Object.values(named.kit.assets)) records.set(asset.uuid, asset)
    },
  })
  const files = createFiles({
    cacheDir,
    space: withOfferedCuts(space, (asset) => records.get(asset)),
    offline,
    strict,
    frozen: options.frozen,
    warn,
    locked: memory.locked,
    onFile(file, read) {
      stats.source(file, read)
      memory.downloaded(file, read.integrity)
    },
  })
  const modules = createModules(catalog, options.svg)
  const specifiers = new Map<string, string>()

  const read = (specifier: string) =>
    parseRequest(specifier, {
      kits: options.kits,
      query: (text) => parseQuery(text, { full, presets: options.presets }),
    })
  const describe = async (specifier: string) => {
    const request = read(specifier)
    const described = await modules.describe(request)
    if ('named' in described && 'kit' in request && request.kit)
      memory.markExplicit(described.named.kit.uuid, request.kit.version)
    return described
  }
  const context = { options, space, warn, warnings: () => stats.summary().warnings }
  const source = createSync({ ...context, memory, describe, fetch: (file) => files.ensure(file) })

  // What a build does not need is loaded when it is asked for.
  const differ = async () =>
    (await import('./commands/diff/diff.js')).createDiff({ options, space, catalog, memory, read })

  // What is missing offline, or differs from a frozen lock, is said at once, all of it, whatever the bundler asks for
  // first.
  const missing = memoize(() =>
    source.refuseMissing().then(
      () => undefined,
      (everything: unknown) => everything,
    ),
  )
  const refusals = memoize(() => source.refusal())
  /** @returns undefined when the lock is not frozen, or is true */
  const drifted = async () =>
    options.frozen && memory.drift().length > 0 ? refusals.get(memory.drift().join('\n')) : undefined
  const checkFrozen = async () => {
    const refusal = await drifted()
    if (refusal) throw refusal
  }
  async function sayAll(error: unknown): Promise<unknown> {
    if (!(error instanceof ContentSpaceError)) return error
    return (error.code === 'offline' ? await missing.get('') : await drifted()) ?? error
  }

  async function versionsOf(id: string): Promise<KitVersion[]> {
    const { uuid } = await catalog.outline(parseKit(id, options.kits))
    const { versions = [] } = await space.kit(uuid, 'versions')
    return versions
  }

  async function sync(signal?: AbortSignal): Promise<SyncReport> {
    // what the lock has and nothing imports any more may be gone from the space: nobody is told
    const renewed = memory.kitsToUpdate()
    await Promise.all(renewed.map((kit) => catalog.load(kit).catch(unless('kitNotFound', 'versionNotFound'))))
    const changes = renew && (await (await differ()).sinceLock([...new Set(renewed.map(({ kit }) => kit))]))
    return { ...(await source.sync(signal)), ...(changes === undefined ? {} : { changes }) }
  }

  return {
    options,
    kits: async ({ signal } = {}) => abortable(modules.kits(), signal),
    kit: async (id, { signal } = {}) => abortable(modules.kit(parseKit(id, options.kits)), signal),
    versions: async (id, { signal } = {}) => abortable(versionsOf(id), signal),
    parse(specifier, importer) {
      try {
        const request = read(specifier)
        const id = whole(request)
        if (!specifiers.has(id)) specifiers.set(id, specifier)
        return request
      } catch (error) {
        throw importedAs(error, specifier, importer)
      }
    },
    async module(request, references, importer) {
      try {
        const code = await modules.source(request, references)
        const refusal = await drifted()
        if (refusal) throw refusal
        return code
      } catch (error) {
        throw importedAs(await sayAll(error), specifiers.get(whole(request)), importer)
      }
    },
    async file(file) {
      const bytes = await files.bytes(file).catch(async (error) => Promise.reject(await sayAll(error)))
      stats.file(file)
      return bytes
    },
    value: (value) => files.value(value).catch(async (error) => Promise.reject(await sayAll(error))),
    sync: async ({ signal } = {}) => abortable(sync(signal), signal),
    async pull(wanted) {
      const { pull } = await import('./commands/pull/pull.js')
      return listening(wanted, () =>
        pull(wanted, { options, catalog, lock: memory, files, stats, errors: { checkFrozen }, describe }),
      )
    },
    verify: source.verify,
    diff: async (request = {}) => abortable((await differ()).diff(request), request.signal),
    async mirror(order) {
      const { mirror } = await import('./commands/mirror/mirror.js')
      // What the lock has of an asset is of one version, and a mirror is of several.
      const pool = openPool()
      const sources = openOriginals(
        store,
        { ...context, offline, strict, frozen: false, locked: () => undefined },
        pool,
      )
      return listening(order, () => mirror(order, { ...context, memory, sources })).finally(() => pool.close())
    },
    refresh: () => catalog.refresh(),
    async finish() {
      await source.save()
      return stats.summary()
    },
    async close() {
      files.close()
      await space.close()
    },
  }
}

/** The id of a request before narrowing: what the user wrote has no `pick`. */
function whole(request: Request): string {
  if (!('pick' in request)) return requestToId(request)
  const { pick: _, ...rest } = request
  return requestToId(rest)
}

/** A service that cannot be reached is nobody's import. */
function importedAs(error: unknown, specifier: string | undefined, importer: string | undefined): unknown {
  if (!(error instanceof ContentSpaceError) || error.code === 'unreachable') return error
  return error.with({
    ...(specifier === undefined ? {} : { import: specifier }),
    ...(importer === undefined ? {} : { importer }),
  })
}
