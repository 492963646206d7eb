import { ignoreCodes } from '../errors.js'
import type { KitBrowser } from '../commands/browse/browser.js'
import type { BrowserContext, BrowserOrder } from '../commands/browse/context.js'
import type { SiteOrder, SiteReport } from '../commands/browse/site.js'
import type { RemoteCacheContext } from '../commands/cache/remote.js'
import type { Differ } from '../commands/diff/diff.js'
import type { MirrorReport, MirrorOrder } from '../commands/mirror/mirror.js'
import type { SyncReport } from '../commands/sync/sync.js'
import type { ModulesOrder, WrittenModules } from '../commands/write-modules/write-modules.js'
import { openPool } from '../files/convert/pool.js'
import { openOriginals } from '../files/originals.js'
import type { PullOptions } from '../commands/pull/options.js'
import type { PullReport } from '../commands/pull/pull.js'
import type { TokensOptions, TokensReport } from '../commands/tokens/tokens.js'
import { omitUndefined } from '../text/omit-undefined.js'
import type { Engine } from './engine.js'

// The code of `pull`, `mirror` and `diff` is loaded on first use, because builds do not need it.

/** Writes kits into a folder. */
export async function pullKits(engine: Engine, options: PullOptions): Promise<PullReport> {
  const { pull } = await import('../commands/pull/pull.js')
  return withAllWarnings(engine, await engine.listen(options, () => pull(options, engine)))
}

/** Writes kits as an embedded space. */
export async function mirrorKits(engine: Engine, request: MirrorOrder): Promise<MirrorReport> {
  const { options, space, store, lock, stats } = engine
  const { offline, strict } = options
  const { warn } = stats
  const { mirror } = await import('../commands/mirror/mirror.js')
  const warnings = () => stats.summary().warnings
  const pool = openPool()
  // A mirror contains several versions of an asset, but the lockfile contains the hashes of only one.
  const unlocked = { space, offline, strict, frozen: false, warn, locked: () => undefined }
  const sources = openOriginals(store, unlocked, pool)
  return engine
    .listen(request, () => mirror(request, { options, space, lock, sources, warn, warnings }))
    .finally(() => pool.close())
}

/** Writes a file with the colors and fonts of a kit. */
export async function writeKitTokens(engine: Engine, request: TokensOptions): Promise<TokensReport> {
  const { options, tokens, lock, files, stats, errors } = engine
  const { writeTokens } = await import('../commands/tokens/tokens.js')
  return writeTokens(request, { options, tokens, lock, files, stats, errors, warn: stats.warn })
}

/** Loads the code that compares kits. */
export async function openDiffer({ options, space, catalog, lock, parse }: Engine): Promise<Differ> {
  const { createDiff } = await import('../commands/diff/diff.js')
  return createDiff({ options, space, catalog, lock, read: parse })
}

/** Opens the kit browser. */
export async function openKitBrowser(engine: Engine, order: BrowserOrder): Promise<KitBrowser> {
  const { openBrowser } = await import('../commands/browse/browser.js')
  const browser = openBrowser(browserContext(engine), order)
  engine.closers.add(browser.close)
  return browser
}

/** Writes the kit browser as a static site. */
export async function writeKitSite(engine: Engine, order: SiteOrder): Promise<SiteReport> {
  const { writeSite } = await import('../commands/browse/site.js')
  return engine.listen(order, () => writeSite(order, browserContext(engine)))
}

function browserContext(engine: Engine): BrowserContext {
  const { options, space, store, lock, catalog, parse, describe } = engine
  return { options, space, store, lock, catalog, parse, resolve: describe, differ: () => openDiffer(engine) }
}

/** Writes the modules of the source as files. */
export async function writeSourceModules(engine: Engine, order: ModulesOrder): Promise<WrittenModules> {
  const { options, parse, modules, files, stats, errors } = engine
  const { complete } = errors
  const { writeModules } = await import('../commands/write-modules/write-modules.js')
  return writeModules(order, {
    options,
    files,
    stats,
    complete,
    parse,
    async source(request, references) {
      try {
        const source = await modules.source(request, references)
        await errors.checkFrozen()
        return source
      } catch (error) {
        throw await complete(error)
      }
    },
    value: (value) => files.value(value),
  })
}

/** Syncs the project. For an update, loads the updated kits first and reports what has changed in them. */
export async function syncProject(engine: Engine, signal: AbortSignal | undefined): Promise<SyncReport> {
  const { catalog, lock, sync, update } = engine
  const references = lock.kitsToUpdate()
  // A locked kit that the source no longer imports may be missing from the space.
  await Promise.all(references.map((kit) => catalog.load(kit).catch(ignoreCodes('kitNotFound', 'versionNotFound'))))
  const kits = [...new Set(references.map(({ kit }) => kit))]
  // After the downloads, because only they show that a file was replaced of which the service lists no hash.
  const report = await sync.sync(signal)
  const changes = update && (await (await openDiffer(engine)).sinceLock(kits, lock.replaced()))
  return withAllWarnings(engine, { ...report, ...omitUndefined({ changes }) })
}

/** Waits for writes to the remote cache, so that a report contains their warnings. */
async function withAllWarnings<T extends { warnings: string[] }>({ remote, stats }: Engine, report: T): Promise<T> {
  await remote.flush()
  return { ...report, warnings: stats.summary().warnings }
}

/** Loads the code that moves entries between the local and the remote cache. */
export async function runRemoteCache<T>(
  engine: Engine,
  run: (commands: typeof import('../commands/cache/remote.js'), context: RemoteCacheContext) => Promise<T>,
): Promise<T> {
  return run(await import('../commands/cache/remote.js'), engine)
}
