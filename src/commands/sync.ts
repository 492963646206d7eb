import { abortable } from '../async/abortable.js'
import { withAllWarnings, type Engine } from '../engine/engine.js'
import type { Synced } from '../engine/sync/sync.js'
import { ignoreCodes } from '../errors.js'
import { omitUndefined } from '../text/omit-undefined.js'
import type { Diff } from './diff/report.js'
import type { CallOptions } from './kits.js'

/** The result of `sync`. */
export interface SyncReport extends Synced {
  /** For an update: what has changed in the updated kits. */
  changes?: Diff
  warnings: string[]
}

/**
 * Syncs the project. For an update, loads the updated kits first and reports what has changed in them.
 * @internal
 */
export async function sync(engine: Engine, { signal }: CallOptions = {}): Promise<SyncReport> {
  return abortable(syncProject(engine, signal), signal)
}

async function syncProject(engine: Engine, signal: AbortSignal | undefined): Promise<SyncReport> {
  const { catalog, lock, update } = engine
  const references = lock.kitsToUpdate()
  // A locked kit that the source no longer imports may be missing from the space.
  await Promise.all(references.map((kit) => catalog.load(kit).catch(ignoreCodes('kitNotFound', 'versionNotFound'))))
  const kits = [...new Set(references.map(({ kit }) => kit))]
  // After the downloads, because only they show that a file was replaced of which the service lists no hash.
  const synced = await engine.sync.sync(signal)
  const changes = update && (await (await import('./diff/diff.js')).diffSinceLock(engine, kits, lock.replaced()))
  return withAllWarnings(engine, { ...synced, ...omitUndefined({ changes }) })
}
