import { abortable } from '../../async/abortable.js'
import type { WorkTree } from '../../disk/work-tree.js'
import { withAllWarnings, type Engine } from '../../engine/engine.js'
import type { Synced, SyncOptions } from '../../engine/sync/sync.js'
import { ignoreCodes } from '../../errors.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import type { Diff } from './changes/report.js'
import type { Renamed } from './rename-imports.js'

/** The result of `sync`. */
export interface SyncReport extends Synced {
  /** For an update: what has changed in the updated kits. */
  changes?: Diff
  /** For an update with `rename`: the lines of the source with former names, if any. */
  renamed?: Renamed
  warnings: string[]
}

/**
 * Syncs the project. For an update, first loads the updated kits and reports what has changed in them.
 * @internal
 */
export async function sync(engine: Engine, options: SyncOptions = {}): Promise<SyncReport> {
  return abortable(syncProject(engine, options), options.signal)
}

async function syncProject(engine: Engine, options: SyncOptions): Promise<SyncReport> {
  const { catalog, lock, update } = engine
  // Open the tree before the lockfile is written, because writing it changes the tree.
  const tree = update?.write ? await openTree(engine, update.force) : undefined
  const references = lock.kitsToUpdate()
  const kits = [...new Set(references.map(({ kit }) => kit))]
  const before = await lastListings(engine, kits)
  // A locked kit that the source no longer imports may be missing from the space.
  for (const reference of references) {
    const named = await catalog.load(reference).catch(ignoreCodes('kitNotFound', 'versionNotFound'))
    // Also look in the new version for content that only builds and pulled folders use.
    if (named) lock.record(named, reference.version, { assets: [] }, 'build')
  }
  const renamed = update?.rename ? await renameLines(engine, tree) : undefined
  // Runs after the downloads, because only they reveal a replaced file if the service doesn't list its hash.
  const synced = await engine.sync.sync(options)
  const changes = update && (await (await import('./changes/diff.js')).diffSinceLock(before, kits, lock.replaced()))
  return withAllWarnings(engine, { ...synced, ...omitUndefined({ changes, renamed }) })
}

/** Returns an engine that keeps the current listings of kits, because loading a kit replaces them. */
async function lastListings(engine: Engine, kits: readonly string[]): Promise<Engine> {
  const { catalog, lock } = engine
  const read = kits.flatMap((kit) => {
    const locked = Object.keys(lock.lockedKit(kit)?.versions ?? {}).map(Number)
    return [...new Set([0, ...locked])].map(
      async (version) => [`${kit} ${version}`, await catalog.lastLoaded(kit, version)] as const,
    )
  })
  const known = new Map(await Promise.all(read))
  const lastLoaded: typeof catalog.lastLoaded = async (kit, version) => known.get(`${kit} ${version}`)
  return { ...engine, catalog: { ...catalog, lastLoaded } }
}

async function openTree({ options }: Engine, force = false): Promise<WorkTree> {
  const { openWorkTree } = await import('../../disk/work-tree.js')
  return openWorkTree(options.root, 'update --rename --write', force)
}

async function renameLines(engine: Engine, tree: WorkTree | undefined): Promise<Renamed | undefined> {
  const { renameInSource } = await import('./rename-imports.js')
  const renamed = await renameInSource(engine, tree)
  return renamed.lines.length + renamed.left.length === 0 ? undefined : renamed
}
