import { ContentSpaceError, type ErrorCode } from '../../errors.js'
import { offeredCuts } from '../../files/choose-cut.js'
import type { Content } from '../../disk/content.js'
import { planAsset, type FileDescriptor } from '../../files/plan.js'
import type { Originals } from '../../files/originals.js'
import { explainTooManyFiles } from '../../disk/open-files.js'
import { eachLimit } from '../../async/each-limit.js'
import type { LoadedKit } from '../../kit/load.js'
import type { LockSession } from '../../lock/session.js'
import type { ProgressEvent } from '../../progress.js'
import { compareStrings } from '../../text/compare.js'
import { parseQuery } from '../../request/query.js'
import { cutsMadeHere } from '../../space/folder/make-cut.js'
import type { AssetRecord } from '../../space/space.js'
import { describeAsset, describeSection, type Description } from './describe.js'
import { mirrorExtension, placeAssets, sectionFolders } from './layout.js'

/** What the mirror of a version of a kit took. */
export interface MirroredVersion {
  kit: string
  uuid: string
  version: number
  assets: number
  /** Originals and cuts, and their bytes. */
  files: number
  size: number
}

/** A file that the service lists and does not give. */
export interface MissingFile {
  asset: string
  name: string
  cut?: string
  version: number
  reason: string
}

export interface VersionContext {
  sources: Originals
  memory: Pick<LockSession, 'locked'>
  concurrency: number
  allCuts: boolean
  signal: AbortSignal
  onProgress: (event: ProgressEvent) => void
  /** Both take paths in the folder of the version. @returns the md5 of the content */
  write: (path: string, content: Content) => Promise<string | undefined>
  writeJson: (path: string, json: Description) => Promise<void>
}

/** What is fetched of an asset: the original first. Nothing of one that is data. */
interface Wanted {
  asset: AssetRecord
  /** Path without extension. */
  path: string
  files: FileDescriptor[]
}

/** What says that this one file cannot be had. */
const gone: readonly ErrorCode[] = [
  'assetNotFound',
  'objectNotFound',
  'fileCutUnavailable',
  'conversionFailed',
  'contentMismatch',
  'truncated',
]

/** Writes one version of a kit: the files, what describes each, and its sections. */
export async function writeVersion(
  kit: LoadedKit,
  context: VersionContext,
): Promise<MirroredVersion & { missing: MissingFile[] }> {
  const { concurrency, signal, writeJson } = context
  const places = placeAssets(kit.sections, kit.assets)
  const wanted = [...places].flatMap(([uuid, { folder, base }]): Wanted[] => {
    const asset = kit.assets[uuid]
    return asset ? [{ asset, path: `${folder}/${base}`, files: filesOf(asset, context) }] : []
  })
  const tellFile = await plan(kit, wanted, context)
  const paths = new Map<string, string>()
  const sizes: number[] = []
  const missing: MissingFile[] = []

  await eachLimit(wanted, concurrency, signal, async ({ asset, path, files: [original, ...cuts] }, stop) => {
    const fetch = async (file: FileDescriptor, to: string): Promise<string | undefined> => {
      const written = await unlessGone(file, asset, () =>
        context.sources.use(
          file,
          async (content) => ({ md5: (await context.write(to, content)) ?? '', size: content.size }),
          { signal: stop },
        ),
      )
      if (written) sizes.push(written.size)
      tellFile(file)
      return written?.md5
    }
    const to = `${path}.${mirrorExtension(asset.type)}`
    const md5 = original && (await fetch(original, to))
    await writeJson(`${path}.json`, describeAsset(asset, md5))
    paths.set(asset.uuid, md5 === undefined ? `${path}.json` : to)
    for (const cut of md5 === undefined ? [] : cuts) await fetch(cut, `${path}@cut.${mirrorExtension(cut.cut ?? '')}`)
  })

  /** @returns undefined for a file that the service does not have: the rest is mirrored all the same */
  async function unlessGone<T>(
    file: FileDescriptor,
    { cuts }: AssetRecord,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ContentSpaceError) || !gone.includes(error.code)) throw explainTooManyFiles(error)
      const { asset, label: name, cut } = file
      // a cut that the interface's table promises, and the service does not
      if (error.code === 'fileCutUnavailable' && cuts === undefined) return undefined
      missing.push({ asset, name, ...(cut === undefined ? {} : { cut }), version: kit.version, reason: error.summary })
      return undefined
    }
  }

  for (const [index, folder] of sectionFolders(kit.sections).entries()) {
    const section = kit.sections[index]
    if (section) await writeJson(`${folder}/section.json`, describeSection(section, folder, paths))
  }
  return {
    kit: kit.name,
    uuid: kit.uuid,
    version: kit.version,
    assets: paths.size,
    files: sizes.length,
    size: sizes.reduce((sum, size) => sum + size, 0),
    missing: missing.toSorted((a, b) => compareStrings(`${a.asset} ${a.cut ?? ''}`, `${b.asset} ${b.cut ?? ''}`)),
  }
}

/** Sharp would make other bytes of the rest than the service does: where the project uses them, the service's count. */
function filesOf(asset: AssetRecord, { allCuts, memory }: VersionContext): FileDescriptor[] {
  const original = planAsset(asset, parseQuery(''), 'trust').src
  if (!original) return []
  const made = cutsMadeHere.get(asset.type) ?? []
  const cuts = offeredCuts(asset).filter(
    (cut) => allCuts || !made.includes(cut) || memory.locked(asset.uuid, cut) !== undefined,
  )
  return [original, ...cuts.map((cut) => ({ ...original, cut }))]
}

/** Tells what is to be done. @returns to be told of each file that is done with */
async function plan({ name: kit, version }: LoadedKit, wanted: readonly Wanted[], context: VersionContext) {
  const { sources, concurrency, signal, onProgress } = context
  const files = wanted.flatMap((one) => one.files)
  const total = files.length
  const totalBytes = files.reduce((sum, { size = 0 }) => sum + size, 0)
  let downloads = 0
  await eachLimit(files, concurrency, signal, async (file) => {
    if (!(await sources.has(file))) downloads++
  })
  onProgress({ type: 'plan', kit, version, files: total, bytes: totalBytes, downloads, reused: 0 })
  let [done, bytes] = [0, 0]
  return ({ label: name, size = 0 }: FileDescriptor): void => {
    done++
    bytes += size
    onProgress({ type: 'file', kit, name, done, total, bytes, totalBytes })
  }
}
