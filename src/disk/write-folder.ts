import { access, constants } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { succeeds } from '../async/attempt.js'
import { compareStrings } from '../text/compare.js'
import { omitUndefined } from '../text/omit-undefined.js'
import {
  findRuns,
  isEmpty,
  realFolder,
  removeFolder,
  runPath,
  withStagedFolder,
  type StagedFolder,
} from './atomic-folder.js'
import { contentOf, type Content } from './content.js'
import type { PathOption } from './file-error.js'
import { withFolderLock } from './folder-lock.js'
import { openFolder } from './folder.js'
import {
  checkListed,
  inspectFolder,
  manifestOf,
  runPrefix,
  type FolderPolicy,
  type WrittenFile,
} from './folder-policy.js'
import { keepAlive } from './process.js'
import { stampFiles, type Stamps } from './stamps.js'
import { statsOf } from './stats.js'

export interface FolderOrder {
  /** Absolute path. */
  out: string
  option?: PathOption
  policy: FolderPolicy
  /** The folder that contains the lock. */
  cacheDir: string
  signal: AbortSignal
  /**
   * Removes files that the command owns but the run doesn't write.
   * @default true
   */
  prune?: boolean
  dryRun?: boolean
}

/**
 * What to do with a path. `current`: leave it, because the file is up to date. `outdated`: write it. `modified`: keep
 * it, because the user has changed it.
 */
export type FileStatus = 'current' | 'outdated' | 'modified'

/** The files of a run. They become visible only after the work on the folder has ended. */
export type FolderWriter = Awaited<ReturnType<typeof openRun>>['writer']

/** The changes of a run. Paths are relative to the folder and sorted. */
export interface FolderChanges {
  written: string[]
  removed: string[]
  /** Files that were kept because the user has changed them. */
  kept: string[]
}

/** The files of a folder that is up to date. */
export interface CurrentFolder {
  /** The files of the policy, including the manifest. */
  paths: readonly string[]
  /** Taken before the files were hashed, or in a folder that wasn't visible to other programs. */
  stamps: Stamps
  /** `sha256-…` by path. */
  hashes: ReadonlyMap<string, string>
}

export interface WrittenFolder<T> {
  result: T
  changes: FolderChanges
  /** For policy `unchanged`, if the folder already matches the run. */
  current?: CurrentFolder
}

/**
 * Writes a folder. A missing folder, or a folder that belongs entirely to the command, is filled elsewhere and then
 * renamed. In any other folder, files are written to a folder of the run inside it, and moved into place when all are
 * complete: first the files in subfolders, then the files that refer to them, and the manifest last. The manifest is in
 * the folder of the run before the first file is moved, so the next run knows what an interrupted run has written. If
 * the folder can't be locked, several processes may write to it at once.
 * @param work repeated if another program creates the folder in the meantime
 * @throws ContentSpaceError `fileSystem`, including for files that the command doesn't own; any error of the work
 */
export async function writeFolder<T>(
  order: FolderOrder,
  work: (writer: FolderWriter) => Promise<T>,
): Promise<WrittenFolder<T>> {
  const { out, option, policy, cacheDir, signal } = order
  const target = await realFolder(out, option)
  if (order.dryRun) return updateFolder(target, order, work)
  return withFolderLock(target, cacheDir, signal, async () => {
    const isWhole = policy.owns === 'listed'
    if (isWhole) await checkListed(out, target, policy)
    else if (!(await isEmpty(target, option)) || (await isFixed(target))) return updateFolder(target, order, work)
    const staging = async ({ path, appear, replace }: StagedFolder) => {
      const run = await openRun(target, path, false, order)
      const written = await run.end(await work(run.writer))
      if (!isWhole) return (await appear()) ? written : undefined
      if (written.changes.written.length > 0) await replace()
      return written
    }
    const written = await withStagedFolder(target, policy.command, staging, option)
    return written ?? updateFolder(target, order, work)
  })
}

/** Checks whether a folder's parent isn't writable for this user, so that a rename can't replace the folder. */
async function isFixed(target: string): Promise<boolean> {
  return statsOf(target) !== undefined && !(await succeeds(access(dirname(target), constants.W_OK)))
}

async function updateFolder<T>(
  target: string,
  order: FolderOrder,
  work: (writer: FolderWriter) => Promise<T>,
): Promise<WrittenFolder<T>> {
  const { policy, signal, dryRun } = order
  // Put the folder of the run inside the target, because a rename works only within one file system.
  const prefix = join(target, runPrefix(policy))
  const path = runPath(prefix)
  const heartbeat = keepAlive(path)
  let isInterrupted = false
  try {
    const run = await openRun(target, path, true, order)
    const written = await run.end(await work(run.writer))
    if (dryRun) return written
    signal.throwIfAborted()
    isInterrupted = true
    await run.place(written.changes)
    isInterrupted = false
    const { abandoned } = await findRuns(prefix)
    await Promise.all(abandoned.map(removeFolder))
    return written
  } finally {
    heartbeat.stop()
    if (!isInterrupted) await removeFolder(path)
  }
}

/** @param inPlace whether the target has files that other programs may see and change */
async function openRun(target: string, path: string, inPlace: boolean, order: FolderOrder) {
  const { out, option, policy, signal, prune = true, dryRun = false } = order
  const manifest = policy.owns === 'all' ? '' : policy.manifest
  const paths = policy.owns === 'unchanged' ? [...policy.paths, manifest] : []
  const before = inPlace ? stampFiles(target, paths) : undefined
  const folder = openFolder(target, option)
  const stage = openFolder(path, option, out)
  const { hashes, earlier, isOwned, others, ...owned } = await inspectFolder(folder, policy, !inPlace, signal)
  /** All files that the command owns after the run. */
  const files = new Map<string, WrittenFile>()
  const compared = new Set<string>()
  const staged: string[] = []
  const kept = new Set<string>()

  /** Compares a file of the run with the file in the folder, by hash or revision. */
  async function compare(file: string, { sha256, revision }: Partial<WrittenFile>): Promise<FileStatus> {
    compared.add(file)
    // A missing target doesn't have files to compare with.
    const hash = inPlace && policy.owns !== 'listed' ? (hashes.get(file) ?? (await folder.hash(file))) : undefined
    const isMade = (own: WrittenFile) => own.sha256 === hash && revision !== undefined && own.revision === revision
    if (hash !== undefined && (hash === sha256 || earlier(file).some(isMade))) {
      files.set(file, omitUndefined({ sha256: hash, revision }))
      return 'current'
    }
    if (hash === undefined || (await isOwned(file, hash))) {
      if (dryRun) staged.push(file)
      return 'outdated'
    }
    kept.add(file)
    keepListed(file)
    return 'modified'
  }

  function keepListed(file: string): void {
    const last = earlier(file).at(-1)
    if (last) files.set(file, last)
  }

  async function write(file: string, content: Content, flush: boolean, revision?: string): Promise<void> {
    await stage.write(file, content, flush || inPlace || policy.owns === 'listed')
    files.set(file, omitUndefined({ sha256: content.integrity, revision }))
    staged.push(file)
  }

  async function findObsolete(): Promise<string[]> {
    const obsolete: string[] = []
    for (const file of owned.paths.filter((one) => !compared.has(one)).toSorted(compareStrings)) {
      const hash = prune ? await folder.hash(file) : undefined
      if (!prune) keepListed(file)
      else if (hash !== undefined && (await isOwned(file, hash))) obsolete.push(file)
      else if (hash !== undefined) kept.add(file)
    }
    return obsolete
  }

  async function findWritten(): Promise<string[]> {
    if (policy.owns !== 'listed') return staged
    const differing: string[] = []
    for (const file of staged) if ((await folder.hash(file)) !== files.get(file)?.sha256) differing.push(file)
    return differing
  }

  const writer = {
    compare,
    others,
    /** Writes a file if it is outdated. @param file relative to the folder, with forward slashes */
    async put(this: void, file: string, data: string | Uint8Array | Content, revision?: string): Promise<void> {
      const content = typeof data === 'string' || data instanceof Uint8Array ? contentOf(data) : data
      // Several modules may need the same file.
      if (compared.has(file) && files.get(file)?.sha256 === content.integrity) return
      const status = await compare(file, { sha256: content.integrity, revision })
      if (status === 'outdated' && !dryRun) await write(file, content, false, revision)
    },
  }

  return {
    writer,
    /** Writes the manifest, and returns the changes that moving the files into place will make. */
    async end<T>(result: T): Promise<WrittenFolder<T>> {
      const removed = await findObsolete()
      const content = dryRun ? undefined : manifestOf(policy, files)
      if (content && (await folder.hash(manifest)) === content.integrity && policy.owns !== 'listed')
        files.set(manifest, { sha256: content.integrity })
      else if (content) await write(manifest, content, true)
      const written = (await findWritten()).toSorted(compareStrings)
      const changes = { written, removed, kept: [...kept].toSorted(compareStrings) }
      const isSame = staged.length === 0 && removed.length === 0
      const stamps = inPlace ? (isSame ? before : undefined) : stampFiles(path, paths)
      if (paths.length === 0 || stamps === undefined || kept.size > 0) return { result, changes }
      const own = new Map([...files].map(([file, { sha256 }]) => [file, sha256]))
      return { result, changes, current: { paths, stamps, hashes: own } }
    },
    async place({ removed }: FolderChanges): Promise<void> {
      const moved = staged.filter((file) => file !== manifest)
      // Moves files in subfolders first, because other files refer to them.
      for (const file of moved.toSorted((a, b) => Number(b.includes('/')) - Number(a.includes('/'))))
        await folder.move(join(path, file), file)
      for (const file of removed) await folder.remove(file)
      if (staged.includes(manifest)) await folder.move(join(path, manifest), manifest)
    },
  }
}
