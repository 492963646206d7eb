import { attempt } from '../async/attempt.js'
import { openCatalog, type Catalog } from '../catalog/catalog.js'
import { noSnapshots, openSnapshots } from '../catalog/snapshots.js'
import { createSync, type Sync } from './sync/sync.js'
import type { Host, Options, ResolvedOptions } from '../config/options.js'
import { resolveOptions } from '../config/resolve.js'
import { noDerived, type Derived } from '../disk/derived.js'
import { withOfferedCuts } from '../files/choose-cut.js'
import { createFiles, type Files } from '../files/files.js'
import { openStore, type Store } from '../files/store.js'
import { openLockSession, type LockSession } from '../lock/session.js'
import type { UpdateOptions } from '../lock/run.js'
import type { Described } from '../modules/declarations.js'
import { createModules, type Modules } from '../modules/modules.js'
import { createBuildStats, type BuildStats, type ProgressEvent } from '../progress.js'
import { noRemote, type Remote } from '../remote/remote.js'
import { parseQuery } from '../request/query.js'
import { parseKit, parseRequest, type KitReference, type Request } from '../request/request.js'
import { scanSources } from '../source/scan.js'
import { openSpace } from '../space/open.js'
import type { AssetRecord, Space } from '../space/space.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { openTokens, type Tokens } from '../tokens/load.js'
import { withTokens } from '../tokens/modules.js'
import { openProjectDerived } from './derived.js'
import { createErrorPolicy, type ErrorPolicy } from './error-policy.js'

/**
 * The parts of this package, opened for a project and connected with each other. Bundlers and the command line use them
 * directly. A command is a function of an engine and its options.
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
   * Parses a specifier of the source, or an id that `requestToId` made (generated and narrowed imports).
   * @throws ContentSpaceError `invalidId` or `invalidQuery`, with the nearest valid values
   */
  parse(this: void, specifier: string): Request
  /** Resolves a specifier of the source, and marks its version as explicitly imported. */
  describe(this: void, specifier: string): Promise<Described>
  /**
   * Runs a call that reports its progress, and forwards `wait` events to its listener in the meantime.
   * @param work receives what reports an event to the listener, and to option `onProgress`
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

/** A host whose options may be resolved already. */
export type EngineHost = Partial<Host> & { resolved?: ResolvedOptions | undefined }

/** Is told what an engine does, to show it to a person who waits. */
export interface Activity {
  /** An HTTP request is sent. */
  request?(this: void): void
  /** The headers of a response have arrived, or a request has failed. */
  response?(this: void): void
  event(this: void, event: ProgressEvent): void
}

/** Opens an engine. Other parameters and errors: those of `createImporter`. */
export async function openEngine(
  given: Options = {},
  host: EngineHost = {},
  update?: UpdateOptions,
  activity?: Activity,
): Promise<Engine> {
  const { root = process.cwd(), mode = process.env['NODE_ENV'] ?? 'production' } = host
  const options = host.resolved ?? (await resolveOptions(given, { ...host, root, mode }))
  const { frozen } = options
  const { stats, listen } = openProgress(options, activity)
  const { warn } = stats
  for (const warning of options.warnings) warn(warning)
  const remote = await openSharedCache(options, warn)
  const store = openStore(options.cacheDir, warn)
  const spaceOptions = { ...options, sharedRate: remote.rate, store }
  const space = await openSpace(spaceOptions, { ...stats, ...omitUndefined({ response: activity?.response }) })
  const { derived, verified } = update
    ? { derived: noDerived, verified: undefined }
    : await openProjectDerived(options, host, { space, store })
  const lock = await openLockSession({
    verified,
    lockfile: options.lockfile,
    spaceId: space.spaceId,
    frozen,
    hashes: host.command !== 'serve',
    // With aliases of the options replaced.
    update: update && { ...update, ...(update.kit !== undefined && { kit: parseKit(update.kit, options.kits).kit }) },
    warn,
  })
  const opened = { options, update, space, store, remote, lock, derived, stats }
  const parse = (specifier: string): Request =>
    parseRequest(specifier, { kits: options.kits, query: (text) => parseQuery(text, options) })
  const { catalog, files, modules, tokens, loadKnown } = openContent(opened, parse)
  async function describe(specifier: string): Promise<Described> {
    const request = parse(specifier)
    const described = await modules.describe(request)
    if ('named' in described && 'kit' in request && request.kit)
      lock.markExplicit(described.named.kit.uuid, request.kit.version)
    return described
  }
  const sync = createSync({ ...opened, catalog, files, tokens, parse, describe, loadKnown })
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
      // First the space: its pending downloads would continue while the remote cache is written.
      await space.close()
      await remote.close()
    },
  }
}

/** What is open before any content is read. */
type Opened = Pick<Engine, 'options' | 'update' | 'space' | 'store' | 'remote' | 'lock' | 'derived' | 'stats'>

/** Opens what reads kits, names their assets, and fetches and converts their files. */
function openContent({ options, update, space, store, remote, lock, derived, stats }: Opened, parse: Engine['parse']) {
  const { cacheDir, offline, strict, frozen } = options
  const { warn } = stats
  const snapshots = space.local ? noSnapshots : openSnapshots(store, space.key, remote)
  const assets = new Map<string, AssetRecord>()
  const catalog = openCatalog({
    space,
    lock,
    snapshots,
    configured: options.kits,
    names: options.names,
    async imported() {
      const uses = await scanSources(options.root, options.scan, derived)
      const requests = uses.flatMap(({ specifier }) => attempt(() => parse(specifier)) ?? [])
      const kits = requests.flatMap((request) => ('kit' in request && request.kit) || [])
      return [...kits, ...options.tokens.map(({ kit }) => parseKit(kit, options.kits))]
    },
    strict,
    frozen,
    offline,
    warn,
    onKit(named) {
      const { uuid, name, version, assets: records } = named.kit
      const count = Object.keys(records).length
      const has = (asset: string, hash: string | undefined): boolean =>
        Object.hasOwn(records, asset) && records[asset]?.fileHash === hash
      stats.kit({ uuid, name, version, assets: count, has })
      for (const asset of Object.values(named.kit.assets)) assets.set(asset.uuid, asset)
    },
  })
  const files = createFiles({
    cacheDir,
    space: withOfferedCuts(space, (asset) => assets.get(asset)),
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
    onFile(file, read) {
      stats.source(file, { ...read, remote: read.remote === true || remote.provided(read.integrity) })
      lock.recordDownload(file, read.integrity)
    },
  })
  const tokens = openTokens({ catalog, files, warn })
  const known = new Map<string, KitReference>()
  const content = createModules({
    catalog,
    derived,
    svg: options.svg,
    darkMode: options.darkMode,
    full: options.full,
    onUse: stats.use,
    onKnown(reference, { kit: uuid, version, assets: ofPart }, kit) {
      known.set(JSON.stringify(reference), reference)
      for (const asset of ofPart) assets.set(asset.uuid, asset)
      stats.kit({ uuid, version, ...kit })
    },
    warn,
  })
  /** Loads the kits that modules use without loading them. */
  const loadKnown = async (): Promise<void> => {
    for (const kit of known.values()) await catalog.load(kit)
  }
  return { catalog, files, modules: withTokens(content, tokens), tokens, loadKnown }
}

/** Waits for writes to the remote cache, so that a report contains their warnings. */
export async function withAllWarnings<T extends object>(
  { remote, stats }: Engine,
  report: T,
): Promise<T & { warnings: string[] }> {
  await remote.flush()
  return { ...report, warnings: stats.summary().warnings }
}

/** Opens the cache of option `remote`. Its code is loaded only if it is set. */
async function openSharedCache({ remote }: ResolvedOptions, warn: (message: string) => void): Promise<Remote> {
  if (remote === undefined) return noRemote
  const { openRemote } = await import('../remote/open-remote.js')
  return openRemote({ ...remote, warn })
}

/** Counts what a build uses. `wait` events concern all running calls, so each of them receives them. */
function openProgress(
  { onProgress, remote }: ResolvedOptions,
  activity: Activity | undefined,
): Pick<Engine, 'stats' | 'listen'> {
  const listeners = new Set<ProgressListener>()
  const stats = createBuildStats((event) => {
    onProgress(event)
    activity?.event(event)
    if (event.type === 'wait') for (const listener of listeners) listener(event)
  }, remote !== undefined)
  const request = (): void => {
    stats.request()
    activity?.request?.()
  }
  return {
    stats: { ...stats, request },
    async listen(call, work) {
      const { onProgress: listener = () => {} } = call
      listeners.add(listener)
      const report = (event: ProgressEvent): void => {
        onProgress(event)
        listener(event)
      }
      return work(report).finally(() => listeners.delete(listener))
    },
  }
}
