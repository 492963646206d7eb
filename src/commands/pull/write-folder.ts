import { abortable } from '../../async/abortable.js'
import { eachLimit } from '../../async/each-limit.js'
import { integrityOf } from '../../disk/content.js'
import type { Folder } from '../../disk/folder.js'
import type { Files } from '../../files/files.js'
import type { FileDescriptor, ValueDescriptor } from '../../files/plan.js'
import { contentOf } from '../../files/store.js'
import type { Collection, NamedKit } from '../../kit/named-kit.js'
import type { Query } from '../../request/query.js'
import { compareStrings } from '../../text/compare.js'
import type { ModuleKind } from '../module-kinds.js'
import { inspectFolder, type FileStatus, type FolderState } from './folder-state.js'
import type { PlacedAsset, PlacedFile } from './layout.js'
import { manifestBytes } from './manifest.js'
import { manifestName } from './ownership.js'
import { modulePaths, moduleTexts } from './render.js'
import { stampFiles, type Stamps } from './stamps.js'
import { makeValues, missingValues, valuesOf } from './values.js'
import { openWriter, type Writer } from './writer.js'

/** What a folder should contain. */
export interface FolderContents {
  named: NamedKit
  /** What the index exports. */
  collection: Collection
  placed: readonly PlacedAsset[]
  query: Query
  module: ModuleKind
  /** The files that components need, by path. */
  runtime: ReadonlyMap<string, string>
}

/** How a folder is written. */
export interface WriteContext {
  files: Pick<Files, 'has' | 'use' | 'value'>
  /** Number of files in progress at once. */
  concurrency: number
  /** Whether files of earlier runs that are no longer part of the kit are removed. */
  prune: boolean
  /** Reports what would change, and changes nothing. */
  dryRun: boolean
  signal: AbortSignal
  /** Called once with the files to write. Returns a function that is called for each of them when it is written. */
  reportPlan: (files: readonly FileDescriptor[], reused: number) => Promise<(file: FileDescriptor) => void>
  /** Called with a folder whose files have just been written or hashed, and are as requested. */
  onCurrent?: ((folder: CurrentFolder) => void) | undefined
}

/** The files of a folder that is up to date. */
export interface CurrentFolder {
  /** The requested files and the manifest. */
  paths: readonly string[]
  /** From before the files were hashed, or from a staging folder, which other programs do not change. */
  stamps: Stamps
  /** `sha256-…` by path. */
  hashes: ReadonlyMap<string, string>
}

/** What happened to a folder. Paths are relative to the folder and sorted. */
export interface FolderReport {
  /** Number of files of assets. Modules do not count. */
  files: number
  /** Number of files of assets that were up to date. */
  reused: number
  written: string[]
  removed: string[]
  /** Files that the user has changed since they were pulled. They are kept. */
  kept: string[]
}

type Changes = Pick<FolderReport, 'written' | 'removed' | 'kept'>

type AssetFile = PlacedFile & { status: FileStatus }

/** The current contents of a folder, its new contents, and how to write them. */
interface Task {
  folder: Folder
  contents: FolderContents
  context: WriteContext
  state: FolderState
  files: readonly AssetFile[]
  /** The requested files and the manifest. */
  paths: readonly string[]
  /** From before the files were hashed. Undefined if one of them is missing. */
  stamps: Stamps | undefined
  /** Values whose source is not in the cache. */
  missing: ReadonlySet<ValueDescriptor>
  reportFile: (file: FileDescriptor) => void
}

/** Writes a folder: files of assets first, then modules, and index and manifest last. */
export async function writeFolder(
  folder: Folder,
  contents: FolderContents,
  context: WriteContext,
): Promise<FolderReport> {
  const placed = contents.placed.flatMap((asset) => [...asset.files.values()])
  const requested = [...placed.map(({ path }) => path), ...modulePaths(contents)]
  const paths = [...requested, manifestName]
  const stamps = folder.live && context.onCurrent ? stampFiles(folder.path, paths) : undefined
  const state = await inspectFolder(folder, requested, context.signal)
  const files = placed.map((file) => ({ ...file, status: state.compare(file.path, { revision: file.revision }) }))
  const missing = await missingValues(valuesOf(contents.placed), context)
  const reused = withStatus('current', files).length
  const todo = [...withStatus('outdated', files), ...missing].map(({ file }) => file)
  const reportFile = await context.reportPlan(todo, reused)
  const task = { folder, contents, context, state, files, paths, stamps, missing, reportFile }
  return { files: files.length, reused, ...(await (context.dryRun ? preview(task) : write(task))) }
}

function withStatus<T extends { status: FileStatus }>(status: FileStatus, files: readonly T[]): T[] {
  return files.filter((file) => file.status === status)
}

function pathsOf(status: FileStatus, files: readonly { path: string; status: FileStatus }[]): string[] {
  return withStatus(status, files).map(({ path }) => path)
}

function sorted(written: readonly string[], removed: string[], kept: readonly string[]): Changes {
  return { written: written.toSorted(compareStrings), removed, kept: kept.toSorted(compareStrings) }
}

async function write(task: Task): Promise<Changes> {
  const { folder, contents, context, state, files, missing, reportFile } = task
  const { named, placed } = contents
  const writer = openWriter(folder, state.owned)
  try {
    for (const { path, revision } of withStatus('current', files))
      writer.written.set(path, { sha256: state.hashes.get(path) ?? '', revision })
    await writeFiles(task, writer)
    const values = await makeValues(valuesOf(placed), context, (value) => {
      if (missing.has(value)) reportFile(value.file)
    })
    const texts = moduleTexts(placed, { ...contents, value: async (value) => values.get(value) ?? '' })
    const modified = [...pathsOf('modified', files), ...(await writeModules(texts, task, writer))]
    const obsolete = await removeObsolete(task, (path) => folder.remove(path))
    for (const path of [...modified, ...obsolete.unpruned]) writer.keep(path)
    const manifest = contentOf(manifestBytes(named, placed, writer.written))
    const { integrity: sha256 } = manifest
    if ((await folder.hash(manifestName)) === sha256) writer.written.set(manifestName, { sha256 })
    else await writer.put(manifestName, manifest)
    await writer.finish()
    const changes = sorted(writer.paths, obsolete.removed, [...modified, ...obsolete.modified])
    noteCurrent(task, changes, writer)
    return changes
  } finally {
    await writer.close()
  }
}

/** Passes a folder on that is new, or in which nothing was changed since its stamps were read. */
function noteCurrent({ folder, paths, stamps: before, context }: Task, changes: Changes, { written }: Writer): void {
  if (!context.onCurrent || changes.kept.length > 0) return
  const isSame = changes.written.length === 0 && changes.removed.length === 0
  const stamps = folder.live ? (isSame ? before : undefined) : stampFiles(folder.path, paths)
  const hashes = new Map([...written].map(([path, { sha256 }]) => [path, sha256]))
  if (stamps) context.onCurrent({ paths, stamps, hashes })
}

/** Returns what `write` would change. Modules that contain values are left out: the values would have to be made. */
async function preview(task: Task): Promise<Changes> {
  const { contents, state, files } = task
  const all: { path: string; status: FileStatus }[] = [...files]
  if (valuesOf(contents.placed).length === 0) {
    const texts = moduleTexts(contents.placed, { ...contents, value: async () => '' })
    for await (const [path, text] of texts)
      all.push({ path, status: state.compare(path, { sha256: integrityOf(text) }) })
  }
  const obsolete = await removeObsolete(task, async () => {})
  return sorted(pathsOf('outdated', all), obsolete.removed, [...pathsOf('modified', all), ...obsolete.modified])
}

/** Starts more files than requests may run at once, so that downloads continue while files are written. */
async function writeFiles({ files, context, reportFile }: Task, writer: Writer): Promise<void> {
  const { concurrency, signal } = context
  await eachLimit(withStatus('outdated', files), 3 * concurrency, signal, async ({ path, file, revision }, stop) => {
    // On abort, the function does not wait for running downloads, but for files that are being written.
    let writing: Promise<void> | undefined
    const reading = context.files.use(
      file,
      (content) => {
        stop.throwIfAborted()
        return (writing = writer.put(path, content, revision))
      },
      { signal: stop },
    )
    await abortable(reading, stop).catch(async (error: unknown) => {
      await writing?.catch(() => {})
      throw error
    })
    reportFile(file)
  })
}

/** Writes the modules that are not up to date. @returns the paths of those that the user has changed */
async function writeModules(
  texts: AsyncIterable<[path: string, text: string]>,
  { folder, context, state }: Task,
  writer: Writer,
): Promise<string[]> {
  const modified: string[] = []
  const outdated: { path: string; text: string }[] = []
  for await (const [path, text] of texts) {
    // A staging folder is new, and its files are not flushed.
    if (!folder.live) {
      await writer.put(path, text)
      continue
    }
    const sha256 = integrityOf(text)
    const status = state.compare(path, { sha256 })
    if (status === 'current') writer.written.set(path, { sha256 })
    else if (status === 'modified') modified.push(path)
    else outdated.push({ path, text })
  }
  // In a live folder each file is flushed, so several are written at a time. The index is written after the modules
  // that it imports.
  const parallel = outdated.filter(({ path }) => path.includes('/'))
  await eachLimit(parallel, context.concurrency, context.signal, async ({ path, text }) => writer.put(path, text))
  for (const { path, text } of outdated.slice(parallel.length)) await writer.put(path, text)
  return modified
}

/**
 * Removes files that are no longer part of the kit. Files that the user has changed are kept, and are no longer listed
 * in the manifest.
 */
async function removeObsolete(
  { folder, state: { owned, obsolete }, context }: Task,
  remove: (path: string) => Promise<void>,
): Promise<{ removed: string[]; modified: string[]; unpruned: readonly string[] }> {
  if (!context.prune) return { removed: [], modified: [], unpruned: obsolete }
  const [removed, modified]: [string[], string[]] = [[], []]
  for (const path of obsolete.toSorted(compareStrings)) {
    const hash = await folder.hash(path)
    if (hash === undefined) continue
    const isOwned =
      owned.files.get(path)?.some(({ sha256 }) => sha256 === hash) === true || (await folder.isBlank(path))
    if (isOwned) await remove(path)
    ;(isOwned ? removed : modified).push(path)
  }
  return { removed, modified, unpruned: [] }
}
