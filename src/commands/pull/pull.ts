import { resolve, join } from 'node:path'
import { abortable } from '../../async/abortable.js'
import { ContentSpaceError } from '../../errors.js'
import type { Files } from '../../files/files.js'
import type { FileDescriptor } from '../../files/plan.js'
import { kitCollection, type NamedKit } from '../../kit/named-kit.js'
import { planAll } from '../../modules/plans.js'
import type { ResolvedOptions } from '../../config/options.js'
import type { ProgressEvent } from '../../progress.js'
import { compareStrings } from '../../text/compare.js'
import { parseQuery } from '../../request/query.js'
import { parseKit, type KitReference } from '../../request/request.js'
import { selectAssets } from './select.js'
import { openFolder } from '../../disk/folder.js'
import { writeFolder, type Outcome, type Target, type Work } from './write-folder.js'
import { layOut, safeName } from './layout.js'
import { checkPull, type PullOptions } from './options.js'
import { createFolderAtomically, isEmptyFolder, resolveFolderLink } from '../../disk/atomic-folder.js'
import { eachLimit } from '../../async/each-limit.js'
import { withFolderLock } from '../../disk/folder-lock.js'
import { offlineError } from '../../space/offline.js'

/** What was done for one kit. Paths in lists are relative to `folder` and sorted. */
export interface PulledKit extends Outcome {
  kit: string
  name: string
  version: number
  /** Absolute. */
  folder: string
}

export interface PullReport {
  kits: PulledKit[]
  /** Whether it was only told what would be done. */
  dryRun: boolean
  /** Downloads of this run, and their bytes. */
  downloads: number
  bytes: number
  /** Whether the lock has changed. */
  locked: boolean
  warnings: string[]
}

export interface PullContext {
  options: ResolvedOptions
  files: Files
  load: (kit: KitReference) => Promise<NamedKit>
  /** What a kit is called in ids. */
  slugOf: (kit: NamedKit) => string
  /** Uuids of the assets that the source imports. */
  used: () => Promise<ReadonlySet<string>>
  /** Writes the lock. @returns whether it has changed */
  save: () => Promise<boolean>
  warn: (message: string) => void
  /** What the importer has downloaded so far, and warned of. */
  paid: () => { downloads: number; bytes: number; warnings: string[] }
}

/**
 * Writes kits into folders. A first run appears whole, with one rename. Later ones replace file by file, and what an
 * interrupted one has left is finished by the next.
 */
export async function pull(options: PullOptions, context: PullContext): Promise<PullReport> {
  checkPull(options)
  const ids = typeof options.kits === 'string' ? [options.kits] : options.kits
  const { signal = new AbortController().signal, dryRun = false, onlyUsed = false } = options
  const before = context.paid()
  try {
    const loaded = await abortable(
      Promise.all(ids.map((id) => context.load(parseKit(id, context.options.kits)))),
      signal,
    )
    // Two names may mean the same version.
    const kits = [...new Map(loaded.map((named) => [`${named.kit.uuid}@${named.kit.version}`, named])).values()]
    const used = onlyUsed ? await abortable(context.used(), signal) : undefined
    const folders = foldersOf(kits, resolve(context.options.root, options.out), context)
    const targets = kits.map((kit) => targetOf(selectAssets(kit, options, used), options, context))
    const pulled: PulledKit[] = []
    for (const [at, target] of targets.entries()) {
      const { uuid, name, version } = target.named.kit
      const folder = folders[at] ?? ''
      const outcome = await pullInto(folder, target, workOf(target, options, signal, context), context.options.cacheDir)
      for (const path of outcome.kept)
        context.warn(
          `${join(folder, path)} has been changed since it was pulled, and is kept. Remove it to have it pulled again.`,
        )
      pulled.push({ kit: uuid, name, version, folder, ...outcome })
    }
    const locked = !dryRun && (await context.save())
    const { downloads, bytes, warnings } = context.paid()
    return {
      kits: pulled,
      dryRun,
      downloads: downloads - before.downloads,
      bytes: bytes - before.bytes,
      locked,
      warnings,
    }
  } catch (error) {
    if (!signal.aborted) throw error
    throw new ContentSpaceError('aborted', 'Interrupted.', {
      hint: 'What was downloaded is kept: run it again for the rest.',
      cause: error,
    })
  }
}

/** One kit lies in the folder itself; of several, each in one of its own. */
function foldersOf(kits: readonly NamedKit[], out: string, { slugOf }: PullContext): string[] {
  if (kits.length === 1) return [out]
  return kits.map((named) => {
    const { uuid, version } = named.kit
    const slug = safeName(slugOf(named), uuid)
    const several = kits.filter(({ kit }) => kit.uuid === uuid).length > 1
    return join(out, several ? `${slug}@${version}` : slug)
  })
}

function targetOf(named: NamedKit, options: PullOptions, { options: { full, presets, svg } }: PullContext): Target {
  const { cut, query: text = '', module = 'url', headingFolders = false } = options
  const query = parseQuery([text.replace(/^\?/, ''), cut === undefined ? '' : `cut=${cut}`].filter(Boolean).join('&'), {
    full,
    presets,
  })
  const plans = planAll([...kitCollection(named).assets.values()], query, svg)
  return { named, placed: layOut(named, plans, headingFolders), query, module }
}

function workOf({ named: { kit } }: Target, options: PullOptions, signal: AbortSignal, context: PullContext): Work {
  const { prune = true, dryRun = false, onProgress = () => {} } = options
  const tell = (event: ProgressEvent): void => {
    context.options.onProgress(event)
    onProgress(event)
  }
  const total = { files: 0, bytes: 0 }
  const done = { files: 0, bytes: 0 }
  return {
    files: context.files,
    concurrency: context.options.concurrency,
    prune,
    dryRun,
    signal,
    async onPlan(todo, reused) {
      const sources = new Map(todo.map((file) => [sourceKey(file), file]))
      const absent: FileDescriptor[] = []
      await eachLimit([...sources.values()], context.options.concurrency, signal, async (file) => {
        if (!(await context.files.has(file))) absent.push(file)
      })
      Object.assign(done, { files: 0, bytes: 0 })
      Object.assign(total, { files: todo.length, bytes: sum(todo) })
      if (context.options.offline && absent.length > 0) throw missingError(absent)
      const downloads = absent.length
      tell({
        type: 'plan',
        kit: kit.name,
        version: kit.version,
        files: todo.length,
        bytes: total.bytes,
        downloads,
        reused,
      })
    },
    onFile(file) {
      done.files++
      done.bytes += file.size ?? 0
      tell({
        type: 'file',
        kit: kit.name,
        name: file.label,
        done: done.files,
        total: total.files,
        bytes: done.bytes,
        totalBytes: total.bytes,
      })
    },
  }
}

/** All of it at once. */
function missingError(files: readonly FileDescriptor[]): ContentSpaceError {
  return offlineError('Not in the cache, and offline:', {
    lines: files.map(({ label, cut }) => `${label}${cut === undefined ? '' : ` as ${cut}`}`).toSorted(compareStrings),
  })
}

/** What is downloaded once, whatever is made of it. */
function sourceKey({ asset, hash, updated, cut }: FileDescriptor): string {
  return JSON.stringify([asset, hash, updated, cut])
}

function sum(files: readonly FileDescriptor[]): number {
  return files.reduce((bytes, { size = 0 }) => bytes + size, 0)
}

async function pullInto(out: string, target: Target, work: Work, cacheDir: string): Promise<Outcome> {
  const folder = await resolveFolderLink(out)
  if (work.dryRun) return writeFolder(openFolder(folder, true), target, work)
  return withFolderLock(folder, cacheDir, work.signal, async () => {
    const aside =
      (await isEmptyFolder(folder)) &&
      (await createFolderAtomically(folder, (stage) => writeFolder(openFolder(stage, false), target, work)))
    return aside || writeFolder(openFolder(folder, true), target, work)
  })
}
