import { dirname, join, resolve } from 'node:path'
import { abortable } from '../../async/abortable.js'
import { attempt } from '../../async/attempt.js'
import { exportedCollection } from '../../components/collection.js'
import { statsOf } from '../../disk/stats.js'
import type { CurrentFolder } from '../../disk/write-folder.js'
import { withAllWarnings, type Engine } from '../../engine/engine.js'
import { ContentSpaceError, ignoreCodes } from '../../errors.js'
import { findAsset, findSection, kitCollection, type NamedKit } from '../../kit/named-kit.js'
import { selectAssets } from '../../kit/select.js'
import type { NeededParts } from '../../lock/table.js'
import { pairedCollection } from '../../modules/parts.js'
import { planAll } from '../../modules/plans.js'
import { frameworkOf } from '../../request/frameworks.js'
import { parseQuery } from '../../request/query.js'
import { parseKit, type KitReference } from '../../request/request.js'
import { scanSources } from '../../source/scan.js'
import { assetsOf } from '../../space/item-kinds.js'
import { canonicalName } from '../../space/short-id.js'
import { interruptible } from '../shared/interrupted.js'
import { openBadFiles } from './bad-files.js'
import type { PulledKind } from './module-kinds.js'
import { resolveImports } from '../../engine/sync/resolve-imports.js'
import { kindOfModules } from './fitting-kind.js'
import { layOut, safeName, type FolderContents, type PlacedAsset } from './layout.js'
import { checkPull, type FolderReport, type PullOptions } from './options.js'
import { keepFolders, spaceNames, type PulledFolder } from './pulled-folders.js'
import { runtimeTexts } from './runtime.js'
import { valuesOf, writeKit, type PullRun } from './write-kit.js'
import { omitUndefined } from '../../text/omit-undefined.js'

/** The result for one kit. Paths in lists are relative to `folder` and sorted. */
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
  /** Whether this is a dry run, so that the report lists what would change. */
  dryRun: boolean
  /** The number of files that this run downloaded. */
  downloads: number
  /** The total size of these files in bytes. */
  bytes: number
  /** Whether the lockfile changed. */
  locked: boolean
  warnings: string[]
}

/**
 * Writes kits into folders. The first run fills a temporary folder and then renames it. Later runs replace files one by
 * one, and complete an interrupted run.
 * @internal
 */
export async function pull(engine: Engine, options: PullOptions): Promise<PullReport> {
  checkPull(options)
  const { stats, lock, listen } = engine
  const { signal = new AbortController().signal, dryRun = false, prune = true } = options
  const before = stats.summary()
  const report = await listen(options, (onProgress) =>
    interruptible(signal, async () => {
      const current: PulledFolder[] = []
      const { files, options: resolved } = engine
      const run = { options: resolved, files, prune, dryRun, signal, onProgress, warn: stats.warn, bad: openBadFiles() }
      const kits = await pullKits(options, engine, run, current)
      const locked = !dryRun && (await lock.save())
      const { downloads, bytes, warnings } = stats.summary()
      if (current.length === kits.length && warnings.length === 0) await keepFolders(options, current, engine)
      return { kits, dryRun, downloads: downloads - before.downloads, bytes: bytes - before.bytes, locked }
    }),
  )
  return withAllWarnings(engine, report)
}

/** @param current receives the folders that are up to date and depend on nothing but their inputs */
async function pullKits(
  request: PullOptions,
  engine: Engine,
  run: PullRun,
  current: PulledFolder[],
): Promise<PulledKit[]> {
  const { options, stats, lock } = engine
  const { signal, bad } = run
  const module = kindOfModules(request, options.root)
  const used = request.onlyUsed ? await abortable(usedAssets(engine), signal) : undefined
  const kits = await abortable(loadKits(request, engine, used), signal)
  const selected = kits.map((kit) => selectAssets(kit, { ...request, exclude: excludedFrom(kit, kits, request) }, used))
  const out = resolve(options.root, request.out)
  const pulled: PulledKit[] = []
  function add({ kit: { uuid, name, version } }: NamedKit, folder: string, report: FolderReport): void {
    for (const path of report.kept)
      stats.warn(`${join(folder, path)} was changed after it was pulled, so it is kept. Remove it to pull it again.`)
    pulled.push({ kit: uuid, name, version, folder, ...report })
  }
  if (module === 'iconify') {
    const locked = lock.current().kits
    const { iconSetOrders, pullIconSet } = await import('./icon-set/pull-icon-sets.js')
    for (const order of iconSetOrders(selected, out, request.prefix, (kit) => locked[kit]?.slug ?? ''))
      await bad.collect(order.named, async () => add(order.named, dirname(order.path), await pullIconSet(order, run)))
    bad.check()
    return pulled
  }
  const folders = foldersOf(kits, out, engine)
  const contents = await Promise.all(selected.map((kit) => contentsOf(kit, module, request, engine)))
  for (const [at, one] of contents.entries()) {
    const folder = folders[at] ?? ''
    refuseSpace(folder)
    await bad.collect(one.named, async () => {
      const { result, changes, current: found } = await writeKit(folder, one, run)
      if (found && !request.onlyUsed && isPlain(one))
        current.push(pulledFolder(folder, one, kits[at] ?? one.named, found))
      add(one.named, folder, { ...result, ...changes })
    })
  }
  bad.check()
  return pulled
}

/**
 * Returns the names to exclude from a kit. With several kits, it is enough if one of them has an asset with the name.
 */
function excludedFrom(kit: NamedKit, kits: readonly NamedKit[], { exclude }: PullOptions): string[] | undefined {
  return exclude?.filter((name) => hasAsset(kit, name) || !kits.some((one) => hasAsset(one, name)))
}

function hasAsset(kit: NamedKit, name: string): boolean {
  return attempt(() => findAsset(kit, canonicalName(name)), ignoreCodes('assetNotFound')) !== undefined
}

/** Returns whether a folder depends only on a published version, and not on `package.json` or cached files. */
function isPlain({ named, query, placed }: FolderContents): boolean {
  return named.kit.version !== 0 && frameworkOf(query.as) === undefined && valuesOf(placed).length === 0
}

/** @param kit with all its assets */
function pulledFolder(
  folder: string,
  { placed }: FolderContents,
  { kit: { uuid: kit, name, version, assets } }: NamedKit,
  { paths, stamps, hashes }: CurrentFolder,
): PulledFolder {
  const files = placed.reduce((sum, asset) => sum + asset.files.size, 0)
  const recent = stamps.recent.map((path): [string, string] => [path, hashes.get(path) ?? ''])
  const known = { assets: Object.keys(assets).length, files, paths: [...paths], stamps: stamps.digest, recent }
  return { kit, name, version, folder, ...known }
}

/** Rejects the folder of a space, because the folders of sections would become kits of that space. */
function refuseSpace(folder: string): void {
  const name = spaceNames.find((one) => statsOf(join(folder, one)) !== undefined)
  if (name === undefined) return
  throw new ContentSpaceError('fileSystem', `${folder} contains ${name}, so it is a space itself.`, {
    hint: 'Choose another --out.',
  })
}

/**
 * Loads the requested kits, each version once, even if several names refer to it. Records the contents of each folder.
 * @throws ContentSpaceError `frozen` if a frozen lockfile lacks a kit
 */
async function loadKits(
  request: PullOptions,
  engine: Engine,
  used: ReadonlySet<string> | undefined,
): Promise<NamedKit[]> {
  const { options, errors } = engine
  const ids = typeof request.kits === 'string' ? [request.kits] : request.kits
  const { full } = parseQuery(request.query?.replace(/^\?/, '') ?? '', options)
  const loaded = await Promise.all(
    ids.map((id) => errors.checked(() => loadKit(parseKit(id, options.kits), request, full, engine, used))),
  )
  await errors.checkFrozen()
  return [...new Map(loaded.map((named) => [`${named.kit.uuid}@${named.kit.version}`, named])).values()]
}

async function loadKit(
  reference: KitReference,
  request: PullOptions,
  full: boolean,
  { catalog, lock }: Engine,
  used: ReadonlySet<string> | undefined,
): Promise<NamedKit> {
  const { sections, headings, assets, keywords } = request
  const isNarrow = keywords === undefined && (assets !== undefined || used !== undefined)
  const names = !isNarrow && headings === undefined && keywords === undefined ? sections : undefined
  const useOf = (named: NamedKit, section: string | undefined): NeededParts => {
    if (isNarrow) return { assets: selectedAssets(selectAssets(named, request, used)), full }
    if (section === undefined) return { assets: [], whole: ['kit'], full }
    const { uuid } = findSection(named, canonicalName(section))
    return { assets: [], whole: [uuid, 'kit'], full }
  }
  const answers = await Promise.all(
    (names ?? [undefined]).map((section) =>
      catalog.answer(reference, (named) => ({ value: undefined, use: useOf(named, section) })),
    ),
  )
  for (const { named, use } of answers) lock.record(named, reference.version, use, 'pull')
  const [first] = answers.toSorted((a, b) => Number(a.isPartial) - Number(b.isPartial))
  return first ? first.named : catalog.load(reference)
}

function selectedAssets({ kit }: NamedKit): Set<string> {
  return new Set(kit.sections.flatMap(({ items }) => items.flatMap(assetsOf)))
}
/** Returns the uuids of the assets that the source imports. */
async function usedAssets({ options, derived, describe }: Engine): Promise<ReadonlySet<string>> {
  return (await resolveImports(await scanSources(options.root, options.scan, derived), describe)).assets
}

/** Returns the folder of each kit: `out` itself for a single kit, or a subfolder for each of several kits. */
function foldersOf(kits: readonly NamedKit[], out: string, { lock }: Engine): string[] {
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
  module: PulledKind,
  options: PullOptions,
  engine: Engine,
): Promise<FolderContents> {
  const { svg, darkMode } = engine.options
  const { cut, query: text = '', headingFolders = false } = options
  const parameters = [text.replace(/^\?/, ''), cut === undefined ? '' : `cut=${cut}`].filter(Boolean)
  const query = parseQuery(parameters.join('&'), engine.options)
  if (query.lazy) {
    const hint = 'Remove lazy from the query, and import the module of an asset with import().'
    throw new ContentSpaceError('invalidQuery', 'pull writes a module for each asset, so it does not take lazy.', {
      hint,
    })
  }
  if (query.dark !== undefined) {
    const hint = 'Pair assets with dark in option kits.'
    throw new ContentSpaceError('invalidQuery', 'pull writes many assets, but dark applies to a single one.', { hint })
  }
  const collection = exportedCollection(pairedCollection(kitCollection(named), named, query), query, svg)
  const plans = planAll([...collection.assets.values()], query, svg)
  const native = module === 'react-native'
  const placed = layOut(named, plans, headingFolders, native)
    .filter(({ asset }) => collection.assets.has(asset.uuid))
    .map((one) => (native ? nativeAsset(one) : one))
  const runtime = await runtimeTexts(placed, query, module)
  return { named, collection, placed, query, module, runtime, darkMode }
}

/**
 * Returns an asset for React Native: one file, in the size of the first density. Metro finds the other densities by
 * name (`logo@2x.png`).
 * @throws ContentSpaceError `invalidQuery` if React Native would have to choose a file by width or format
 */
function nativeAsset(placed: PlacedAsset): PlacedAsset {
  const { srcset = [], sources, width, height, ...plan } = placed.plan
  const several = sources !== undefined || srcset.some(({ descriptor }) => descriptor.endsWith('w'))
  if (several)
    throw new ContentSpaceError('invalidQuery', 'React Native chooses files by density only, not by width or format.', {
      hint: "Write one width, one format and densities: --query 'w=120&dpr=1;2;3&format=png'.",
    })
  const density = Number.parseFloat(srcset.at(-1)?.descriptor ?? '1')
  const scaled = (size: number | undefined) => size && Math.round(size / density)
  return { ...placed, plan: omitUndefined({ ...plan, width: scaled(width), height: scaled(height) }) }
}
