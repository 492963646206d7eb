import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ResolvedOptions } from '../../config/options.js'
import { hashFile, integrityOf } from '../../disk/content.js'
import { runPrefix } from '../../disk/folder-policy.js'
import { readText } from '../../disk/replace-file.js'
import { stampFiles } from '../../disk/stamps.js'
import { statsOf } from '../../disk/stats.js'
import { openStore } from '../../files/store.js'
import type { PullOptions } from './options.js'
import type { PullReport } from './pull.js'
import { inputsOf, parseRecord, recordKey, spaceNames, type PulledFolder, type PulledRecord } from './pulled-record.js'

/**
 * Returns the report of a run that would change nothing, without loading kits and without reading the files: everything
 * that the folders were made from is as it was, and so is each file. Undefined if anything is different, or is not
 * known. Errors are not thrown: the full run that follows meets and reports them.
 */
export async function reportUnchanged(options: ResolvedOptions, request: PullOptions): Promise<PullReport | undefined> {
  const record = await findRecord(options, request).catch(() => undefined)
  if (!record) return undefined
  const { folders } = record
  for (const folder of folders) if (!(await isUnchanged(folder).catch(() => false))) return undefined
  const { onProgress = () => {} } = request
  for (const { name: kit, version, assets } of folders) options.onProgress({ type: 'kit', kit, version, assets })
  for (const { name: kit, version, files: reused } of folders) {
    const plan = { type: 'plan', kit, version, files: 0, bytes: 0, downloads: 0, reused } as const
    options.onProgress(plan)
    onProgress(plan)
  }
  const kits = folders.map(({ kit, name, version, folder, files }) => {
    return { kit, name, version, folder, files, reused: files, written: [], removed: [], kept: [] }
  })
  return { kits, dryRun: false, downloads: 0, bytes: 0, locked: false, warnings: [] }
}

/** Reads the record of the last run, if everything that it was made from is the same. */
async function findRecord(options: ResolvedOptions, request: PullOptions): Promise<PulledRecord | undefined> {
  const key = recordKey(options, request)
  if (key === undefined || options.lockfile === false || request.signal?.aborted) return undefined
  // A failure to use the cache is reported by the run that follows.
  const store = openStore(options.cacheDir, () => {})
  const kept = await store.peek(key)
  const record = kept && parseRecord(kept.bytes)
  if (record?.inputs !== (await inputsOf(options, request))) return undefined
  const lock = await readText(options.lockfile)
  return lock !== undefined && integrityOf(lock) === record.lock ? record : undefined
}

/** Whether no file of a folder has changed, and no other run works or was interrupted there. */
async function isUnchanged({ folder, paths, stamps, recent }: PulledFolder): Promise<boolean> {
  if (readdirSync(folder).some((name) => name.startsWith(runPrefix({ command: 'pull' })) || spaceNames.includes(name)))
    return false
  if (stampFiles(folder, paths)?.digest !== stamps) return false
  for (const [path, sha256] of recent) {
    const file = join(folder, path)
    if ((await hashFile(file, statsOf(file)?.size)) !== sha256) return false
  }
  return true
}
