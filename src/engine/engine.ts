import { openCatalog, type Catalog } from '../catalog/catalog.js'
import { noSnapshots, openSnapshots } from '../catalog/snapshots.js'
import { createSync, type Sync } from './sync/sync.js'
import type { Host, Options, ResolvedOptions } from '../config/options.js'
import { resolveOptions } from '../config/resolve.js'
import { noDerived, type Derived } from '../disk/derived.js'
import { withOfferedCuts } from '../files/choose-cut.js'
import { createFiles, type Files } from '../files/files.js'
import { openStore, type Store } from '../files/store.js'
import type { UpdateOptions } from '../lock/recorder.js'
import { openLockSession, type LockSession } from '../lock/session.js'
import type { Described } from '../modules/declarations.js'
import { createModules, type Modules } from '../modules/modules.js'
import type { Answered, From, Names } from '../modules/parts.js'
import { createBuildStats, type BuildCounts, type BuildStats, type ProgressEvent } from '../progress.js'
import { noRemote, type Remote } from '../remote/remote.js'
import { parseQuery } from '../request/query.js'
import { parseKit, parseRequest, type Request } from '../request/request.js'
import { openSpace } from '../space/open.js'
import { identifyFile } from '../space/revision.js'
import { spaceOf, type AssetRecord, type Space } from '../space/space.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { openTokens, type Tokens } from '../tokens/load.js'
import { withTokens } from '../tokens/modules.js'
import { openProjectDerived } from './derived.js'
import { createErrorPolicy, type ErrorPolicy } from './error-policy.js'

/**
 * The parts of this package, opened for a project and connected with each other. Bundlers and the command line use them
 * directly. A command is a function that takes an engine and options.
 */
export interface Engine {
  options: ResolvedOptions
  /** The update that the lockfile was opened for. */
  update: UpdateOptions | undefined
  space: Space
  store: Store
  remote: Remote
  lock: LockSession
  catalog: Catalog
  files: Files
  derived: Derived
  modules: Modules
  tokens: Tokens
  sync: Sync
  stats: BuildStats
  errors: ErrorPolicy
  /**
   * Parses a specifier of the source, or an id from `requestToId` (generated and narrowed imports).
   * @throws ContentSpaceError `invalidId` or `invalidQuery`, with the nearest valid values
   */
  parse(this: void, specifier: string): Request
  /** Resolves a specifier of the source. @param names and `from`: as in `Modules.describe` */
  describe(this: void, specifier: string, names?: Names, from?: From): Promise<Described>
  /**
   * Runs a call that reports its progress. While it runs, forwards `wait` events to the call's listener.
   * @param work receives a function that reports an event to the listener and to option `onProgress`
   */
  listen<T>(
    this: void,
    call: { onProgress?: ProgressListener | undefined },
    work: (report: ProgressListener) => Promise<T>,
  ): Promise<T>
  /** Called by `close`. */
  closers: Set<() => void>
  close(this: void): Promise<void>
}

type ProgressListener = (event: ProgressEvent) => void

/** A host whose options may already be resolved. `counts` also receives the counts of other engines. */
export type EngineHost = Partial<Host> & { resolved?: ResolvedOptions | undefined; counts?: BuildCounts | undefined }

/** Receives events about the work of an engine, to inform a waiting user. */
export interface Activity {
  /** Called when an HTTP request is sent. */
  request?(this: void): void
  /** Called when the headers of a response have arrived, or a request has failed. */
  response?(this: void): void
  event(this: void, event: ProgressEvent): void
}

/** Opens an engine. Other parameters and errors are as in `createImporter`. */
export async function openEngine(
  given: Options = {},
  host: EngineHost = {},
  update?: UpdateOptions,
  activity?: Activity,
): Promise<Engine> {
  const { root = process.cwd(), mode = process.env['NODE_ENV'] ?? 'production' } = host
  const options = host.resolved ?? (await resolveOptions(given, { ...host, root, mode }))
  const { frozen } = options
  const { stats, listen } = openProgress(options, host.counts, activity)
  const { warn } = stats
  for (const warning of options.warnings) warn(warning)
  const remote = await openSharedCache(options, warn)
  const store = openStore(options.cacheDir, warn)
  const spaceOptions = { ...options, sharedRate: remote.rate, store }
  const space = await openSpace(spaceOptions, { ...stats, ...omitUndefined({ response: activity?.response }) })
  const lock = await openLockSession({
    lockfile: options.lockfile,
    spaceId: space.spaceId,
    sources: options.sources,
    frozen,
    hashes: host.command !== 'serve',
    // Resolve the alias of a kit.
    update: update && { ...update, ...(update.kit !== undefined && { kit: parseKit(update.kit, options.kits).kit }) },
    warn,
  })
  const derived = update ? noDerived : await openProjectDerived(options, host, { space, store, lock })
  const isServed = host.command === 'serve'
  const opened = { options, isServed, update, space, store, remote, lock, derived, stats }
  const parse = (specifier: string): Request =>
    parseRequest(specifier, { kits: options.kits, query: (text) => parseQuery(text, options) })
  const { catalog, files, modules, tokens } = openContent(opened)
  const describe: Engine['describe'] = (specifier, names, from) => modules.describe(parse(specifier), names, from)
  const sync = createSync({ ...opened, catalog, files, tokens, parse, describe })
  const errors = createErrorPolicy(frozen, lock, sync)
  const closers: Engine['closers'] = new Set()
  return {
    ...opened,
    catalog,
    files,
    modules,
    tokens,
    sync,
    errors,
    parse,
    describe,
    listen,
    closers,
    async close() {
      for (const close of closers) close()
      files.close()
      // Close the space first. Otherwise, its pending downloads would continue while the remote cache is written.
      await space.close()
      await remote.close()
    },
  }
}

/** The parts that are opened before any content is read. */
type Opened = Pick<Engine, 'options' | 'update' | 'space' | 'store' | 'remote' | 'lock' | 'derived' | 'stats'> & {
  /** Whether a dev server opens the engine. */
  isServed: boolean
}

/** Opens the parts that read kits, name their assets, and fetch and convert their files. */
function openContent({ options, isServed, update, space, store, remote, lock, derived, stats }: Opened) {
  const { cacheDir, offline, strict, frozen } = options
  const { warn } = stats
  const keyOf = (kit: string): string | undefined => {
    const { local, key } = spaceOf(space, kit)
    return local ? undefined : key
  }
  const snapshots = space.local ? noSnapshots : openSnapshots(store, keyOf)
  /** The assets of each version, as it was last listed and as the lockfile has it. */
  const loaded = new Map<string, Readonly<Record<string, AssetRecord>>>()
  const catalog = openCatalog({
    space,
    lock,
    snapshots,
    configured: options.kits,
    names: options.names,
    strict,
    frozen,
    offline,
    warn,
    onKit(named) {
      const { uuid, name, version, counts, assets: records } = named.kit
      const count = Math.max(counts.assets, Object.keys(records).length)
      const has = (asset: string, hash: string | undefined): boolean => {
        const record = Object.hasOwn(records, asset) ? records[asset] : undefined
        return record !== undefined && identifyFile(record).hash === hash
      }
      stats.kit({ uuid, name, version, assets: count, has })
      loaded.set(`${uuid} ${version} ${named.isPartial}`, records)
    },
  })
  const files = createFiles({
    cacheDir,
    space: withOfferedCuts(space, (asset) => {
      const owner = [...loaded.values()].findLast((records) => Object.hasOwn(records, asset))
      return owner?.[asset]
    }),
    offline,
    strict,
    frozen,
    warn,
    locked: lock.locked,
    remote,
    kitOf: lock.kitOf,
    isUpdating(asset) {
      const owner = update && lock.findOwner(asset)
      return owner !== undefined && lock.isUpdating(owner.kit)
    },
    derived,
    isQuick: isServed,
    onConversion: stats.conversion,
    onFile(file, read) {
      stats.source(file, { ...read, remote: read.remote === true || remote.provided(read.integrity) })
      lock.recordDownload(file, read.integrity)
    },
  })
  const onUse = ({ reference, answer: { named, use }, assets: shown }: Answered): void => {
    const sources = [...shown].map((asset) => ({ uuid: asset.uuid, fileHash: identifyFile(asset).hash }))
    stats.use({ kit: named.kit.uuid, version: named.kit.version }, sources)
    lock.record(named, reference.version, use, 'build')
  }
  const tokens = openTokens({ catalog, files, warn, onUse })
  const { svg, darkMode, full } = options
  const content = createModules({ catalog, svg, darkMode, full, onUse, warn })
  return { catalog, files, modules: withTokens(content, tokens), tokens }
}

/** Waits for writes to the remote cache, so that a report contains their warnings. */
export async function withAllWarnings<T extends object>(
  { remote, stats }: Engine,
  report: T,
): Promise<T & { warnings: string[] }> {
  await remote.flush()
  return { ...report, warnings: stats.summary().warnings }
}

/** Opens the cache of option `remote`. Loads the code only if the option is set. */
async function openSharedCache({ remote }: ResolvedOptions, warn: (message: string) => void): Promise<Remote> {
  if (remote === undefined) return noRemote
  const { openRemote } = await import('../remote/open-remote.js')
  return openRemote({ ...remote, warn })
}

/** Counts the content that a build uses. `wait` events concern all running calls, so every call receives them. */
function openProgress(
  { onProgress, remote }: ResolvedOptions,
  counts: BuildCounts | undefined,
  activity: Activity | undefined,
): Pick<Engine, 'stats' | 'listen'> {
  const listeners = new Set<ProgressListener>()
  const report = (event: ProgressEvent): void => {
    onProgress(event)
    activity?.event(event)
    if (event.type === 'wait') for (const listener of listeners) listener(event)
  }
  const stats = createBuildStats(report, remote !== undefined, counts)
  const request = (): void => {
    stats.request()
    activity?.request?.()
  }
  return {
    stats: { ...stats, request },
    async listen(call, work) {
      const { onProgress: listener = () => {} } = call
      listeners.add(listener)
      const tell = (event: ProgressEvent): void => {
        onProgress(event)
        listener(event)
      }
      return work(tell).finally(() => listeners.delete(listener))
    },
  }
}
