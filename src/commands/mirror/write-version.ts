import { eachLimit } from '../../async/each-limit.js'
import { hashContent, type Content } from '../../disk/content.js'
import { explainTooManyFiles } from '../../disk/file-error.js'
import type { FolderWriter } from '../../disk/write-folder.js'
import type { Engine } from '../../engine/engine.js'
import { ContentSpaceError, fileErrors } from '../../errors.js'
import { offeredCuts } from '../../files/choose-cut.js'
import type { Originals } from '../../files/originals.js'
import { planAsset, type FileDescriptor } from '../../files/plan.js'
import type { LoadedKit } from '../../kit/load.js'
import type { ProgressEvent } from '../../progress.js'
import { parseQuery } from '../../request/query.js'
import { cutsMadeHere } from '../../space/folder/make-cut.js'
import { readCut, type AssetRecord } from '../../space/space.js'
import { compareStrings } from '../../text/compare.js'
import { escapeHidden } from '../../text/display.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { reportPlan } from '../shared/file-progress.js'
import { describeAsset, describeSection, type Description } from './describe.js'
import { mirrorEnding, placeAssets, sectionFolders } from './layout.js'

/** A version of a kit in a mirror. */
export interface MirroredVersion {
  /** Name of the kit. */
  kit: string
  /** Uuid of the kit. */
  uuid: string
  version: number
  assets: number
  /** The number of originals and cuts. */
  files: number
  /** The total size of originals and cuts in bytes. */
  size: number
}

/** A file that the service lists but doesn't provide. */
export interface MissingFile {
  /** Uuid of the asset. */
  asset: string
  name: string
  cut?: string
  version: number
  reason: string
}

/**
 * The context of a mirror.
 * @internal
 */
export interface MirrorRun extends Pick<Engine, 'options' | 'space' | 'lock'> {
  sources: Originals
  folder: FolderWriter
  allCuts: boolean
  signal: AbortSignal
  onProgress: (event: ProgressEvent) => void
  warn: (message: string) => void
}

/**
 * Writes JSON.
 * @param path within the mirror's folder
 * @internal
 */
export function writeJson({ folder }: MirrorRun, path: string, json: Description): Promise<void> {
  return folder.put(path, `${escapeHidden(JSON.stringify(json, null, 2))}\n`)
}

/**
 * Writes one version of a kit: files, a JSON file for each asset, and a `section.json` for each section.
 * @param base path of its folder
 * @internal
 */
export async function writeVersion(
  kit: LoadedKit,
  base: string,
  run: MirrorRun,
): Promise<MirroredVersion & { missing: MissingFile[] }> {
  const { signal, sources, folder, onProgress, options } = run
  const { name, uuid, version } = kit
  const assets = [...placeAssets(kit.sections, kit.assets)].map(([asset, path]) => {
    return { asset, path, files: filesOfAsset(asset, run) }
  })
  const files = assets.flatMap((asset) => asset.files)
  let downloads = 0
  await eachLimit(files, options.concurrency, signal, async (file) => {
    if (!(await sources.has(file))) downloads++
  })
  const reportFile = reportPlan({ kit, files, downloads, reused: 0 }, onProgress)
  /**
   * Paths of the assets within the version's folder, by uuid: the file of an asset, or its JSON if it doesn't have a
   * file.
   */
  const paths = new Map<string, string>()
  /** The size of each written file in bytes. */
  const sizes: number[] = []
  const missing: MissingFile[] = []

  /** @returns the md5 of the file, or undefined if the service doesn't provide the file */
  async function writeFile(file: FileDescriptor, asset: AssetRecord, path: string, stop: AbortSignal) {
    const copy = async (content: Content): Promise<string> => {
      const md5 = await hashContent(content, 'md5')
      await folder.put(`${base}/${path}`, content)
      sizes.push(content.size)
      return md5
    }
    const written = await sources.use(file, copy, { signal: stop }).catch((error: unknown) => {
      if (!(error instanceof ContentSpaceError) || !fileErrors.includes(error.code)) throw explainTooManyFiles(error)
      // If the record doesn't list cuts, we have requested the usual cuts of its type. The service may not offer all of
      // them.
      const isGuess = error.code === 'fileCutUnavailable' && asset.cuts === undefined
      const { label, cut } = file
      if (!isGuess) missing.push(omitUndefined({ asset: file.asset, name: label, cut, version, reason: error.summary }))
      return undefined
    })
    reportFile(file)
    return written
  }

  await eachLimit(assets, options.concurrency, signal, async ({ asset, path, files: [original, ...cuts] }, stop) => {
    const file = `${path}${original ? mirrorEnding(original) : '.json'}`
    const md5 = original && (await writeFile(original, asset, file, stop))
    await writeJson(run, `${base}/${path}.json`, describeAsset(asset, md5))
    paths.set(asset.uuid, md5 === undefined ? `${path}.json` : file)
    if (md5 === undefined) return
    for (const cut of cuts) await writeFile(cut, asset, `${path}${mirrorEnding(cut)}`, stop)
  })
  for (const [index, place] of sectionFolders(kit.sections).entries()) {
    const section = kit.sections[index]
    if (section) await writeJson(run, `${base}/${place}/section.json`, describeSection(section, place, paths))
  }
  return {
    kit: name,
    uuid,
    version,
    assets: paths.size,
    files: sizes.length,
    size: sizes.reduce((sum, size) => sum + size, 0),
    missing: missing.toSorted((a, b) => compareStrings(`${a.asset} ${a.cut ?? ''}`, `${b.asset} ${b.cut ?? ''}`)),
  }
}

/**
 * Returns the original and the cuts to mirror. Leaves out a cut that can be made from the original, unless the lockfile
 * pins it, because sharp's bytes differ from the service's bytes.
 */
function filesOfAsset(asset: AssetRecord, { allCuts, lock }: MirrorRun): FileDescriptor[] {
  const original = planAsset(asset, parseQuery(''), 'trust').src
  if (!original) return []
  const made = cutsMadeHere.get(asset.type) ?? []
  const offered = offeredCuts(asset)
  const tables = Object.values(lock.current().kits).flatMap(({ versions }) => Object.values(versions))
  const known = tables.flatMap(({ assets }) => Object.keys(assets[asset.uuid]?.files ?? {}))
  const { hash, updated } = original
  const isLocked = (cut: string) => lock.locked(asset.uuid, cut, hash ?? updated) !== undefined
  const cuts = [
    ...offered.filter((cut) => allCuts || !made.includes(cut)),
    ...known.filter((cut) => offered.includes(readCut(cut).type) && isLocked(cut)),
  ]
  return [original, ...[...new Set(cuts)].map((cut) => ({ ...original, cut }))]
}
