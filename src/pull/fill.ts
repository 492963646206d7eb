import { orAborted } from '../abort.js'
import type { Files } from '../files/files.js'
import type { FileDescriptor, ValueDescriptor } from '../files/plan.js'
import type { NamedKit } from '../kit/named.js'
import { order } from '../order.js'
import type { Query } from '../query.js'
import { hashOf, type Folder } from './disk.js'
import type { PlacedAsset, PlacedFile } from './layout.js'
import { manifestText } from './manifest.js'
import { manifestName } from './owned.js'
import { survey, type Survey } from './survey.js'
import { modulePaths, moduleTexts, type ModuleKind } from './texts.js'
import { forEach } from '../for-each.js'
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

/** Brings a folder to what it should hold: files first, what refers to them next, then index and manifest. */
export async function fill(folder: Folder, target: Target, work: Work): Promise<Outcome> {
  const { signal, dryRun } = work
  const files = target.placed.flatMap((asset) => [...asset.files.values()])
  const found = await survey(folder, [...files.map(({ path }) => path), ...modulePaths(target.placed)], signal)
  const judged = files.map((file) => ({ ...file, verdict: found.judge(file.path, { revision: file.revision }) }))
  const missing = judged.filter(({ verdict }) => verdict === 'write')
  const values = await missingValues(target, work)
  const reused = judged.filter(({ verdict }) => verdict === 'right').length
  await work.onPlan([...missing, ...values].map(({ file }) => file), reused)
  if (dryRun) return { files: files.length, reused, ...(await wouldDo(folder, found, judged, target, work)) }

  const writer = openWriter(folder, found.owned)
  for (const { path, revision, verdict } of judged) {
    if (verdict === 'right') writer.written.set(path, { sha256: found.seen.get(path) ?? '', revision })
    if (verdict === 'kept') writer.leave(path)
  }
  await writeFiles(missing, writer, work)
  const texts = await moduleTexts(target.placed, { ...target, value: await readValues(target, values, work) })
  const kept = [...judged.filter(({ verdict }) => verdict === 'kept').map(({ path }) => path), ...(await writeTexts(texts, found, writer, work))]
  const gone = await clear(folder, found, work, (path) => folder.remove(path))
  for (const path of gone.left) writer.leave(path)
  const manifest = manifestText(target.named, target.placed, writer.written)
  if ((await folder.look(manifestName)) !== hashOf(manifest)) {
    await writer.put(manifestName, manifest)
  }
  await writer.done()
  const outcome = { written: writer.paths.toSorted(order), removed: gone.removed, kept: [...kept, ...gone.kept].toSorted(order) }
  return { files: files.length, reused, ...outcome }
}

/** More at a time than requests: while some are written, others are on their way. */
async function writeFiles(missing: readonly PlacedFile[], writer: Writer, { files, concurrency, signal, onFile }: Work): Promise<void> {
  await forEach(missing, 2 * concurrency, signal, async ({ path, file, revision }, stop) => {
    await writer.put(path, await orAborted(files.bytes(file, { signal: stop }), stop), revision)
    onFile(file)
  })
}

function valuesOf({ placed }: Target): ValueDescriptor[] {
  return placed.flatMap(({ plan: { value, placeholder } }) => [value, placeholder].flatMap((wanted) => wanted ?? []))
}

/** Values whose bytes are not in the cache. */
async function missingValues(target: Target, { files }: Work): Promise<ValueDescriptor[]> {
  const values = valuesOf(target)
  const there = await Promise.all(values.map(({ file }) => files.has(file)))
  return values.filter((_, at) => there[at] === false)
}

/** Makes all values side by side, for modules are written one after the other. */
async function readValues(target: Target, missing: readonly ValueDescriptor[], { files, concurrency, signal, onFile }: Work) {
  const made = new Map<string, string>()
  await forEach(valuesOf(target), concurrency, signal, async (value, stop) => {
    made.set(JSON.stringify(value), await orAborted(files.value(value, { signal: stop }), stop))
    if (missing.includes(value)) onFile(value.file)
  })
  return async (value: ValueDescriptor) => made.get(JSON.stringify(value)) ?? ''
}

/** @returns what was changed since, and is kept */
async function writeTexts(texts: ReadonlyMap<string, string>, found: Survey, writer: Writer, { concurrency, signal }: Work): Promise<string[]> {
  const judged = [...texts].map(([path, text]) => ({ path, text, verdict: found.judge(path, { sha256: hashOf(text) }) }))
  for (const { path, text, verdict } of judged) {
    if (verdict === 'right') writer.written.set(path, { sha256: hashOf(text) })
    if (verdict === 'kept') writer.leave(path)
  }
  const stale = judged.filter(({ verdict }) => verdict === 'write')
  await forEach(stale.filter(({ path }) => path.includes('/')), concurrency, signal, async ({ path, text }) => writer.put(path, text))
  for (const one of stale.filter(({ path }) => !path.includes('/'))) await writer.put(one.path, one.text)
  return judged.filter(({ verdict }) => verdict === 'kept').map(({ path }) => path)
}

/** What becomes of files that are wanted no more. What was changed since is the user's from now on. */
async function clear(folder: Folder, { owned, gone }: Survey, { prune }: Work, remove: (path: string) => Promise<void>) {
  if (!prune) return { removed: [], kept: [], left: gone }
  const [removed, kept]: [string[], string[]] = [[], []]
  for (const path of gone.toSorted(order)) {
    const hash = await folder.look(path)
    if (hash === undefined) continue
    const ours = owned.files.get(path)?.some(({ sha256 }) => sha256 === hash) === true
    if (ours) await remove(path)
    ;(ours ? removed : kept).push(path)
  }
  return { removed, kept, left: [] }
}

/** Modules that hold values cannot be told without making them. */
async function wouldDo(folder: Folder, found: Survey, judged: readonly (PlacedFile & { verdict: string })[], target: Target, work: Work) {
  const texts = valuesOf(target).length > 0 ? new Map<string, string>() : await moduleTexts(target.placed, { ...target, value: async () => '' })
  const all = [...judged, ...[...texts].map(([path, text]) => ({ path, verdict: found.judge(path, { sha256: hashOf(text) }) }))]
  const paths = (wanted: string) => all.filter(({ verdict }) => verdict === wanted).map(({ path }) => path)
  const gone = await clear(folder, found, work, async () => {})
  return { written: paths('write').toSorted(order), removed: gone.removed, kept: [...paths('kept'), ...gone.kept].toSorted(order) }
}
