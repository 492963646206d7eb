import { dirname, join, resolve } from 'node:path'
import { abortable } from '../../async/abortable.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { ResolvedOptions } from '../../config/options.js'
import { isEmpty, realFolder, withStagedFolder } from '../../disk/atomic-folder.js'
import { exportedCollection } from '../../components/collection.js'
import { withFolderLock } from '../../disk/folder-lock.js'
import { openFolder } from '../../disk/folder.js'
import type { Files } from '../../files/files.js'
import { kitCollection, type NamedKit } from '../../kit/named-kit.js'
import { selectAssets } from '../../kit/select.js'
import type { LockSession } from '../../lock/session.js'
import { planAll } from '../../modules/plans.js'
import type { BuildStats } from '../../progress.js'
import { parseQuery } from '../../request/query.js'
import { parseKit } from '../../request/request.js'
import { interruptible } from '../interrupted.js'
import type { ModuleKind } from '../module-kinds.js'
import { resolveImports } from '../sync/resolve-imports.js'
import type { SyncContext } from '../sync/sync.js'
import { layOut, safeName } from './layout.js'
import { checkPull, type PullOptions } from './options.js'
import { rememberPull, type PulledContents, type RecordContext } from './remember.js'
import { runtimeTexts } from './runtime.js'
import { writeContext } from './write-context.js'
import {
  writeFolder,
  type CurrentFolder,
  type FolderContents,
  type FolderReport,
  type WriteContext,
} from './write-folder.js'

/** What happened to one kit. Paths in lists are relative to `folder` and sorted. */
export interface PulledKit extends FolderReport {
  /** Uuid. */
  kit: string
  name: string
  version: number
  /** Absolute path. */
  folder: string
}

export interface PullReport {
  kits: PulledKit[]
  /** Whether the report lists what would change, and nothing was changed. */
  dryRun: boolean
  /** Number of files that this run downloaded. */
  downloads: number
  /** Bytes of these files. */
  bytes: number
  /** Whether the lockfile changed. */
  locked: boolean
  warnings: string[]
}

/** The parts of an importer that `pull` uses. */
export interface PullContext extends RecordContext {
  options: ResolvedOptions
  catalog: Pick<Catalog, 'load'>
  lock: Pick<LockSession, 'current' | 'save' | 'digest'>
  files: Pick<Files, 'has' | 'use' | 'value'>
  stats: Pick<BuildStats, 'summary' | 'warn'>
  errors: {
    /** Throws `frozen` if the loaded kits would change a frozen lockfile. */
    checkFrozen(this: void): Promise<void>
  }
  /** Resolves a specifier of the source. */
  describe: SyncContext['describe']
}

/**
 * Writes kits into folders. The folder of a first run is filled elsewhere and appears with one rename. Later runs
 * replace files one by one, and complete an interrupted run.
 */
export async function pull(options: PullOptions, context: PullContext): Promise<PullReport> {
  checkPull(options)
  const { signal = new AbortController().signal, dryRun = false } = options
  const before = context.stats.summary()
  return interruptible(signal, async () => {
    const current: PulledContents[] = []
    const kits = await pullKits(options, signal, context, current)
    const locked = !dryRun && (await context.lock.save())
    const { downloads, bytes, warnings } = context.stats.summary()
    if (current.length === kits.length && warnings.length === 0) await rememberPull(options, current, context)
    return {
      kits,
      dryRun,
      downloads: downloads - before.downloads,
      bytes: bytes - before.bytes,
      locked,
      warnings,
    }
  })
}

/** @param current is filled with the folders that are up to date, and that a later run may recognize */
async function pullKits(
  options: PullOptions,
  signal: AbortSignal,
  context: PullContext,
  current: PulledContents[],
): Promise<PulledKit[]> {
  const { root, cacheDir } = context.options
  const kits = await abortable(loadKits(options, context), signal)
  const used = options.onlyUsed ? await abortable(usedAssets(context), signal) : undefined
  const selected = kits.map((kit) => selectAssets(kit, options, used))
  if (options.module === 'iconify') return pullIcons(selected, options, signal, context)
  const { module = 'url' } = options
  const folders = foldersOf(kits, resolve(root, options.out), context)
  const contents = await Promise.all(selected.map((kit) => contentsOf(kit, module, options, context)))
  const pulled: PulledKit[] = []
  for (const [at, one] of contents.entries()) {
    const { uuid, name, version } = one.named.kit
    const folder = folders[at] ?? ''
    const writing = {
      ...writeContext(one, options, signal, context),
      onCurrent: (state: CurrentFolder) =>
        void current.push({ ...state, contents: one, loaded: kits[at] ?? one.named, folder }),
    }
    const report = await pullInto(folder, one, writing, cacheDir)
    warnOfKept(folder, report, context)
    pulled.push({ kit: uuid, name, version, folder, ...report })
  }
  return pulled
}

/** Writes one icon set for each kit. */
async function pullIcons(
  kits: readonly NamedKit[],
  options: PullOptions,
  signal: AbortSignal,
  context: PullContext,
): Promise<PulledKit[]> {
  const { root, svg, strict, cacheDir } = context.options
  const locked = context.lock.current().kits
  const { iconSetOrders, pullIconSet } = await import('./icon-set/pull-icon-sets.js')
  const orders = iconSetOrders(kits, resolve(root, options.out), options.prefix, (kit) => locked[kit]?.slug ?? '')
  const pulled: PulledKit[] = []
  for (const order of orders) {
    const { uuid, name, version } = order.named.kit
    const folder = dirname(order.path)
    const writing = {
      ...writeContext(order, options, signal, context),
      svg,
      strict,
      cacheDir,
      warn: context.stats.warn,
    }
    const report = await pullIconSet(order, writing)
    warnOfKept(folder, report, context)
    pulled.push({ kit: uuid, name, version, folder, ...report })
  }
  return pulled
}

function warnOfKept(folder: string, { kept }: FolderReport, { stats }: PullContext): void {
  for (const path of kept)
    stats.warn(`${join(folder, path)} has been changed since it was pulled, and is kept. Remove it to pull it again.`)
}

/**
 * Loads the requested kits, each version once, even if several names refer to it.
 * @throws ContentSpaceError `frozen` if that would change a frozen lockfile
 */
async function loadKits({ kits }: PullOptions, context: PullContext): Promise<NamedKit[]> {
  const { options, catalog, errors } = context
  const ids = typeof kits === 'string' ? [kits] : kits
  const loaded = await Promise.all(ids.map((id) => catalog.load(parseKit(id, options.kits))))
  await errors.checkFrozen()
  return [...new Map(loaded.map((named) => [`${named.kit.uuid}@${named.kit.version}`, named])).values()]
}

/** Returns the uuids of the assets that the source imports. */
async function usedAssets({ options, describe }: PullContext): Promise<ReadonlySet<string>> {
  return (await resolveImports(options, describe)).assets
}

/** A single kit is written to the folder itself, several kits each to a folder of their own inside it. */
function foldersOf(kits: readonly NamedKit[], out: string, { lock }: PullContext): string[] {
  if (kits.length === 1) return [out]
  const locked = lock.current().kits
  return kits.map(({ kit: { uuid, version } }) => {
    const slug = safeName(locked[uuid]?.slug ?? '', uuid)
    const hasSeveralVersions = kits.filter(({ kit }) => kit.uuid === uuid).length > 1
    return join(out, hasSeveralVersions ? `${slug}@${version}` : slug)
  })
}

async function contentsOf(
  named: NamedKit,
  module: ModuleKind,
  options: PullOptions,
  context: PullContext,
): Promise<FolderContents> {
  const { svg } = context.options
  const { cut, query: text = '', headingFolders = false } = options
  const parameters = [text.replace(/^\?/, ''), cut === undefined ? '' : `cut=${cut}`].filter(Boolean)
  const query = parseQuery(parameters.join('&'), context.options)
  const collection = exportedCollection(kitCollection(named), query, svg)
  const plans = planAll([...collection.assets.values()], query, svg)
  const placed = layOut(named, plans, headingFolders).filter(({ asset }) => collection.assets.has(asset.uuid))
  const runtime = await runtimeTexts(placed, query, module)
  return { named, collection, placed, query, module, runtime }
}

async function pullInto(
  out: string,
  contents: FolderContents,
  context: WriteContext,
  cacheDir: string,
): Promise<FolderReport> {
  const folder = await realFolder(out)
  const writeLive = () => writeFolder(openFolder(folder, true, '--out'), contents, context)
  if (context.dryRun) return writeLive()
  return withFolderLock(folder, cacheDir, context.signal, async () => {
    if (!(await isEmpty(folder))) return writeLive()
    const report = await withStagedFolder(folder, 'pull', async (staged) => {
      const written = await writeFolder(openFolder(staged.path, false, '--out'), contents, context)
      return (await staged.appear()) ? written : undefined
    })
    return report ?? writeLive()
  })
}
