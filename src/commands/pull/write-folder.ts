import { abortable } from '../../async/abortable.js'
import { integrityOf } from '../../disk/content.js'
import type { Files } from '../../files/files.js'
import type { FileDescriptor, ValueDescriptor } from '../../files/plan.js'
import type { NamedKit } from '../../kit/named-kit.js'
import { compareStrings } from '../../text/compare.js'
import type { Query } from '../../request/query.js'
import { manifestName, type Folder } from '../../disk/folder.js'
import type { PlacedAsset, PlacedFile } from './layout.js'
import { manifestText } from './manifest.js'
import { inspectFolder, type FolderState, type FileStatus } from './folder-state.js'
import { modulePaths, moduleTexts, type ModuleKind } from './render.js'
import { eachLimit } from '../../async/each-limit.js'
import { openWriter, type Writer } from './writer.js'

/** What a folder should hold. */
export interface Target {
  named: NamedKit
  placed: readonly PlacedAsset[]
  query: Query
  module: ModuleKind
}

/** How it is brought there. */
export interface Work {
  files: Files
  /** Files under way at once. */
  concurrency: number
  /** Whether files of earlier runs that the kit no longer has are removed. */
  prune: boolean
  /** Tells what would be done, and does none of it. */
  dryRun: boolean
  signal: AbortSignal
  /** Told once of what is to be done. */
  onPlan: (todo: readonly FileDescriptor[], reused: number) => Promise<void>
  onFile: (file: FileDescriptor) => void
}

/** Paths are relative to the folder and sorted. */
export interface Outcome {
  /** Files of assets; modules do not count. */
  files: number
  /** Those that were there already and are right. */
  reused: number
  written: string[]
  removed: string[]
  /** Files of ours that were changed since, and are left as they are. */
  kept: string[]
}

type Judged = PlacedFile & { verdict: FileStatus }

/** A folder as it was found, and what is to be done there. */
interface Task {
  folder: Folder
  target: Target
  work: Work
  found: FolderState
  files: readonly Judged[]
  /** Values whose bytes are not in the cache. */
  values: ReadonlySet<ValueDescriptor>
}

/** Brings a folder to what it should hold: files first, what refers to them next, then index and manifest. */
export async function writeFolder(folder: Folder, target: Target, work: Work): Promise<Outcome> {
  const placed = target.placed.flatMap((asset) => [...asset.files.values()])
  const found = await inspectFolder(
    folder,
    [...placed.map(({ path }) => path), ...modulePaths(target.placed)],
    work.signal,
  )
  const files = placed.map((file) => ({ ...file, verdict: found.judge(file.path, { revision: file.revision }) }))
  const values = await missingValues(target, work)
  const reused = only('right', files).length
  await work.onPlan(
    [...only('write', files), ...values].map(({ file }) => file),
    reused,
  )
  const task = { folder, target, work, found, files, values }
  return { files: files.length, reused, ...(await (work.dryRun ? wouldDo(task) : write(task))) }
}

function only<T extends { verdict: FileStatus }>(wanted: FileStatus, judged: readonly T[]): T[] {
  return judged.filter(({ verdict }) => verdict === wanted)
}

type Changes = Pick<Outcome, 'written' | 'removed' | 'kept'>

function changes(written: readonly string[], removed: string[], kept: readonly string[]): Changes {
  return { written: written.toSorted(compareStrings), removed, kept: kept.toSorted(compareStrings) }
}

async function write(task: Task): Promise<Changes> {
  const { folder, target, found, files } = task
  const writer = openWriter(folder, found.owned)
  try {
    for (const { path, revision } of only('right', files))
      writer.written.set(path, { sha256: found.seen.get(path) ?? '', revision })
    await writeFiles(task, writer)
    const texts = judgeTexts(await moduleTexts(target.placed, { ...target, value: await readValues(task) }), found)
    await writeTexts(texts, task, writer)
    const kept = [...only('kept', files), ...only('kept', texts)].map(({ path }) => path)
    const gone = await clear(task, (path) => folder.remove(path))
    for (const path of [...kept, ...gone.left]) writer.leave(path)
    const manifest = manifestText(target.named, target.placed, writer.written)
    if ((await folder.hash(manifestName)) !== integrityOf(manifest)) await writer.put(manifestName, manifest)
    await writer.done()
    return changes(writer.paths, gone.removed, [...kept, ...gone.kept])
  } finally {
    await writer.close()
  }
}

/** Modules that hold values cannot be told without making them. */
async function wouldDo(task: Task): Promise<Changes> {
  const { target, found, files } = task
  const texts =
    valuesOf(target).length > 0
      ? new Map<string, string>()
      : await moduleTexts(target.placed, { ...target, value: async () => '' })
  const all = [...files, ...judgeTexts(texts, found)]
  const paths = (verdict: FileStatus) => only(verdict, all).map(({ path }) => path)
  const gone = await clear(task, async () => {})
  return changes(paths('write'), gone.removed, [...paths('kept'), ...gone.kept])
}

/** More at a time than requests: while some are written and others on their way, the next are let go. */
async function writeFiles({ files, work }: Task, writer: Writer): Promise<void> {
  await eachLimit(only('write', files), 3 * work.concurrency, work.signal, async ({ path, file, revision }, stop) => {
    // A download is left alone when the run is called off; what is being written is waited for.
    let writing: Promise<void> | undefined
    const reading = work.files.use(
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
    work.onFile(file)
  })
}

function valuesOf({ placed }: Target): ValueDescriptor[] {
  return placed.flatMap(({ plan: { value, placeholder } }) => [value, placeholder].flatMap((wanted) => wanted ?? []))
}

async function missingValues(target: Target, { files, concurrency, signal }: Work): Promise<Set<ValueDescriptor>> {
  const missing = new Set<ValueDescriptor>()
  await eachLimit(valuesOf(target), concurrency, signal, async (value) => {
    if (!(await files.has(value.file))) missing.add(value)
  })
  return missing
}

/** Makes all values side by side, for modules are made one after the other. */
async function readValues({ target, values, work }: Task): Promise<(value: ValueDescriptor) => Promise<string>> {
  const made = new Map<ValueDescriptor, string>()
  await eachLimit(valuesOf(target), work.concurrency, work.signal, async (value, stop) => {
    made.set(value, await abortable(work.files.value(value, { signal: stop }), stop))
    if (values.has(value)) work.onFile(value.file)
  })
  return async (value) => made.get(value) ?? ''
}

interface JudgedText {
  path: string
  text: string
  sha256: string
  verdict: FileStatus
}

function judgeTexts(texts: ReadonlyMap<string, string>, found: FolderState): JudgedText[] {
  return [...texts].map(([path, text]) => {
    const sha256 = integrityOf(text)
    return { path, text, sha256, verdict: found.judge(path, { sha256 }) }
  })
}

async function writeTexts(texts: readonly JudgedText[], { folder, work }: Task, writer: Writer): Promise<void> {
  for (const { path, sha256 } of only('right', texts)) writer.written.set(path, { sha256 })
  const stale = only('write', texts)
  // Where each is flushed to disk, several at a time; the index waits for what it refers to.
  const beside = folder.live ? stale.filter(({ path }) => path.includes('/')) : []
  await eachLimit(beside, work.concurrency, work.signal, async ({ path, text }) => writer.put(path, text))
  for (const { path, text } of stale.slice(beside.length)) await writer.put(path, text)
}

/** What becomes of files that are wanted no more. What was changed since is the user's from now on. */
async function clear({ folder, found: { owned, gone }, work }: Task, remove: (path: string) => Promise<void>) {
  if (!work.prune) return { removed: [], kept: [], left: gone }
  const [removed, kept]: [string[], string[]] = [[], []]
  for (const path of gone.toSorted(compareStrings)) {
    const hash = await folder.hash(path)
    if (hash === undefined) continue
    const ours = owned.files.get(path)?.some(({ sha256 }) => sha256 === hash) === true || (await folder.isBlank(path))
    if (ours) await remove(path)
    ;(ours ? removed : kept).push(path)
  }
  return { removed, kept, left: [] }
}
