import type { ResolvedOptions } from '../../config/options.js'
import type { CurrentFolder } from '../../disk/write-folder.js'
import type { Store } from '../../files/store.js'
import type { NamedKit } from '../../kit/named-kit.js'
import type { LockSession } from '../../lock/session.js'
import { frameworkOf } from '../../request/frameworks.js'
import type { PullOptions } from './options.js'
import { inputsOf, recordKey, type PulledFolder, type PulledRecord } from './pulled-record.js'
import { valuesOf, type FolderContents } from './write-kit.js'

/** The parts of an importer that a record is made from. */
export interface RecordContext {
  options: ResolvedOptions
  lock: Pick<LockSession, 'digest'>
  store: Pick<Store, 'put'>
}

/** A folder that is up to date, and what it contains. */
export interface PulledContents extends CurrentFolder {
  contents: FolderContents
  /** The kit with all assets. */
  loaded: NamedKit
  /** Absolute path. */
  folder: string
}

/**
 * Remembers folders that are up to date, so that the same command can see that they still are without loading kits.
 * Drafts, folders of spaces, and projects without a lockfile are not remembered, because their content may change at
 * any time. Neither are folders that also depend on the source, on `package.json` or on files of the cache.
 */
export async function rememberPull(
  request: PullOptions,
  current: readonly PulledContents[],
  context: RecordContext,
): Promise<void> {
  const { options, lock, store } = context
  const key = recordKey(options, request)
  if (key === undefined || request.onlyUsed || !current.every(({ contents }) => isPlain(contents))) return
  const folders = current.map(folderOf)
  const digest = await lock.digest()
  if (digest === undefined) return
  const record: PulledRecord = { inputs: await inputsOf(options, request), lock: digest, folders }
  await store.put(key, Buffer.from(JSON.stringify(record)))
}

/** Whether a folder is made from the listing of a published version alone. */
function isPlain({ named, query, placed }: FolderContents): boolean {
  return named.kit.version !== 0 && frameworkOf(query.as) === undefined && valuesOf(placed).length === 0
}

function folderOf({ contents: { placed }, loaded, folder, paths, stamps, hashes }: PulledContents): PulledFolder {
  const { uuid, name, version, assets } = loaded.kit
  return {
    kit: uuid,
    name,
    version,
    assets: Object.keys(assets).length,
    folder,
    files: placed.reduce((sum, { files }) => sum + files.size, 0),
    paths: [...paths],
    stamps: stamps.digest,
    recent: stamps.recent.map((path) => [path, hashes.get(path) ?? '']),
  }
}
