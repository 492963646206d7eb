import { createHash } from 'node:crypto'
import PQueue from 'p-queue'
import * as v from 'valibot'
import { hashChunks, memoryLimit } from '../../disk/content.js'
import type { Derived } from '../../disk/derived.js'
import { readRegularFile } from '../../disk/read-file.js'
import { canonicalType, cutsByType, dataTypes, isRaster, isType } from '../asset-type.js'
import { isFontExtension } from '../font-record.js'
import { readCut } from '../space.js'
import { objectOf } from '../../text/json.js'
import { cutsMadeHere } from './make-cut.js'
import { readDimensions } from './dimensions.js'
import { storedFile, type StoredAsset, type StoredFile } from './model.js'
import { assetJson, type AssetJson, type FileCutsJson } from './sidecar.js'
import { derivedUuid, readableName, splitExtension } from './naming.js'
import type { FolderEntry } from './list.js'
import { omitUndefined } from '../../text/omit-undefined.js'

export type ReadFile = (entry: FolderEntry, type: string) => Promise<StoredFile>

const fileKind = { name: 'file', schema: storedFile }

/**
 * Milliseconds. File system clocks advance in steps of up to 2 s, so a file that has just changed may change again
 * without getting a new timestamp.
 */
const settled = 2500

/**
 * Creates a function that reads the size, hash and dimensions of files, with limited concurrency. Caches the results
 * until a file changes.
 */
export function createFileReader(kept: Derived): ReadFile {
  const cache = new Map<string, { stamp: string; facts: Promise<StoredFile> }>()
  const queue = new PQueue({ concurrency: 16 })

  async function read(entry: FolderEntry, type: string): Promise<StoredFile> {
    const inputs = [entry.path, entry.stamp, type]
    const known = kept.find(fileKind, inputs)
    if (known) return known
    const isSettled = Date.now() - entry.changed > settled
    const facts = await queue.add(() => readFacts(entry, type))
    if (isSettled) kept.keep(fileKind, inputs, facts)
    return facts
  }

  return (entry, type) => {
    const key = `${type}:${entry.path}`
    const cached = cache.get(key)
    if (cached?.stamp === entry.stamp) return cached.facts
    const facts = read(entry, type)
    cache.set(key, { stamp: entry.stamp, facts })
    facts.catch(() => cache.delete(key))
    return facts
  }
}

async function readFacts({ path, size }: FolderEntry, type: string): Promise<StoredFile> {
  const isFont = isType(type, 'font')
  // A video or an archive may not fit into memory.
  if (size > memoryLimit && !isFont && type !== 'SVG' && !isRaster(type))
    return { path, type, hash: await hashChunks(path, 'md5', 'hex'), size }
  const bytes = await readRegularFile(path)
  const hash = createHash('md5').update(bytes).digest('hex')
  const facts = { path, type, hash, size: bytes.length, dimensions: await readDimensions(type, bytes) }
  if (!isFont) return facts
  // Load the font library only for spaces with fonts.
  const { describeFont } = await import('./font.js')
  return { ...facts, font: await describeFont(bytes, splitExtension(path).extension) }
}

export function typeOfFileName(name: string): string {
  const { extension } = splitExtension(name)
  const type = canonicalType(extension)
  if (isFontExtension(extension)) return dataTypes.font
  return cutsByType.has(type) ? type : extension.toUpperCase()
}

export interface AssetSource {
  /** Path within the version's folder, with forward slashes. */
  path: string
  name: string
  kitUuid: string
  spaceId: number
  /** The number of the version if its assets have their own uuids, otherwise 0. */
  ownVersion: number
  json: AssetJson | undefined
  /** Absent for an asset that is data without a file. */
  file?: StoredFile
  beside: ReadonlyMap<string, string>
}

/** Builds an asset from a file and the JSON that describes it. Keeps unknown fields of the JSON in the record. */
export function toAsset({
  path,
  name: fileName,
  kitUuid,
  spaceId,
  ownVersion,
  json,
  file,
  beside,
}: AssetSource): StoredAsset {
  const {
    uuid: ownUuid,
    name: ownName,
    type: ownType,
    filecuts,
    file_md5: describedMd5,
    meta,
    colors = [],
    ...fields
  } = json ?? v.parse(assetJson, {})
  const sourceId = ownUuid ?? derivedUuid(kitUuid, path)
  const uuid = ownVersion === 0 ? sourceId : derivedUuid(sourceId, `version ${ownVersion}`)
  const name = ownName ?? readableName(splitExtension(fileName).stem)
  const type = ownType === undefined ? (file?.type ?? '') : canonicalType(ownType)
  const asset = { uuid, name, path, beside }
  const source = uuid !== sourceId && { source_id: sourceId }
  const common = { ...fields, ...source, colors, uuid, type, name, space_id: spaceId }
  if (!file) return { ...asset, cuts: [], record: { uploader_id: 0, size: 0, ...common, meta } }
  const filecutsRecord = fileCuts(type, filecuts ?? meta.filecuts, beside)
  const cuts = filecutsRecord.available_types.filter((cut) => cut.enabled).map((cut) => cut.type)
  if (describedMd5 === file.hash) {
    const hash = typeof fields['file_hash'] === 'string' ? fields['file_hash'].toLowerCase() : file.hash
    return { ...asset, file: { ...file, type, hash }, cuts, record: { ...common, meta } }
  }
  const record = {
    uploader_id: 0,
    ...omitUndefined({ dimensions: file.dimensions }),
    ...common,
    size: file.size,
    file_hash: file.hash,
    file_id: derivedUuid(uuid, file.hash).toLowerCase(),
    meta: {
      ...meta,
      ...(file.font && { font: { ...file.font, ...objectOf(meta['font']) } }),
      filecuts: filecutsRecord,
    },
  }
  return { ...asset, file: { ...file, type }, cuts, record }
}

/**
 * Lists the cuts of a type in the format of the REST interface. `enabled` is true for available cuts, unless the JSON
 * disables them.
 */
function fileCuts(type: string, json: FileCutsJson | undefined, beside: ReadonlyMap<string, string>) {
  const made = cutsMadeHere.get(type) ?? []
  const described = new Map((json?.available_types ?? []).map((cut) => [canonicalType(cut.type), cut]))
  const types = new Set([
    ...(cutsByType.get(type) ?? []),
    ...[...beside.keys()].map((cut) => readCut(cut).type),
    ...described.keys(),
  ])
  const available = [...types].map((cut) => ({
    resizable: made.includes(cut),
    ...described.get(cut),
    type: cut,
    enabled: (made.includes(cut) || beside.has(cut)) && described.get(cut)?.enabled !== false,
  }))
  const presets = available.filter((cut) => cut.enabled).map((cut) => ({ type: cut.type, size: '1x', description: '' }))
  return { ...json, available_types: available, presets: json?.presets ?? presets }
}
