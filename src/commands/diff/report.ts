import { compareStrings } from '../../text/compare.js'
import { isData } from '../../space/asset-type.js'
import { readableName } from '../../space/folder/naming.js'
import type { Break } from './breaks.js'
import { differences, type Difference, type Pair } from './compare.js'
import type { SideAsset } from './side.js'
import type { Comparisons } from './comparisons.js'

/** What has become of the assets of one kit or of several; each list is sorted by kit, name and uuid. */
export interface Diff {
  added: DiffEntry[]
  removed: DiffEntry[]
  /** Another name, or another export: for that a namesake is enough. */
  renamed: DiffEntry[]
  /** Another file, or other data where an asset is no file. One that is renamed as well is in both lists. */
  changed: DiffEntry[]
}

export interface DiffEntry {
  /** Of the asset. */
  uuid: string
  /** As people write it, the new one of an asset that is renamed; made of its slug where only the lock remembers it. */
  name: string
  /** What the asset is called in a module of its kit; the new one of an asset that is renamed. */
  export: string
  /** Slug of the kit. */
  kit: string
  /** Of the kit; 0 is the draft. */
  versions: { from: number; to: number }
  /** Absent for what is added. */
  from?: DiffSide
  /** Absent for what is removed. */
  to?: DiffSide
  /** The lines of the source that would fail, in the order of files and lines. */
  breaks: Break[]
}

/** An asset in one version of its kit, as far as it is known. */
export interface DiffSide {
  name: string
  export: string
  /** As the service spells it. */
  type?: string
  /** Of the original, in bytes. */
  size?: number
  /** Of the original, in pixels. */
  width?: number
  /** Of the original, in pixels. */
  height?: number
  /** `file_hash`, in lower-case hexadecimal. */
  hash?: string
  /** What an asset that is data and no file holds, as it came. */
  data?: unknown
  /** A small picture as a data URI, where it was asked for and there is one. */
  picture?: string
}

/** Small pictures of both sides, as data URIs. */
export interface Pictures {
  before?: string | undefined
  after?: string | undefined
}

/** One kit, compared. */
export interface ComparedKit extends Pick<Comparisons, 'slug' | 'before' | 'after'> {
  pairs: Record<Difference, Pair[]>
  /** By uuid of the asset. */
  breaks: ReadonlyMap<string, Break[]>
  /** By uuid of the asset; absent where nobody asked for them. */
  pictures?: ReadonlyMap<string, Pictures>
}

export function hasDifference(diff: Diff): boolean {
  return differences.some((difference) => diff[difference].length > 0)
}

/** @param kits in any order */
export function diffOf(kits: readonly ComparedKit[]): Diff {
  const list = (difference: Difference) =>
    kits
      .flatMap((compared) => compared.pairs[difference].map((pair) => entryOf(pair, difference, compared)))
      .toSorted(
        (a, b) => compareStrings(a.kit, b.kit) || compareStrings(a.name, b.name) || compareStrings(a.uuid, b.uuid),
      )
  return { added: list('added'), removed: list('removed'), renamed: list('renamed'), changed: list('changed') }
}

function entryOf(
  { uuid, before, after }: Pair,
  difference: Difference,
  { slug: kit, breaks, pictures, ...compared }: ComparedKit,
): DiffEntry {
  const shown = pictures?.get(uuid)
  const from = before && sideOf(before, shown?.before)
  const to = after && sideOf(after, shown?.after)
  const { name = '', export: exported = '' } = to ?? from ?? {}
  return {
    uuid,
    name,
    export: exported,
    kit,
    versions: { from: compared.before.version, to: compared.after.version },
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    // another file breaks no import: where it is renamed as well, that entry says it
    breaks: difference === 'changed' ? [] : (breaks.get(uuid) ?? []),
  }
}

function sideOf({ names, record, hash }: SideAsset, picture: string | undefined): DiffSide {
  const { type, size, width, height } = record ?? {}
  const data = record && isData(record) ? record.meta : undefined
  const known = Object.entries({ type, size, width, height, hash, data, picture }).filter(
    ([, value]) => value !== undefined,
  )
  return { name: record?.name ?? readableName(names.slug), export: names.name, ...Object.fromEntries(known) }
}
