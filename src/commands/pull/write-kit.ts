import { dirname, relative } from 'node:path'
import { abortable } from '../../async/abortable.js'
import { eachLimit } from '../../async/each-limit.js'
import { nearestManifest } from '../../config/manifest.js'
import { manifestName, type FolderPolicy } from '../../disk/folder-policy.js'
import type { Engine } from '../../engine/engine.js'
import { writeFolder, type FileStatus, type FolderWriter, type WrittenFolder } from '../../disk/write-folder.js'
import { ContentSpaceError } from '../../errors.js'
import type { FileDescriptor, ValueDescriptor } from '../../files/plan.js'
import type { NamedKit } from '../../kit/named-kit.js'
import type { ProgressEvent } from '../../progress.js'
import { offlineError } from '../../space/offline.js'
import { compareStrings } from '../../text/compare.js'
import { shortList } from '../../text/quantities.js'
import { reportPlan } from '../shared/file-progress.js'
import type { BadFiles } from './bad-files.js'
import type { FolderContents, PlacedAsset, PlacedFile } from './layout.js'
import { manifestBytes } from './manifest.js'
import type { FolderReport } from './options.js'
import { modulePaths, moduleTexts, packageName } from './render.js'

/** How a run of `pull` makes files. */
export interface PullRun extends Pick<Engine, 'options' | 'files'> {
  /** Whether to remove files of earlier runs that are no longer part of the kit. */
  prune: boolean
  /** Whether to only report what would change. */
  dryRun: boolean
  signal: AbortSignal
  onProgress: (event: ProgressEvent) => void
  warn: (message: string) => void
  /** Collects errors about files of all kits. */
  bad: BadFiles
}

/** Runs the work for a file, and stores its error for later. */
type Collect = (work: () => Promise<void>) => Promise<void>

type AssetFile = PlacedFile & { status: FileStatus }

/**
 * Writes the folder of a kit: first asset files, then modules, finally index and manifest.
 * @param out absolute path
 */
export function writeKit(
  out: string,
  contents: FolderContents,
  run: PullRun,
): Promise<WrittenFolder<Pick<FolderReport, 'files' | 'reused'>>> {
  const { named, placed } = contents
  const { options, dryRun, prune, signal } = run
  const files = placed.flatMap((asset) => [...asset.files.values()])
  const values = valuesOf(placed)
  const policy: FolderPolicy = {
    owns: 'unchanged',
    command: 'pull',
    manifest: manifestName,
    paths: [...files.map(({ path }) => path), ...modulePaths(contents)],
    describe: (written) => manifestBytes(named, placed, written, contents.query.full),
  }
  const order = { out, option: '--out', policy, cacheDir: options.cacheDir, prune, dryRun, signal } as const
  return writeFolder(order, async (writer) => {
    const isAlone = checkOthers(writer.others, out, contents, run)
    const compared: AssetFile[] = []
    for (const file of files)
      compared.push({ ...file, status: await writer.compare(file.path, { revision: file.revision }) })
    const outdated = compared.filter(({ status }) => status === 'outdated')
    const missing = await missingFrom(values, ({ file }) => file, run)
    const reused = compared.filter(({ status }) => status === 'current').length
    const made = [...outdated, ...missing].map(({ file }) => file)
    const reportFile = await planFiles(named, made, reused, run)
    const counts = { files: files.length, reused }
    const collect: Collect = (work) => run.bad.collect(named, work)
    if (!dryRun) await writeFiles(outdated, writer, reportFile, run, collect)
    // A dry run leaves out modules that contain values, because it doesn't make values.
    else if (values.length > 0) return counts
    const onValue = (value: ValueDescriptor): void => {
      if (missing.includes(value)) reportFile(value.file)
    }
    const texts = await makeValues(values, run, onValue, collect)
    run.bad.check(named)
    const modules = moduleTexts(contents, (value) => texts.get(value) ?? '')
    await eachLimit(modules, options.concurrency, signal, async ([path, text]) => {
      if (isAlone || path !== packageName) await writer.put(path, text)
    })
    return counts
  })
}

const script = /(?:\.d)?\.[cm]?[jt]sx?$/

/**
 * Checks the other files in a folder, which `pull` didn't write. A `package.json` would apply to them, too, so bundlers
 * would drop their side effects.
 * @returns whether the folder doesn't contain any of these files, so that it may have a `package.json`
 * @throws ContentSpaceError `fileSystem` for a script that a module of the kit would hide from imports, and for
 *   CommonJS modules that Node could read only with a `package.json`
 */
function checkOthers(others: readonly string[], out: string, contents: FolderContents, { options, warn }: PullRun) {
  if (others.length === 0) return true
  const modules = new Map(
    modulePaths(contents).flatMap((path) => (path.endsWith('.js') ? [[path.replace(script, ''), path] as const] : [])),
  )
  const clashes = others.flatMap((path) => {
    const module = script.test(path) ? modules.get(path.replace(script, '')) : undefined
    return module === undefined ? [] : [`${path} (${module})`]
  })
  if (clashes.length > 0) {
    const message = `${out} contains scripts with the same import path as a module that pull would write`
    throw new ContentSpaceError('fileSystem', `${message}: ${shortList(clashes)}.`, {
      hint: 'Nothing was changed. Choose a separate --out, such as src/brand.',
    })
  }
  const shown = relative(options.root, out) || '.'
  const problem = `${shown} contains other files, such as ${others[0]}, so pull does not write package.json there`
  if (contents.module === 'cjs' && nearestManifest(dirname(out))?.type === 'module')
    throw new ContentSpaceError('fileSystem', `${problem}, and Node would read CommonJS as ES modules.`, {
      hint: 'Nothing was changed. Choose a separate --out, such as src/brand.',
    })
  warn(`${problem}, and bundlers may keep files that nothing imports. A separate --out avoids this.`)
  return false
}

/** Returns the file contents and data URIs that are written into modules. */
export function valuesOf(placed: readonly PlacedAsset[]): ValueDescriptor[] {
  return placed.flatMap(({ plan: { value, placeholder, dark } }) =>
    [value, placeholder, dark?.value].flatMap((one) => one ?? []),
  )
}

/**
 * Reports the files that a run makes.
 * @returns a function to call for each file that is written
 * @throws ContentSpaceError `offline`, which lists all missing files
 */
export async function planFiles(
  { kit }: Pick<NamedKit, 'kit'>,
  files: readonly FileDescriptor[],
  reused: number,
  run: PullRun,
): Promise<(file: FileDescriptor) => void> {
  // Files made from one original or cut share its download.
  const sources = new Map(
    files.map((file) => [JSON.stringify([file.asset, file.hash, file.updated, file.cut]), file] as const),
  )
  const missing = await missingFrom([...sources.values()], (file) => file, run)
  if (run.options.offline && missing.length > 0) {
    const lines = missing.map(({ label, cut }) => `${label}${cut === undefined ? '' : ` as ${cut}`}`)
    throw offlineError('Missing from the cache while offline:', { lines: lines.toSorted(compareStrings) })
  }
  return reportPlan({ kit, files, downloads: missing.length, reused }, run.onProgress)
}

/** Returns the items whose source isn't in the cache. */
export async function missingFrom<T>(
  items: readonly T[],
  fileOf: (item: T) => FileDescriptor,
  { files, options, signal }: PullRun,
): Promise<T[]> {
  const missing: T[] = []
  await eachLimit(items, options.concurrency, signal, async (item) => {
    if (!(await files.has(fileOf(item)))) missing.push(item)
  })
  return missing
}

/** Starts more files than there are parallel requests, so that downloads continue while files are written. */
async function writeFiles(
  outdated: readonly AssetFile[],
  writer: FolderWriter,
  reportFile: (file: FileDescriptor) => void,
  { files, options, signal }: PullRun,
  collect: Collect,
): Promise<void> {
  const write = async ({ path, file, revision }: AssetFile, stop: AbortSignal): Promise<void> => {
    // On abort, don't wait for running downloads, but wait for files that are being written.
    let writing: Promise<void> | undefined
    const reading = files.use(
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
  }
  await eachLimit(outdated, 3 * options.concurrency, signal, (one, stop) => collect(() => write(one, stop)))
}

async function makeValues(
  values: readonly ValueDescriptor[],
  { files, options, signal }: PullRun,
  onValue: (value: ValueDescriptor) => void,
  collect: Collect,
): Promise<ReadonlyMap<ValueDescriptor, string>> {
  const made = new Map<ValueDescriptor, string>()
  const make = async (value: ValueDescriptor, stop: AbortSignal): Promise<void> => {
    made.set(value, await abortable(files.value(value, { signal: stop }), stop))
    onValue(value)
  }
  await eachLimit(values, options.concurrency, signal, (value, stop) => collect(() => make(value, stop)))
  return made
}
