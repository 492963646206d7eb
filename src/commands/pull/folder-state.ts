import { ContentSpaceError } from '../../errors.js'
import { compareStrings } from '../../text/compare.js'
import type { Folder } from '../../disk/folder.js'
import type { WrittenFile } from './journal.js'
import { readOwned, type Owned } from './ownership.js'

/** What is to be done with a path: nothing, write it, or leave it to the user, who has changed what we wrote there. */
export type FileStatus = 'right' | 'write' | 'kept'

/** A folder as it was found. */
export interface FolderState {
  /** Hashes by path. */
  seen: ReadonlyMap<string, string>
  owned: Owned
  /** What we wrote and is wanted no more. */
  gone: string[]
  /** @param wanted the hash or the revision of what should be there */
  judge(this: void, path: string, wanted: Partial<WrittenFile>): FileStatus
}

/**
 * Looks at what is there.
 * @param wanted every path that should be there
 * @throws ContentSpaceError `fileSystem` for files in the way that are not ours, and in the folder of a space
 */
export async function inspectFolder(
  folder: Folder,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<FolderState> {
  await refuseSpace(folder)
  const seen = new Map<string, string>()
  const blank = new Set<string>()
  for (const path of folder.live ? wanted : []) {
    signal.throwIfAborted()
    const hash = await folder.hash(path)
    if (hash !== undefined) seen.set(path, hash)
  }
  const owned = await readOwned(folder.path)
  refuseForeign(
    folder,
    [...seen.keys()].filter((path) => !owned.files.has(path)),
  )
  for (const [path, hash] of seen) {
    if (!owned.files.get(path)?.some(({ sha256 }) => sha256 === hash) && (await folder.isBlank(path))) blank.add(path)
  }
  const all = new Set(wanted)
  return {
    seen,
    owned,
    gone: [...owned.files.keys()].filter((path) => !all.has(path)),
    judge(path, { sha256, revision }) {
      const hash = seen.get(path)
      if (hash === undefined) return 'write'
      const ours = (owned.files.get(path) ?? []).filter((file) => file.sha256 === hash)
      if (hash === sha256 || (revision !== undefined && ours.some((file) => file.revision === revision))) return 'right'
      return ours.length > 0 || blank.has(path) ? 'write' : 'kept'
    },
  }
}

/** What is pulled would be more kits there. */
async function refuseSpace({ hash, path }: Folder): Promise<void> {
  for (const name of ['space.json', 'mirror.json']) {
    if ((await hash(name)) === undefined) continue
    throw new ContentSpaceError('fileSystem', `${path} holds ${name}: it is a space itself.`, {
      hint: 'Choose another --out.',
    })
  }
}

function refuseForeign({ path }: Folder, unsorted: readonly string[]): void {
  if (unsorted.length === 0) return
  const foreign = unsorted.toSorted(compareStrings)
  const more = foreign.length > 5 ? `, and ${foreign.length - 5} more` : ''
  throw new ContentSpaceError(
    'fileSystem',
    `${path} holds files that were not pulled: ${foreign.slice(0, 5).join(', ')}${more}.`,
    {
      hint: 'They are left as they are. Move them, or choose another --out.',
    },
  )
}
