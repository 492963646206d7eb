import { basename, dirname, join } from 'node:path'
import * as v from 'valibot'
import { eachLimit } from '../../../async/each-limit.js'
import { integrityOf, readContent } from '../../../disk/content.js'
import { withFolderLock } from '../../../disk/folder-lock.js'
import { makeFolder } from '../../../disk/make-folder.js'
import { resolvePeer } from '../../../disk/peer.js'
import { readText, replaceFile } from '../../../disk/replace-file.js'
import { ContentSpaceError } from '../../../errors.js'
import { type FileDescriptor, planAsset } from '../../../files/plan.js'
import { type SvgPolicy, writeRecipe } from '../../../files/recipe.js'
import type { Icon } from '../../../files/svg/icon.js'
import { kitCollection, type NamedKit } from '../../../kit/named-kit.js'
import { parseQuery } from '../../../request/query.js'
import { assetsOf } from '../../../space/item-kinds.js'
import { compareStrings } from '../../../text/compare.js'
import { jsonText } from '../../../text/display.js'
import { jsonObjectOf } from '../../../text/json.js'
import { shortList } from '../../../text/quantities.js'
import type { FolderReport } from '../options.js'
import { missingFrom, planFiles, type PullRun } from '../write-kit.js'
import { type IconNames, iconPrefix, nameIcons } from './icon-names.js'

/** A kit as one icon set. */
export interface IconSetOrder {
  named: NamedKit
  /** Absolute path of the JSON file. */
  path: string
  prefix: string
}

/**
 * Decides where the icon sets of kits are written: `<out>` if it ends with `.json`, otherwise `<out>/<prefix>.json`.
 * @param slugOf returns the slug of a kit
 * @throws ContentSpaceError `invalidOption` for an invalid prefix, and if two sets would be written to the same file
 */
export function iconSetOrders(
  kits: readonly NamedKit[],
  out: string,
  given: string | undefined,
  slugOf: (uuid: string) => string,
): IconSetOrder[] {
  const orders = kits.map((named) => {
    const prefix = iconPrefix(given, slugOf(named.kit.uuid), named.kit.uuid)
    return { named, prefix, path: out.endsWith('.json') ? out : join(out, `${prefix}.json`) }
  })
  if (new Set(orders.map(({ path }) => path)).size === orders.length) return orders
  const message = `Several kits or versions would be written to ${orders[0]?.path ?? out}.`
  const hint = 'Pull each of them separately, with its own --out and --prefix.'
  throw new ContentSpaceError('invalidOption', message, { hint })
}

/**
 * Writes the SVGs of a kit as one icon set, if it has changed.
 * @throws ContentSpaceError `fileSystem` for a file that `pull` didn't write; any error of a download
 */
export async function pullIconSet(order: IconSetOrder, run: PullRun): Promise<FolderReport> {
  const { path } = order
  const { options, signal, dryRun } = run
  // Before downloading anything, reject a file that pull didn't write, then a missing package.
  const before = await compareFile(path, undefined)
  if (dryRun) return writeIconSet(order, run)
  resolvePeer('@iconify/tools/package.json', 'An icon set')
  if (before === 'missing') makeFolder(dirname(path), '--out')
  return withFolderLock(path, options.cacheDir, signal, () => writeIconSet(order, run))
}

async function writeIconSet({ named, path, prefix }: IconSetOrder, run: PullRun): Promise<FolderReport> {
  const drawings = [...kitCollection(named).assets.values()].filter(isDrawing)
  const files = drawings.map((asset) => iconFile(asset, run.options.svg)).filter((file) => file !== undefined)
  if (files.length === 0) throw nothingToPull(named)
  const reportFile = await planFiles(named, files, 0, run)
  // A dry run doesn't download anything, so it can't know how an icon that the cache lacks would change the set.
  if (run.dryRun && (await missingFrom(files, (file) => file, run)).length > 0) {
    return reportOf(path, files.length, await compareFile(path, undefined))
  }
  const icons = await makeIcons(named, files, reportFile, run)
  if (icons.size === 0) throw nothingToPull(named)
  const all = Object.values(named.kit.assets).filter(isDrawing)
  const uuids = all.map(({ uuid }) => uuid)
  const names = nameIcons(named, uuids)
  const set = iconSet(named, prefix, names, icons)
  const state = await compareFile(path, set)
  const report = reportOf(path, icons.size, state)
  if (report.written.length > 0 && !run.dryRun) await replaceFile(path, iconSetText(set), { option: '--out' })
  return report
}

function reportOf(path: string, files: number, state: FileState): FolderReport {
  const isWritten = state === 'missing' || state === 'outdated'
  return {
    files,
    reused: isWritten ? 0 : files,
    written: isWritten ? [basename(path)] : [],
    removed: [],
    kept: state === 'modified' ? [basename(path)] : [],
  }
}

function nothingToPull({ kit: { uuid, name } }: NamedKit): ContentSpaceError {
  return new ContentSpaceError('invalidOption', `Nothing to pull: kit ${name} has no SVG for an icon set.`, {
    kit: uuid,
    hint: 'Check --section and the other flags that select assets.',
  })
}

function isDrawing({ type }: { type: string }): boolean {
  return type === 'SVG'
}

function iconFile(asset: Parameters<typeof planAsset>[0], svg: SvgPolicy): FileDescriptor | undefined {
  const { src } = planAsset(asset, parseQuery('', { full: false, presets: {} }), svg)
  return src && { ...src, ext: 'json', recipe: writeRecipe({ kind: 'svg', policy: svg, icon: true }) }
}

/** Makes icons from SVGs. Leaves out SVGs that can't become icons, and warns about them. */
async function makeIcons(
  named: NamedKit,
  files: readonly FileDescriptor[],
  done: (file: FileDescriptor) => void,
  run: PullRun,
): Promise<Map<string, Icon>> {
  const { options, signal, warn, bad } = run
  const icons = new Map<string, Icon>()
  const failed: string[] = []
  const make = async (file: FileDescriptor): Promise<void> => {
    try {
      const bytes = await run.files.use(file, readContent, { signal })
      const icon: Icon = JSON.parse(Buffer.from(bytes).toString())
      icons.set(file.asset, icon)
    } catch (error) {
      const isUnusable = error instanceof ContentSpaceError && error.code === 'conversionFailed'
      if (!isUnusable || options.strict) throw error
      failed.push(error.summary)
    }
    done(file)
  }
  await eachLimit(files, options.concurrency, signal, (file) => bad.collect(named, () => make(file)))
  bad.check(named)
  if (failed.length > 0) warn(`Not in the icon set: ${shortList(failed.toSorted())}`)
  return icons
}

/** The state of a file at the path of an icon set. `modified` means that the user changed a set that `pull` wrote. */
type FileState = 'missing' | 'current' | 'outdated' | 'modified'

/** The key of our own entry in an icon set. Other readers of icon sets ignore it. */
const markerKey = 'contentSpace'
const marker = v.object({ sha256: v.string() })

/** Returns the text of an icon set, including the hash by which later runs recognize a set that `pull` wrote. */
function iconSetText(set: object): string {
  return `${jsonText({ ...set, [markerKey]: { sha256: hashOf(set) } }, 2)}\n`
}

/** Hashes the content rather than the text, so that a formatter may change the file. */
function hashOf(set: object): string {
  return integrityOf(JSON.stringify(set))
}

/**
 * Compares a file with the expected icon set.
 * @param set undefined if it isn't known yet
 * @throws ContentSpaceError `fileSystem` for a file that `pull` didn't write, or that can't be read
 */
async function compareFile(path: string, set: object | undefined): Promise<FileState> {
  const text = await readText(path, '--out')
  if (text === undefined) return 'missing'
  const { [markerKey]: mark, ...content } = jsonObjectOf(text) ?? {}
  if (!v.is(marker, mark)) {
    throw new ContentSpaceError('fileSystem', `${path} is not an icon set that pull wrote.`, {
      hint: 'Nothing was changed. Move the file, or choose another --out.',
    })
  }
  if (mark.sha256 !== hashOf(content)) return 'modified'
  return set !== undefined && mark.sha256 === hashOf(set) ? 'current' : 'outdated'
}

/**
 * Returns an IconifyJSON: its icons and former names sorted, its sections as categories in display order.
 * https://iconify.design/docs/types/iconify-json.html
 * @param icons by uuid. Assets without an icon are left out.
 */
function iconSet(named: NamedKit, prefix: string, names: IconNames, icons: ReadonlyMap<string, Icon>): object {
  const { name, versionIdentifier: version } = named.kit
  const all = [...icons].flatMap(([uuid, one]) => {
    const { palette: _, ...icon } = one
    const iconName = names.icons.get(uuid)
    return iconName === undefined ? [] : [[iconName, icon] as const]
  })
  const exists = new Set(all.map(([iconName]) => iconName))
  const aliases = [...names.aliases].filter(([, parent]) => exists.has(parent))
  const palettes = new Set([...icons.values()].map(({ palette }) => palette))
  return {
    prefix,
    info: {
      name,
      total: all.length,
      version,
      author: { name },
      license: { title: 'Not specified' },
      // Absent if some icons have their own colors and others use the text color.
      ...(palettes.size === 1 ? { palette: palettes.has(true) } : {}),
    },
    icons: sortedObject(all),
    ...(aliases.length === 0 ? {} : { aliases: sortedObject(aliases.map(([former, parent]) => [former, { parent }])) }),
    categories: categoriesOf(named, names.icons, exists),
  }
}

function sortedObject<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => compareStrings(a, b)))
}

/** Groups icons by section. Sections with the same name become one category. */
function categoriesOf(
  { kit }: NamedKit,
  names: IconNames['icons'],
  exists: ReadonlySet<string>,
): Record<string, string[]> {
  const categories = new Map<string, Set<string>>()
  for (const { name, items } of kit.sections) {
    const icons = items.flatMap(assetsOf).flatMap((uuid) => names.get(uuid) ?? [])
    const known = icons.filter((icon) => exists.has(icon))
    if (known.length > 0) categories.set(name, new Set([...(categories.get(name) ?? []), ...known]))
  }
  return Object.fromEntries([...categories].map(([name, icons]) => [name, [...icons]]))
}
