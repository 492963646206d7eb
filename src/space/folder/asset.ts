import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import PQueue from 'p-queue'
import * as v from 'valibot'
import { canonicalType, cutsByType } from '../asset-type.js'
import { cutsMadeHere } from './make-cut.js'
import { readDimensions } from './dimensions.js'
import type { StoredAsset, StoredFile } from './model.js'
import { assetJson, type AssetJson, type FileCutsJson } from './sidecar.js'
import { derivedUuid, readableName, splitExtension } from './naming.js'
import type { Entry } from './list.js'

export type ReadFile = (entry: Entry, type: string) => Promise<StoredFile>

/** Reads size, hash and dimensions of files, few at once, and again only when a file has changed. */
export function createFileReader(): ReadFile {
  const known = new Map<string, { stamp: string; facts: Promise<StoredFile> }>()
  const queue = new PQueue({ concurrency: 16 })
  return (entry, type) => {
    const key = `${type}:${entry.path}`
    const before = known.get(key)
    if (before?.stamp === entry.stamp) return before.facts
    const facts = queue.add(() => readFacts(entry.path, type))
    known.set(key, { stamp: entry.stamp, facts })
    facts.catch(() => known.delete(key))
    return facts
  }
}

async function readFacts(path: string, type: string): Promise<StoredFile> {
  const bytes = await readFile(path)
  const hash = createHash('md5').update(bytes).digest('hex')
  return { path, type, hash, size: bytes.length, dimensions: await readDimensions(type, bytes) }
}

/** The type that a file's extension says, as the interface spells it. */
export function typeOf(name: string): string {
  const { extension } = splitExtension(name)
  const type = canonicalType(extension)
  return cutsByType.has(type) ? type : extension.toUpperCase()
}

export interface AssetSource {
  /** Path in the version's folder, with slashes. */
  path: string
  stem: string
  kitUuid: string
  spaceId: number
  json: AssetJson | undefined
  /** Absent: an asset that is data alone. */
  file?: StoredFile
  beside: ReadonlyMap<string, string>
}

/** The asset of a file and of the JSON beside it. Fields that we do not know stay in its record. */
export function toAsset({ path, stem, kitUuid, spaceId, json, file, beside }: AssetSource): StoredAsset {
  const {
    uuid: ownUuid,
    name: ownName,
    type: ownType,
    filecuts,
    file_md5: described,
    meta,
    ...fields
  } = json ?? v.parse(assetJson, {})
  const uuid = ownUuid ?? derivedUuid(kitUuid, path)
  const name = ownName ?? readableName(stem)
  const type = ownType === undefined ? (file?.type ?? '') : canonicalType(ownType)
  const known = { ...fields, uuid, type, name, space_id: spaceId }
  if (!file) return { uuid, name, path, beside, cuts: [], record: { uploader_id: 0, size: 0, ...known, meta } }
  const cuts = fileCuts(type, filecuts ?? meta.filecuts, beside)
  const available = cuts.available_types.filter((cut) => cut.enabled).map((cut) => cut.type)
  if (described === file.hash) {
    const hash = typeof fields['file_hash'] === 'string' ? fields['file_hash'].toLowerCase() : file.hash
    return { uuid, name, path, file: { ...file, type, hash }, beside, cuts: available, record: { ...known, meta } }
  }
  const record = {
    uploader_id: 0,
    ...(file.dimensions === undefined ? {} : { dimensions: file.dimensions }),
    ...known,
    size: file.size,
    file_hash: file.hash,
    file_id: derivedUuid(uuid, file.hash).toLowerCase(),
    meta: { ...meta, filecuts: cuts },
  }
  return { uuid, name, path, file: { ...file, type }, beside, cuts: available, record }
}

/** The interface's table for the type, with `enabled` true where the cut can be had, unless the JSON says no. */
function fileCuts(type: string, json: FileCutsJson | undefined, beside: ReadonlyMap<string, string>) {
  const made = cutsMadeHere.get(type) ?? []
  const said = new Map((json?.available_types ?? []).map((cut) => [canonicalType(cut.type), cut]))
  const types = new Set([...(cutsByType.get(type) ?? []), ...beside.keys(), ...said.keys()])
  const available = [...types].map((cut) => ({
    resizable: made.includes(cut),
    ...said.get(cut),
    type: cut,
    enabled: (made.includes(cut) || beside.has(cut)) && said.get(cut)?.enabled !== false,
  }))
  const natural = available.filter((cut) => cut.enabled).map((cut) => ({ type: cut.type, size: '1x', description: '' }))
  return { ...json, available_types: available, presets: json?.presets ?? natural }
}
