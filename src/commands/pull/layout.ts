import { createHash } from 'node:crypto'
import type { AssetPlan, FileDescriptor, SrcsetEntry } from '../../files/plan.js'
import type { NamedKit } from '../../kit/named-kit.js'
import { foldName } from '../../text/letters.js'
import { compareStrings } from '../../text/compare.js'
import { isReservedOnWindows } from '../../text/windows-names.js'
import type { AssetRecord } from '../../space/space.js'

/** An asset in the folder: its module beside its files. */
export interface PlacedAsset {
  asset: AssetRecord
  plan: AssetPlan
  /** Path without extension, relative to the folder, with forward slashes: `logos/acme-logo`. */
  stem: string
  /** Its files by `fileKey`. */
  files: ReadonlyMap<string, PlacedFile>
}

export interface PlacedFile {
  /** Relative to the folder, with forward slashes: `logos/acme-logo-640.webp`. */
  path: string
  file: FileDescriptor
  /** Changes when the service has another file, or another recipe is asked for. */
  revision: string
}

/** What tells the files of a kit apart, whatever they are called. */
export function fileKey({ asset, hash, updated, cut, recipe, ext }: FileDescriptor): string {
  return JSON.stringify([asset, hash, updated, cut, recipe, ext])
}

/**
 * Where everything goes: `<section>/<asset>`, or `<section>/<heading>/<asset>`. An asset used twice lies where it
 * comes first. Folders and names are the slugs of ids, made safe for every file system.
 * @param plans by uuid
 */
export function layOut(named: NamedKit, plans: ReadonlyMap<string, AssetPlan>, headingFolders: boolean): PlacedAsset[] {
  const stems = stemsOf(named, headingFolders)
  const taken = new Set([...stems.values()].flatMap((stem) => scripts.map((ext) => `${stem}.${ext}`)))
  const placed = [...stems].flatMap(([uuid, stem]) => {
    const asset = named.kit.assets[uuid]
    return asset === undefined ? [] : [{ asset, stem, plan: plans.get(uuid) ?? {} }]
  })
  // Whose file gets its plain name does not depend on where its asset stands.
  const files = new Map(
    placed
      .toSorted((a, b) => compareStrings(a.stem, b.stem))
      .map((one) => [one.asset.uuid, placeFiles(one.plan, one.stem, taken)] as const),
  )
  return placed.map((one) => ({ ...one, files: files.get(one.asset.uuid) ?? new Map() }))
}

/** What a script beside a module of the same name would be taken for. */
const scripts = ['js', 'jsx', 'ts', 'tsx']

/** In display order. */
function stemsOf({ kit, sections, headings, assets }: NamedKit, headingFolders: boolean): Map<string, string> {
  const stems = new Map<string, string>()
  for (const section of kit.sections) {
    const base = safeName(sections.get(section.uuid)?.slug ?? '', section.uuid)
    let folder = base
    for (const item of section.items) {
      if (item.type === 'heading' && headingFolders)
        folder = `${base}/${safeName(headings.get(item.uuid)?.slug ?? '', item.uuid)}`
      if (item.type !== 'asset' || stems.has(item.asset)) continue
      stems.set(item.asset, `${folder}/${safeName(assets.get(item.asset)?.slug ?? '', item.asset)}`)
    }
  }
  return tellApart(stems)
}

/**
 * A name that was made safe can be the slug of another asset, and two branches can have given one slug twice: each of
 * these gets the whole uuid behind.
 */
function tellApart(stems: ReadonlyMap<string, string>): Map<string, string> {
  const owners = new Map<string, number>()
  for (const stem of stems.values()) owners.set(foldName(stem), (owners.get(foldName(stem)) ?? 0) + 1)
  return new Map(
    [...stems].map(([uuid, stem]) => [uuid, owners.get(foldName(stem)) === 1 ? stem : `${stem}-${uuid.toLowerCase()}`]),
  )
}

/** Several files of one asset are told apart by what their `srcset` says of them, and else by their recipe. */
function placeFiles(plan: AssetPlan, stem: string, taken: Set<string>): Map<string, PlacedFile> {
  const files = new Map<string, PlacedFile>()
  for (const { file, mark } of filesOf(plan)) {
    const key = fileKey(file)
    if (files.has(key)) continue
    const revision = createHash('sha256').update(key).digest('hex').slice(0, 16)
    const plain = `${stem}${mark}.${file.ext}`
    const path = taken.has(plain) ? `${stem}${mark}-${revision.slice(0, 8)}.${file.ext}` : plain
    taken.add(path)
    files.set(key, { path, file, revision })
  }
  return files
}

/** What a module refers to. What it holds itself, as text or data, is no file. */
function filesOf({ src, srcset = [], sources = [], value }: AssetPlan): { file: FileDescriptor; mark: string }[] {
  if (value !== undefined) return []
  const entries = [...srcset, ...sources.flatMap((source) => source.srcset)].map(marked)
  const named = src !== undefined && entries.some(({ file }) => fileKey(file) === fileKey(src))
  return src === undefined || named ? entries : [{ file: src, mark: '' }, ...entries]
}

/** `640w` becomes `-640`, `2x` becomes `-2x`; what is alone in its density needs no mark. */
function marked({ file, descriptor }: SrcsetEntry): { file: FileDescriptor; mark: string } {
  return { file, mark: descriptor === '1x' ? '' : `-${descriptor.replace(/w$/, '')}` }
}

/**
 * Bytes that a name may have: file systems allow 255, and marks, extension and the ending of a temporary file come
 * behind.
 */
const longest = 180

/** A slug holds letters, digits and `-` alone, so only its length and the names of devices can do harm. */
export function safeName(slug: string, uuid: string): string {
  if (isReservedOnWindows(slug)) return `${slug}-${uuid.slice(0, 8).toLowerCase()}`
  if (Buffer.byteLength(slug) <= longest) return slug
  const mark = `-${uuid.toLowerCase()}`
  // A character that is cut through comes out as U+FFFD.
  const start = Buffer.from(slug)
    .subarray(0, longest - mark.length)
    .toString()
  return start.replace(/\uFFFD$/, '') + mark
}
