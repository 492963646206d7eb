import type { Folder } from '../../disk/folder.js'
import { ContentSpaceError } from '../../errors.js'
import { shortList } from '../../text/short-list.js'
import type { WrittenFile } from './journal.js'
import { readOwnedFiles, type OwnedFiles } from './ownership.js'

/**
 * What a run does with a path. `current`: nothing, the file is up to date. `outdated`: write it. `modified`: keep it,
 * because the user has changed a file that `pull` wrote.
 */
export type FileStatus = 'current' | 'outdated' | 'modified'

/** The contents of a folder before a run changes it. */
export interface FolderState {
  /** `sha256-…` of each requested file that exists, by path. */
  hashes: ReadonlyMap<string, string>
  owned: OwnedFiles
  /** Paths that earlier runs wrote and this one does not. */
  obsolete: string[]
  /** @param expected the hash or the revision of the file that should be there */
  compare(this: void, path: string, expected: Partial<WrittenFile>): FileStatus
}

/**
 * Reads what is in a folder.
 * @param requested every path that the run would write
 * @throws ContentSpaceError `fileSystem` if the run would overwrite files that `pull` did not write, and for the folder
 *   of a space
 */
export async function inspectFolder(
  folder: Folder,
  requested: readonly string[],
  signal: AbortSignal,
): Promise<FolderState> {
  await refuseSpace(folder)
  const hashes = new Map<string, string>()
  for (const path of folder.live ? requested : []) {
    signal.throwIfAborted()
    const hash = await folder.hash(path)
    if (hash !== undefined) hashes.set(path, hash)
  }
  const owned = await readOwnedFiles(folder.path)
  refuseForeign(
    folder,
    [...hashes.keys()].filter((path) => !owned.files.has(path)),
  )
  const writtenHere = (path: string, hash: string) =>
    (owned.files.get(path) ?? []).filter((file) => file.sha256 === hash)
  const blank = new Set<string>()
  for (const [path, hash] of hashes) {
    if (writtenHere(path, hash).length === 0 && (await folder.isBlank(path))) blank.add(path)
  }
  const all = new Set(requested)
  return {
    hashes,
    owned,
    obsolete: [...owned.files.keys()].filter((path) => !all.has(path)),
    compare(path, { sha256, revision }) {
      const hash = hashes.get(path)
      if (hash === undefined) return 'outdated'
      const written = writtenHere(path, hash)
      const hasRevision = revision !== undefined && written.some((file) => file.revision === revision)
      if (hash === sha256 || hasRevision) return 'current'
      return written.length > 0 || blank.has(path) ? 'outdated' : 'modified'
    },
  }
}

/** Refuses the folder of a space: the folders of sections would become kits of the space. */
async function refuseSpace({ hash, path }: Folder): Promise<void> {
  for (const name of ['space.json', 'mirror.json']) {
    if ((await hash(name)) === undefined) continue
    throw new ContentSpaceError('fileSystem', `${path} contains ${name}, so it is a space itself.`, {
      hint: 'Choose another --out.',
    })
  }
}

function refuseForeign({ path }: Folder, foreign: readonly string[]): void {
  if (foreign.length === 0) return
  throw new ContentSpaceError(
    'fileSystem',
    `${path} contains files that pull would overwrite but did not write: ${shortList(foreign)}.`,
    { hint: 'Nothing was changed. Move these files, or choose another --out.' },
  )
}
