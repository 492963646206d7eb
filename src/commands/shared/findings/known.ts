import * as v from 'valibot'
import { eachLimit } from '../../../async/each-limit.js'
import { originalKey } from '../../../disk/cache-layout.js'
import { integrityOf } from '../../../disk/content.js'
import type { Derived, Kind } from '../../../disk/derived.js'
import type { Engine } from '../../../engine/engine.js'
import { ignoreCodes, ignoreOwnErrors } from '../../../errors.js'
import { offeredCuts } from '../../../files/choose-cut.js'
import type { Files } from '../../../files/files.js'
import { planAsset } from '../../../files/plan.js'
import type { NamedKit } from '../../../kit/named-kit.js'
import { revisionOfLocked } from '../../../lock/table.js'
import { parseQuery } from '../../../request/query.js'
import { parseKit, type KitReference } from '../../../request/request.js'
import { isData, isRaster } from '../../../space/asset-type.js'
import { isOffline } from '../../../space/offline.js'
import { revisionOfFile } from '../../../space/revision.js'
import { spaceOf, type AssetRecord } from '../../../space/space.js'
import { withShownFiles, type Pictures } from '../pictures.js'
import { kitsInUse } from '../kits.js'
import { withoutPicture } from '../changes/pictures.js'
import { lookAt, lookSchema, lookSize, type Look } from './look.js'
import type { Finding } from './report.js'

export type KnownAsset = Pick<Finding, 'kit' | 'asset' | 'version' | 'import'>

/** The assets to compare with the project's files and pictures. */
export interface Known {
  /** By hash in lower-case hexadecimal. An asset without `version` belongs to the version in use. */
  hashes: ReadonlyMap<string, KnownAsset>
  looks: readonly { asset: KnownAsset; isDrawing: boolean; looks: readonly Look[] }[]
  /** The number of pictures that couldn't be read or weren't downloaded. */
  unknown: number
  /** The assets in use, by uuid. */
  used: ReadonlyMap<string, Used>
}

export interface KnownOptions {
  /** Whether to download SVGs that the cache lacks. */
  download: boolean
  signal: AbortSignal
  /** Called with the number of downloads before the first one. */
  onDownloads: (count: number) => void
}

const looksKind: Kind<Look[]> = { name: 'looks', schema: v.array(lookSchema) }

/** The numbers and labels of the versions of a kit. */
const versionsKind = { name: 'versions', schema: v.array(v.tuple([v.number(), v.string()])) }

/** The kits of the last run: their names in ids, their uuids, and their versions. */
const kitsKind = { name: 'kits', schema: v.array(v.tuple([v.string(), v.string(), v.number()])) }

export interface Used {
  record: AssetRecord
  known: KnownAsset
}

/**
 * Reads the data to recognize the assets of kits: the hashes of all versions, and the looks of the version in use.
 * @throws ContentSpaceError any error of loading a kit
 */
export async function readKnown(engine: Engine, derived: Derived, options: KnownOptions): Promise<Known> {
  const hashes = new Map<string, KnownAsset>()
  const used = new Map<string, Used>()
  const kits = await viewKits(engine, derived)
  for (const [id, named] of kits)
    for (const record of Object.values(named.kit.assets))
      if (!used.has(record.uuid)) used.set(record.uuid, { record, known: knownAsset(id, named, record) })
  const looks = await readLooks([...used.values()], engine, derived, options)
  // Keep the files that the looks were read from, so that the next run finds the same matches.
  for (const [id, named] of kits)
    for (const record of Object.values(named.kit.assets))
      for (const hash of await hashesOf(record, named, engine))
        if (!hashes.has(hash)) hashes.set(hash, knownAsset(id, named, record))
  for (const [id, named] of kits) await addVersions(id, named, { engine, derived, hashes })
  return { hashes, ...looks, used }
}

/** Loads the kits. Offline, kits that neither the lockfile nor the cache contains come from the last run. */
async function viewKits(engine: Engine, derived: Derived): Promise<[string, NamedKit][]> {
  const { catalog, options } = engine
  const inputs = [...options.kits]
  const view = async (id: string, kit: KitReference): Promise<[string, NamedKit]> => [id, await catalog.load(kit)]
  try {
    const ids = await kitsInUse(engine)
    const kits = await Promise.all(ids.map((id) => view(id, parseKit(id, options.kits))))
    derived.keep(
      kitsKind,
      inputs,
      kits.map(([id, { kit }]) => [id, kit.uuid, kit.version]),
    )
    return kits
  } catch (error) {
    const last = isOffline(error) ? derived.find(kitsKind, inputs) : undefined
    if (last === undefined) throw error
    return Promise.all(last.map(([id, kit, version]) => view(id, { kit, version })))
  }
}

function knownAsset(kit: string, { assets }: NamedKit, { uuid, name }: AssetRecord): KnownAsset {
  const slug = assets.get(uuid)?.slug
  return {
    kit,
    asset: { uuid, name, slug: slug ?? uuid.toLowerCase() },
    import: slug === undefined ? undefined : `content-space:asset/${kit}/${slug}`,
  }
}

/** The listed hash of an asset, and the hashes of its original and its cuts in the lockfile and the cache. */
async function hashesOf(record: AssetRecord, { kit }: NamedKit, { lock, store, space }: Engine): Promise<string[]> {
  if (isData(record)) return []
  const { uuid, type, fileHash } = record
  const revision = revisionOfFile(record)
  const lines = Object.values(lock.lockedKit(kit.uuid)?.versions ?? {}).flatMap(({ assets }) => assets[uuid] ?? [])
  const files = lines.flatMap((line) =>
    revisionOfLocked(uuid, line) === revision ? Object.values(line.files ?? {}) : [],
  )
  for (const cut of [undefined, ...offeredCuts(record)]) {
    const info = await store.info(
      originalKey({ space: spaceOf(space, kit.uuid).key, asset: uuid, revision, cut, type }),
    )
    if (info) files.push(info.integrity)
  }
  return [
    ...(fileHash === undefined ? [] : [fileHash]),
    ...files.map((integrity) => Buffer.from(integrity.replace('sha256-', ''), 'base64').toString('hex')),
  ]
}

/** Adds the files of other published versions, newest first. */
async function addVersions(
  id: string,
  current: NamedKit,
  { engine, derived, hashes }: { engine: Engine; derived: Derived; hashes: Map<string, KnownAsset> },
): Promise<void> {
  const { catalog, space, options } = engine
  const { uuid } = current.kit
  const listed = options.offline
    ? (derived.find(versionsKind, [uuid]) ?? [])
    : ((await space.kit(uuid, 'versions')).versions ?? []).map((one): [number, string] => [
        one.version,
        one.versionIdentifier,
      ])
  derived.keep(versionsKind, [uuid], listed)
  const others = listed.filter(([version]) => version !== 0 && version !== current.kit.version)
  let isListed = false
  for (const [version, label] of others.toSorted(([a], [b]) => b - a)) {
    isListed ||= (await catalog.lastLoaded(uuid, version)) === undefined
    const other = await catalog.peek(uuid, version).catch(ignoreCodes('versionNotFound', 'offline'))
    for (const record of Object.values(other?.kit.assets ?? {})) {
      const { fileHash } = record
      // For data, services list the hash of an empty file.
      if (fileHash === undefined || isData(record) || hashes.has(fileHash)) continue
      hashes.set(fileHash, { ...knownAsset(id, current, record), version: label || String(version) })
    }
  }
  // A service may return the file of the version that was listed last. List the version in use again, so that later
  // downloads return its files.
  if (isListed && !options.offline) await catalog.listed(uuid, current.kit.version)
}

type Source = (signal: AbortSignal) => Promise<Uint8Array | undefined>

/** Reads the looks of assets, in the order of the assets. Reuses looks from earlier runs. */
async function readLooks(
  used: readonly Used[],
  engine: Engine,
  derived: Derived,
  { download, signal, onDownloads }: KnownOptions,
): Promise<Pick<Known, 'looks' | 'unknown'>> {
  const found = new Map<Used, readonly Look[]>()
  return withShownFiles(engine, async (files, pictures) => {
    const open: [Used, Source][] = []
    const missing: [Used, Source][] = []
    for (const one of used) {
      const looks = derived.find(looksKind, inputsOf(one.record))
      const source = looks ? undefined : await sourceOfAsset(one.record, engine, { files, pictures, size: lookSize })
      if (looks) found.set(one, looks)
      else if (source) (source.isHere ? open : missing).push([one, source.read])
    }
    const isReachable = download && !engine.options.offline
    if (isReachable && missing.length > 0) onDownloads(missing.length)
    let failed = 0
    const read = isReachable ? [...open, ...missing] : open
    await eachLimit(read, engine.options.concurrency, signal, async ([one, source], aborted) => {
      const bytes = await source(aborted).catch(withoutPicture)
      if (bytes === undefined) {
        failed++
        return
      }
      const looks = await lookAt(bytes)
      derived.keep(looksKind, inputsOf(one.record), looks)
      found.set(one, looks)
    })
    const looks = used.flatMap((one) => {
      const own = found.get(one) ?? []
      return own.length === 0 ? [] : [{ asset: one.known, isDrawing: one.record.type === 'SVG', looks: own }]
    })
    return { looks, unknown: failed + (isReachable ? 0 : missing.length) }
  })
}

function inputsOf(asset: AssetRecord): unknown[] {
  return [asset.uuid, revisionOfFile(asset) ?? null]
}

/**
 * Finds the source of an asset's picture. Uses the original of an SVG, to distinguish a redrawn SVG from one that is
 * only similar. For other pictures, a thumbnail is enough, so the original isn't downloaded.
 * @param size pixels of the longer side, unless only a thumbnail exists
 * @returns undefined for an asset that isn't a picture
 */
export async function sourceOfAsset(
  record: AssetRecord,
  { space }: Engine,
  { files, pictures, size }: { files: Files; pictures: Pictures; size: number },
): Promise<{ isHere: boolean; read: Source } | undefined> {
  const isDrawing = record.type === 'SVG'
  if (isData(record) || !(isDrawing || isRaster(record.type))) return undefined
  const { src } = planAsset(record, parseQuery(`w=${size}&h=${size}&fit=inside&format=png`), 'sanitize')
  if (src === undefined) return undefined
  const isHere = spaceOf(space, record.from?.kit).local === true || (await files.has(src))
  if (isHere || isDrawing) return { isHere, read: (signal) => files.bytes(src, { signal }) }
  if (Object.keys(record.thumbnails).length === 0) return undefined
  return {
    isHere: true,
    read: (signal) => pictures.preview(record, signal).then(({ bytes }) => bytes, ignoreOwnErrors),
  }
}

export function digestOf({ hashes, looks }: Known, ...others: unknown[]): string {
  return integrityOf(JSON.stringify([[...hashes], looks, others]))
}
