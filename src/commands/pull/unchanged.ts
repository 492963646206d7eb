import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ResolvedOptions } from '../../config/options.js'
import { hashFile } from '../../disk/content.js'
import { filesBeside, runPrefix } from '../../disk/folder-policy.js'
import { stampFiles } from '../../disk/stamps.js'
import { statsOf } from '../../disk/stats.js'
import type { PullOptions } from './options.js'
import type { PullReport } from './run.js'
import { findFolders, spaceNames, type PulledFolder } from './pulled-folders.js'

/**
 * Returns the report of a run that wouldn't change anything, without loading kits or reading files, because all inputs
 * of the folders and all their files are unchanged. Returns undefined if anything is different or unknown. Doesn't
 * throw errors, because the full run that follows reports them.
 */
export async function reportUnchanged(options: ResolvedOptions, request: PullOptions): Promise<PullReport | undefined> {
  const known = await findFolders(options, request).catch(() => undefined)
  if (!known) return undefined
  for (const folder of known) if (!(await isUnchanged(folder).catch(() => false))) return undefined
  const { onProgress = () => {} } = request
  for (const { name: kit, version, assets } of known) options.onProgress({ type: 'kit', kit, version, assets })
  for (const { name: kit, version, files: reused } of known) {
    const plan = { type: 'plan', kit, version, files: 0, bytes: 0, downloads: 0, reused } as const
    options.onProgress(plan)
    onProgress(plan)
  }
  const kits = known.map(({ kit, name, version, folder, files }) => {
    return { kit, name, version, folder, files, reused: files, written: [], removed: [], kept: [] }
  })
  return { kits, dryRun: false, downloads: 0, bytes: 0, locked: false, warnings: [] }
}

/** Returns whether no file of a folder has changed, and no other run is in progress or was interrupted there. */
async function isUnchanged({ folder, paths, stamps, recent }: PulledFolder): Promise<boolean> {
  if (readdirSync(folder).some((name) => name.startsWith(runPrefix({ command: 'pull' })) || spaceNames.includes(name)))
    return false
  if ((await filesBeside(folder, paths)).length > 0) return false
  if (stampFiles(folder, paths)?.digest !== stamps) return false
  for (const [path, sha256] of recent) {
    const file = join(folder, path)
    if ((await hashFile(file, statsOf(file)?.size)) !== sha256) return false
  }
  return true
}
