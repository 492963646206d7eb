import { resolve } from 'node:path'
import PQueue from 'p-queue'
import { ContentSpaceError, type ErrorCode } from '../errors.js'
import { offeredCuts } from '../files/cuts.js'
import { planAsset, type FileDescriptor } from '../files/plan.js'
import type { Sources } from '../files/source.js'
import { openDirectory } from '../kit/directory.js'
import { loadKit, type LoadedKit } from '../kit/load.js'
import type { Memory } from '../kit/memory.js'
import type { ResolvedOptions } from '../options.js'
import { order } from '../order.js'
import { parseQuery } from '../query.js'
import { parseKit, type VersionSelector } from '../request.js'
import { cutsMadeHere } from '../space/cuts.js'
import type { AssetRecord, KitRecord, Space } from '../space/space.js'
import { describeAsset, describeKit, describeSection, type Description } from './descriptions.js'
import { kitFolders, mirrorExtension, placeAssets, sectionFolders, type Place } from './paths.js'
import { openStage, type Stage } from './stage.js'

/** What to mirror, and where. */
export interface MirrorOrder {
  /**
   * What stands behind `content-space:kit/`. `brand` is every version of the kit; `brand@use`, `brand@1` are these alone.
   * The draft and the version in use are always there.
   */
  kits: readonly string[]
  /** Folder, relative to the root. */
  out: string
  /** Every cut that the service offers; default: those that cannot be made from the file, and those that the lock has. */
  allCuts?: boolean
  /** Told of each version of a kit once its files are there. */
  onVersion?: (version: MirroredVersion) => void
}

interface MirroredVersion {
  kit: string
  uuid: string
  version: number
  assets: number
  /** Originals and cuts, and their bytes. */
  files: number
  size: number
}

export interface MirrorReport {
  /** Absolute path. */
  out: string
  versions: MirroredVersion[]
  /** Whether the folder holds anything else now than before. */
  changed: boolean
  /** Files that the service lists and does not give. */
  missing: { asset: string; name: string; cut?: string; version: number; reason: string }[]
  warnings: string[]
}

export interface MirrorContext {
  options: ResolvedOptions
  space: Space
  sources: Sources
  warn: (message: string) => void
  warnings: () => string[]
  memory: Pick<Memory, 'kits' | 'version' | 'locked'>
}

/** What says that this one file cannot be had. */
const gone: readonly ErrorCode[] = ['assetNotFound', 'objectNotFound', 'fileCutUnavailable', 'conversionFailed', 'contentMismatch', 'truncated']

/**
 * Writes kits as an embedded space, with real uuids, from which builds come out the same.
 * The folder appears whole, or stays as it was.
 * @throws ContentSpaceError `kitNotFound`, `versionNotFound`, `invalidOption` for a folder that is no mirror, and what the space throws
 */
export async function mirror({ kits: ids, out, allCuts = false, onVersion }: MirrorOrder, context: MirrorContext): Promise<MirrorReport> {
  const { options, space } = context
  const place = resolve(options.root, out)
  const stage = await openStage(place)
  try {
    const wanted = await wantedKits(ids, context)
    const folders = kitFolders(wanted.map(({ kit }) => kit))
    const report: MirrorReport = { out: place, versions: [], changed: false, missing: [], warnings: [] }
    const write = jsonWriter(stage, options)
    const spaceId = Number(space.spaceId ?? wanted[0]?.kit.spaceId)
    await write('space.json', Number.isSafeInteger(spaceId) ? { space_id: spaceId } : {})
    for (const { kit, versions } of wanted) {
      const folder = folders.get(kit.uuid) ?? ''
      const loaded: LoadedKit[] = []
      // One version after the other: a download names none, and a service may give the file of the version listed last.
      for (const version of versions) {
        const read = await loadKit(kit, version, { ...context, strict: options.strict })
        const missing: MirrorReport['missing'] = []
        const path = [folder, snapshotFolder(version)].filter(Boolean).join('/')
        const written = await writeVersion({ ...context, stage, write, allCuts, missing, kit: read, folder: path })
        const done = { kit: kit.name, uuid: kit.uuid, version, ...written }
        report.versions.push(done)
        report.missing.push(...missing.toSorted((a, b) => order(`${a.asset} ${a.cut ?? ''}`, `${b.asset} ${b.cut ?? ''}`)))
        onVersion?.(done)
        loaded.push(read)
      }
      await write(`${folder}/kit.json`, describeKit(kit, loaded, snapshotFolder))
    }
    return { ...report, changed: await stage.publish(), warnings: context.warnings() }
  } catch (error) {
    await stage.discard()
    throw error
  }
}

/** The kit's own folder is the draft. */
function snapshotFolder(version: number): string {
  return version === 0 ? '' : `versions/${version}`
}

interface WantedKit {
  kit: KitRecord
  versions: number[]
}

/** Each kit once, with its versions in order, the draft first. */
async function wantedKits(ids: readonly string[], context: MirrorContext): Promise<WantedKit[]> {
  const { space, memory, options } = context
  const directory = openDirectory(space, memory.kits)
  const asked = new Map<string, { id: string; version: VersionSelector }[]>()
  for (const id of ids) {
    const { kit: name, version } = parseKit(id, options.kits)
    const { uuid } = await directory.kit(await directory.uuidOf(name))
    asked.set(uuid, [...(asked.get(uuid) ?? []), { id, version }])
  }
  return Promise.all(
    [...asked].map(async ([uuid, selectors]) => {
      const kit = await space.kit(uuid, 'versions')
      const all = [0, ...(kit.versions ?? []).map(({ version }) => version)]
      const pinned = memory.version(uuid, 'use') ?? kit.useVersion
      const chosen = selectors.flatMap(({ id, version }) => (id.includes('@') ? [version === 'use' ? pinned : version] : all))
      checkVersions(kit, chosen, all)
      return { kit, versions: [...new Set([0, kit.useVersion, pinned, ...chosen])].toSorted((a, b) => a - b) }
    }),
  )
}

function checkVersions({ uuid, name }: KitRecord, chosen: readonly number[], all: readonly number[]): void {
  const version = chosen.find((one) => !all.includes(one))
  if (version === undefined) return
  throw new ContentSpaceError('versionNotFound', `Kit ${name} has no version ${version}.`, {
    kit: uuid,
    version,
    hint: `Its versions are ${[...new Set(all)].join(', ')}.`,
  })
}

type WriteJson = (path: string, json: Description) => Promise<void>

/** Characters. What is shorter is found in texts that know nothing of it. */
const leastSecret = 8

/** A service may echo the token. */
function jsonWriter(stage: Stage, { space }: ResolvedOptions): WriteJson {
  const redact = 'folder' in space ? (text: string) => text : (text: string) => space.credentials.redact(text, leastSecret)
  return (path, json) => stage.write(path, `${redact(JSON.stringify(json, null, 2))}\n`)
}

interface VersionContext extends MirrorContext {
  stage: Stage
  write: WriteJson
  allCuts: boolean
  missing: MirrorReport['missing']
  kit: LoadedKit
  /** Of the version, in the mirror. */
  folder: string
}

async function writeVersion(context: VersionContext): Promise<{ assets: number; files: number; size: number }> {
  const { kit, folder, options, write } = context
  const places = placeAssets(kit.sections, kit.assets)
  const queue = new PQueue({ concurrency: options.concurrency })
  const files = new Map<string, string>()
  const sizes: number[] = []
  const jobs = Object.values(kit.assets).map((asset) => async () => {
    const place = places.get(asset.uuid)
    if (!place) return
    const written = await writeAsset(asset, place, context)
    files.set(asset.uuid, written.path)
    sizes.push(...written.sizes)
  })
  try {
    await Promise.all(jobs.map((job) => queue.add(job)))
  } finally {
    queue.clear()
    await queue.onIdle()
  }
  const sections = sectionFolders(kit.sections)
  for (const [index, section] of kit.sections.entries()) {
    const name = sections[index] ?? ''
    await write(`${folder}/${name}/section.json`, describeSection(section, name, files))
  }
  return { assets: files.size, files: sizes.length, size: sizes.reduce((sum, size) => sum + size, 0) }
}

/** @returns the path that sections name it by, and the bytes of its files */
async function writeAsset(asset: AssetRecord, place: Place, context: VersionContext): Promise<{ path: string; sizes: number[] }> {
  const { stage, write, folder } = context
  const path = `${place.folder}/${place.base}`
  const file = planAsset(asset, parseQuery(''), 'trust').src
  const bytes = file && (await readFile(file, context))
  await write(`${folder}/${path}.json`, describeAsset(asset, bytes))
  if (!file || !bytes) return { path: `${path}.json`, sizes: [] }
  const original = `${path}.${mirrorExtension(asset.type)}`
  await stage.write(`${folder}/${original}`, bytes)
  const sizes = [bytes.length]
  for (const cut of wantedCuts(asset, context)) {
    const made = await readFile({ ...file, cut }, context)
    if (!made) continue
    await stage.write(`${folder}/${path}@cut.${mirrorExtension(cut)}`, made)
    sizes.push(made.length)
  }
  return { path: original, sizes }
}

/** Sharp would make other bytes of the rest than the service does: where the project uses them, the service's count. */
function wantedCuts(asset: AssetRecord, { allCuts, memory }: VersionContext): string[] {
  const made = cutsMadeHere[asset.type] ?? []
  return offeredCuts(asset).filter((cut) => allCuts || !made.includes(cut) || memory.locked(asset.uuid, cut) !== undefined)
}

/** @returns undefined for a file that the service does not have: the rest is mirrored all the same */
async function readFile(file: FileDescriptor, { sources, missing, kit }: VersionContext): Promise<Uint8Array | undefined> {
  try {
    return (await sources.read(file)).bytes
  } catch (error) {
    if (!(error instanceof ContentSpaceError) || !gone.includes(error.code)) throw error
    const { asset, label: name, cut } = file
    // a cut that the interface's table promises, and the service does not
    if (error.code === 'fileCutUnavailable' && kit.assets[asset]?.cuts === undefined) return undefined
    missing.push({ asset, name, ...(cut === undefined ? {} : { cut }), version: kit.version, reason: error.summary })
    return undefined
  }
}
