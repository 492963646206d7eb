import type { AssetPlan, FileDescriptor } from '../../files/plan.js'
import type { Collection, NamedKit } from '../../kit/named-kit.js'
import type { Query } from '../../request/query.js'
import { assetsOf } from '../../space/item-kinds.js'
import type { AssetRecord } from '../../space/space.js'
import { compareStrings } from '../../text/compare.js'
import { groupBy } from '../../text/group-by.js'
import { foldName } from '../../text/letters.js'
import { isReservedOnWindows } from '../../text/windows-names.js'
import { fileKey, revisionOfDescriptor } from '../shared/file-key.js'
import type { PulledKind } from './module-kinds.js'

/** The intended content of a folder. */
export interface FolderContents {
  named: NamedKit
  /** The exports of the index. */
  collection: Collection
  placed: readonly PlacedAsset[]
  query: Query
  module: PulledKind
  /** Option `darkMode`. */
  darkMode: string
  /** The files that components need, by path. */
  runtime: ReadonlyMap<string, string>
}

/** An asset and the paths of its module and files. */
export interface PlacedAsset {
  asset: AssetRecord
  plan: AssetPlan
  /** Path of the module without extension, relative to the folder, with forward slashes: `logos/acme-logo`. */
  stem: string
  /** The files of the asset by `fileKey`. */
  files: ReadonlyMap<string, PlacedFile>
}

export interface PlacedFile {
  /** Relative to the folder, with forward slashes: `logos/acme-logo-640.webp`. */
  path: string
  file: FileDescriptor
  /** As `revisionOfDescriptor` returns it. */
  revision: string
}

/**
 * Assigns a path to each asset: `<section>/<asset>`, or `<section>/<heading>/<asset>`. If an asset occurs twice, its
 * first occurrence determines the path. Names are slugs, made safe for every file system.
 * @param plans by uuid
 * @param isNative whether Metro and Android find the files by name
 */
export function layOut(
  named: NamedKit,
  plans: ReadonlyMap<string, AssetPlan>,
  headingFolders: boolean,
  isNative = false,
): PlacedAsset[] {
  const stems = stemsOf(named, headingFolders)
  const taken = new Set([...stems.values()].flatMap((stem) => scriptExtensions.map((ext) => `${stem}.${ext}`)))
  const placed = [...stems].flatMap(([uuid, stem]) => {
    const asset = named.kit.assets[uuid]
    return asset === undefined ? [] : [{ asset, stem, plan: plans.get(uuid) ?? {} }]
  })
  const nameFile = isNative ? nativeNames(stems) : nameOfFile
  // Sort, so that the names of files don't depend on the display order.
  const files = new Map(
    placed
      .toSorted((a, b) => compareStrings(a.stem, b.stem))
      .map((one) => [one.asset.uuid, placeFiles(one, taken, nameFile)] as const),
  )
  return placed.map((one) => ({ ...one, files: files.get(one.asset.uuid) ?? new Map() }))
}

/**
 * Extensions that an asset's file can't have beside a module with the same name, because imports would find the file
 * instead of the module.
 */
const scriptExtensions = ['js', 'jsx', 'ts', 'tsx']

function stemsOf({ kit, sections, headings, assets }: NamedKit, headingFolders: boolean): Map<string, string> {
  const stems = new Map<string, string>()
  for (const section of kit.sections) {
    const base = safeName(sections.get(section.uuid)?.slug ?? '', section.uuid)
    let folder = base
    for (const item of section.items) {
      if (item.type === 'heading' && headingFolders)
        folder = `${base}/${safeName(headings.get(item.uuid)?.slug ?? '', item.uuid)}`
      for (const uuid of assetsOf(item))
        if (!stems.has(uuid)) stems.set(uuid, `${folder}/${safeName(assets.get(uuid)?.slug ?? '', uuid)}`)
    }
  }
  return withoutDuplicates(stems)
}

/**
 * Appends the uuid to stems that several assets share. Stems can collide if a name that was made safe is another
 * asset's slug, or if a merge of two lockfiles left two assets with the same slug.
 */
function withoutDuplicates(stems: ReadonlyMap<string, string>): Map<string, string> {
  const counts = new Map<string, number>()
  for (const stem of stems.values()) counts.set(foldName(stem), (counts.get(foldName(stem)) ?? 0) + 1)
  return new Map(
    [...stems].map(([uuid, stem]) => [uuid, counts.get(foldName(stem)) === 1 ? stem : `${stem}-${uuid.toLowerCase()}`]),
  )
}

/** Returns the path of a file, without extension. @param revision is added if the usual name is taken */
type NameFile = (placed: Pick<PlacedAsset, 'asset' | 'stem'>, file: SizedFile, revision?: string) => string

const nameOfFile: NameFile = ({ stem }, { isDark, size }, revision) =>
  [stem, isDark && 'dark', size, revision].filter(Boolean).join('-')

/**
 * Names files for React Native. Metro treats `@2x` at the end of a name as a density. Android identifies a file by its
 * path from the root of the project, reduced to lower-case ASCII letters, digits and `_`, so names consist only of
 * these. If two names would be equal on Android, we add the start of the uuid.
 * https://github.com/facebook/react-native/blob/main/packages/assets/path-support.js
 */
function nativeNames(stems: ReadonlyMap<string, string>): NameFile {
  const names = new Map([...stems].map(([uuid, stem]) => [uuid, asciiStem(stem)] as const))
  const groups = groupBy(stems.keys(), (uuid) => androidName(names.get(uuid) ?? ''))
  const unique = ({ asset: { uuid }, stem }: Pick<PlacedAsset, 'asset' | 'stem'>): string => {
    const name = names.get(uuid) ?? stem
    const isUnique = !name.endsWith('/') && groups.get(androidName(name))?.length === 1
    return isUnique ? name : `${name}${name.endsWith('/') ? 'asset' : ''}_${uuid.slice(0, 8).toLowerCase()}`
  }
  return (placed, { isDark, size }, revision) =>
    [unique(placed), isDark && 'dark', revision].filter(Boolean).join('_') + (size === '' ? '' : `@${size}`)
}

/** Reduces the name of a file to lower-case ASCII letters, digits and `_`. Keeps the folder. */
function asciiStem(stem: string): string {
  const [folder, name] = [stem.slice(0, stem.lastIndexOf('/') + 1), stem.slice(stem.lastIndexOf('/') + 1)]
  const ascii = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return folder + ascii.replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '')
}

function androidName(path: string): string {
  return path
    .toLowerCase()
    .replaceAll('/', '_')
    .replace(/[^a-z0-9_]/g, '')
}

/** Names the files of an asset by their `srcset` descriptors. If a name is taken, adds the file's revision. */
function placeFiles(
  placed: Omit<PlacedAsset, 'files'>,
  taken: Set<string>,
  nameFile: NameFile,
): Map<string, PlacedFile> {
  const files = new Map<string, PlacedFile>()
  for (const sized of filesOfPlan(placed.plan)) {
    const { file } = sized
    const key = fileKey(file)
    if (files.has(key)) continue
    const revision = revisionOfDescriptor(file)
    const plain = `${nameFile(placed, sized)}.${file.ext}`
    const path = taken.has(plain) ? `${nameFile(placed, sized, revision.slice(0, 8))}.${file.ext}` : plain
    taken.add(path)
    files.set(key, { path, file, revision })
  }
  return files
}

interface SizedFile {
  file: FileDescriptor
  /** Part of the file name: `640`, `2x`. */
  size: string
  /** Whether it belongs to the dark counterpart. */
  isDark: boolean
}

/** Returns the files that a module refers to. Values are part of the module itself, so they aren't files. */
function filesOfPlan({ dark, ...plan }: AssetPlan): SizedFile[] {
  const all = [ownFiles(plan), dark ? ownFiles(dark) : []]
  return all.flatMap((files, at) => files.map((one) => ({ ...one, isDark: at === 1 })))
}

function ownFiles({ src, srcset = [], sources = [], value }: AssetPlan): Omit<SizedFile, 'isDark'>[] {
  if (value !== undefined) return []
  // `640w` becomes `640`. Names leave out the size `1x`.
  const entries = [...srcset, ...sources.flatMap((source) => source.srcset)].map(({ file, descriptor }) => {
    return { file, size: descriptor === '1x' ? '' : descriptor.replace(/w$/, '') }
  })
  const isListed = src !== undefined && entries.some(({ file }) => fileKey(file) === fileKey(src))
  return src === undefined || isListed ? entries : [{ file: src, size: '' }, ...entries]
}

/**
 * The maximum length of a name in bytes. File systems allow 255, but the suffix, the extension and the ending of a
 * temporary file also need space.
 */
const maximumBytes = 180

/**
 * Makes a slug safe as a file name. Slugs contain only letters, digits and `-`, so only reserved and long names change.
 */
export function safeName(slug: string, uuid: string): string {
  if (isReservedOnWindows(slug)) return `${slug}-${uuid.slice(0, 8).toLowerCase()}`
  if (Buffer.byteLength(slug) <= maximumBytes) return slug
  const ending = `-${uuid.toLowerCase()}`
  const start = Buffer.from(slug)
    .subarray(0, maximumBytes - ending.length)
    .toString()
  // A truncated character is decoded as U+FFFD.
  return start.replace(/\uFFFD$/, '') + ending
}
