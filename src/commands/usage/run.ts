import { realpath } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import * as v from 'valibot'
import type { KnownKit } from '../../asset.js'
import { abortable } from '../../async/abortable.js'
import { findings } from '../../config/findings.js'
import { readManifest } from '../../config/manifest.js'
import { abortSignal, checkEach, type Checks, flag } from '../../config/validate.js'
import { throwFileError } from '../../disk/file-error.js'
import { readRegularFile } from '../../disk/read-file.js'
import { replaceOwn } from '../../disk/replace-file.js'
import type { Engine } from '../../engine/engine.js'
import { resolveImports, withCounterparts } from '../../engine/sync/resolve-imports.js'
import { tokenFileUses } from '../../engine/sync/token-files.js'
import { ContentSpaceError } from '../../errors.js'
import type { NamedKit } from '../../kit/named-kit.js'
import { scanSources } from '../../source/scan.js'
import { compareStrings } from '../../text/compare.js'
import { jsonOf } from '../../text/json.js'
import { countText } from '../../text/quantities.js'
import { findCopies } from '../shared/findings/search.js'
import { isDescription } from '../shared/usage.js'
import { loadKits } from '../shared/kits.js'
import { escaped, type Markup, pageOf, writePage } from '../shared/page/page.js'
import type { AssetUsage, ProjectUsage, UsagePlace } from './report.js'

const text = v.pipe(v.string(), v.maxLength(1000))
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const usageFile: v.GenericSchema<unknown, ProjectUsage> = v.object({
  usageVersion: v.literal(1),
  project: text,
  assets: v.array(
    v.object({
      uuid: text,
      name: text,
      slug: text,
      kit: v.object({ uuid: text, name: text }),
      places: v.array(v.object({ file: text, line: count, by: v.picklist(['import', ...findings]), version: text })),
    }),
  ),
})

/** Selects what `usage` searches. */
export interface UsageOptions {
  /** Whether to also compare files with the files of kits, like `audit` without downloads. @default true */
  copies?: boolean | undefined
  signal?: AbortSignal | undefined
}

const checks = {
  copies: flag,
  signal: abortSignal,
} as const satisfies Checks<keyof UsageOptions>

/**
 * Lists the assets that the project uses: by imports, in files of option `tokens`, and as copies that `audit` finds
 * without downloading SVGs.
 * @returns sorted by kit and name
 * @throws ContentSpaceError any error of loading a kit or of `audit`
 * @internal
 */
export async function usage(engine: Engine, request: UsageOptions = {}): Promise<ProjectUsage> {
  checkEach(request, checks, 'usage')
  const { copies = true, signal } = request
  const { root } = engine.options
  const assets = new Map<string, AssetUsage>()
  const seen = new Set<string>()
  const add = (asset: Omit<AssetUsage, 'places'>, found: UsagePlace): void => {
    const known = assets.get(asset.uuid) ?? { ...asset, places: [] }
    assets.set(asset.uuid, known)
    const { file, line, by, version } = found
    const key = JSON.stringify([asset.uuid, file, line, by, version])
    if (!seen.has(key)) known.places.push(found)
    seen.add(key)
  }
  await abortable(addImports(engine, add), signal)
  if (copies) await addCopies(engine, add, signal)
  const sorted = [...assets.values()].toSorted(
    (a, b) =>
      compareStrings(a.kit.name, b.kit.name) || compareStrings(a.name, b.name) || compareStrings(a.uuid, b.uuid),
  )
  for (const { places } of sorted)
    places.sort((a, b) => compareStrings(a.file, b.file) || a.line - b.line || compareStrings(a.by, b.by))
  return { usageVersion: 1, project: readManifest(root)?.name || basename(root), assets: sorted }
}

type Add = (asset: Omit<AssetUsage, 'places'>, found: UsagePlace) => void

async function addImports(engine: Engine, add: Add): Promise<void> {
  const { options, describe, derived, parse } = engine
  const scanned = await scanSources(options.root, options.scan, derived)
  const { used } = await resolveImports([...scanned, ...tokenFileUses(options)], describe)
  for (const entry of used.filter((one) => !isDescription(one, engine))) {
    const { use } = entry
    const assets = withCounterparts(entry)
    const named = await kitOf(engine, parse(use.specifier), assets)
    for (const uuid of assets) {
      const record = named?.kit.assets[uuid]
      if (named === undefined || record === undefined) continue
      const { name, uuid: kit } = named.kit
      const slug = named.assets.get(uuid)?.slug ?? ''
      const found = { file: use.file, line: use.line, by: 'import' as const, version: textOfVersion(named.kit) }
      add({ uuid, name: record.name, slug, kit: { uuid: kit, name } }, found)
    }
  }
}

async function kitOf(
  { catalog }: Engine,
  request: ReturnType<Engine['parse']>,
  [first]: readonly string[],
): Promise<NamedKit | undefined> {
  if ('kit' in request && request.kit) return catalog.load(request.kit)
  return first === undefined ? undefined : catalog.load(await catalog.kitWithAsset(first))
}

async function addCopies(engine: Engine, add: Add, signal: AbortSignal | undefined): Promise<void> {
  const [found, kits] = await Promise.all([findCopies(engine, signal), loadKits(engine)])
  for (const { finding: by, file, line, asset, kit: id, version } of found) {
    const kit = kits.find((one) => one.id === id)?.kit
    if (kit === undefined) continue
    add(
      { ...asset, kit: { uuid: kit.uuid, name: kit.name } },
      { file, line, by, version: version ?? textOfVersion(kit) },
    )
  }
}

/** Returns the name of a version, as `audit` formats it. */
function textOfVersion({ version, versionIdentifier }: Pick<KnownKit, 'version' | 'versionIdentifier'>): string {
  return version === 0 ? 'draft' : versionIdentifier || String(version)
}

/**
 * Writes the usage of assets in a project.
 * @returns whether the file has changed
 * @throws ContentSpaceError `fileSystem`, including when a file that `usage` didn't write is in the way
 * @internal
 */
export async function writeUsage(path: string, found: ProjectUsage): Promise<boolean> {
  return replaceOwn(path, `${JSON.stringify(found, null, 2)}\n`, (before) => v.is(usageFile, jsonOf(before)))
}

/** The files that `mergeUsage` reads and writes. */
export interface MergeUsageOptions {
  /** Files that `usage` wrote, one per project, relative to the working directory. */
  files: readonly string[]
  /** The folder to write `index.html` into. */
  out: string
}

const mergeChecks = {
  files: [v.pipe(v.array(v.string()), v.nonEmpty()), 'a list of files'],
  out: [v.pipe(v.string(), v.nonEmpty()), 'the path of a folder'],
} as const satisfies Checks<keyof MergeUsageOptions>

/** The files that `mergeUsage` read and wrote. */
export interface MergeUsageReport {
  /** The path of the page. */
  file: string
  changed: boolean
  projects: number
  assets: number
}

/**
 * Writes a page that combines the usage of several projects: which project uses each asset, where, and in which
 * version.
 * @throws ContentSpaceError `invalidOption` for a file that `usage` didn't write; `fileSystem`, including when a page
 *   that `mergeUsage` didn't write is in the way
 */
export async function mergeUsage(request: MergeUsageOptions): Promise<MergeUsageReport> {
  checkEach(request, mergeChecks, 'mergeUsage', ['files', 'out'])
  const { files, out } = request
  const paths = files.map(async (file) => [await realpath(file).catch(() => file), file] as const)
  const all = await Promise.all([...new Map(await Promise.all(paths)).values()].map(readUsage))
  const path = resolve(out, 'index.html')
  const changed = await writePage(path, usageHtml(all), 'usage')
  const assets = new Set(all.flatMap((one) => one.assets.map(({ uuid }) => uuid)))
  return { file: path, changed, projects: all.length, assets: assets.size }
}

async function readUsage(file: string): Promise<ProjectUsage> {
  const path = resolve(file)
  const read = await readRegularFile(path).catch(throwFileError(path))
  const parsed = v.safeParse(usageFile, jsonOf(read.toString()))
  if (parsed.success) return parsed.output
  throw new ContentSpaceError('invalidOption', `${file} was not written by npx content-space usage.`, {
    hint: 'Write it in the project with npx content-space usage --out usage.json.',
  })
}

function usageHtml(projects: readonly ProjectUsage[]): string {
  const users = new Map<string, { asset: AssetUsage; uses: { project: string; places: UsagePlace[] }[] }>()
  for (const { project, assets } of projects.toSorted((a, b) => compareStrings(a.project, b.project))) {
    for (const asset of assets) {
      const known = users.get(asset.uuid) ?? { asset, uses: [] }
      known.uses.push({ project, places: asset.places })
      users.set(asset.uuid, known)
    }
  }
  const sorted = [...users.values()].toSorted(
    ({ asset: a }, { asset: b }) => compareStrings(a.kit.name, b.kit.name) || compareStrings(a.name, b.name),
  )
  return pageOf({
    command: 'usage',
    heading: 'Who uses which asset',
    summary: `${countText(sorted.length, 'asset')} in ${countText(projects.length, 'project')}`,
    sections: sorted.map(({ asset, uses }) => assetHtml(asset, uses)),
  })
}

function assetHtml({ name, slug, kit }: AssetUsage, uses: { project: string; places: UsagePlace[] }[]): Markup {
  const items = uses.map(({ project, places }) => {
    const versions = [...new Set(places.map(({ version }) => version))].toSorted(compareStrings)
    const lines = places.map(
      ({ file, line, by, version }) =>
        escaped`<li><code>${`${file}:${line}`}</code> <small>${`${by}, ${versionText(version)}`}</small></li>`,
    )
    return escaped`<li><strong>${project}</strong> ${versions.map(versionText).join(', ')}
<ul>
${lines}
</ul></li>`
  })
  return escaped`<section><h2>${name}</h2>
<p><small>${`${kit.name}, ${slug}`}</small></p>
<ul>
${items}
</ul></section>`
}

function versionText(version: string): string {
  return version === 'draft' ? 'draft' : `version ${version}`
}
