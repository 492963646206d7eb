import { isData } from '../../../space/asset-type.js'
import { readableName } from '../../../space/folder/naming.js'
import type { FieldValue } from '../../../asset.js'
import type { AssetRecord } from '../../../space/space.js'
import { sortedColors, sortedMeta } from '../../../space/wire/sorted.js'
import { omitUndefined } from '../../../text/omit-undefined.js'
import { pick } from '../../../text/pick.js'
import type { Ground, SmallPicture } from '../page/picture.js'
import { differences, type Pair } from './compare.js'
import type { KitComparison } from './comparisons.js'
import { kitsOf, type KitsDiff, type AddedOrRemoved } from './kits.js'
import { listsOf, partsOf, type ComparedParts, type PartEntry, type PartsDiff } from './parts.js'
import type { SideAsset } from './side.js'
import { versionsOf, type ComparedSides } from './versions.js'

/** The differences between two states of one or several kits. Each list is sorted by kit, name and uuid. */
export interface Diff extends PartsDiff, KitsDiff {
  added: DiffEntry[]
  removed: DiffEntry[]
  /** Assets with another name or another export. The export also changes if another asset gets the same name. */
  renamed: DiffEntry[]
  /**
   * Assets with another file, with other data if they don't have a file, or with other custom fields. They may be
   * renamed as well.
   */
  changed: DiffEntry[]
}

/** An asset that differs. Its name is made from the slug if only the lockfile knows the asset. */
export interface DiffEntry extends PartEntry<DiffSide> {
  /** Export name in a module of the kit; the new one if it was renamed. */
  export: string
  /**
   * `replaced`: the file has other bytes, although the version is locked and the same. `fields`: only custom fields
   * differ. Only in `changed`.
   */
  detail?: 'replaced' | 'fields'
}

/** An asset in one version of its kit. Properties that are not known are absent. */
export interface DiffSide {
  name: string
  export: string
  /** Type, as the service spells it. */
  type?: string
  /** Bytes of the original. */
  size?: number
  /** Width of the original in pixels. */
  width?: number
  /** Height of the original in pixels. */
  height?: number
  /** `file_hash`, in lower-case hexadecimal. */
  hash?: string
  /** The data of an asset without a file, as the service returned it: `meta`, and `colors` if there are any. */
  data?: unknown
  /** The values of custom fields. */
  fields?: Readonly<Record<string, FieldValue>>
  /** A small picture as a data URI, if pictures were requested and it could be made. */
  picture?: string
  /** The background that makes the picture visible. Absent if it is opaque. */
  ground?: Ground
}

/** Small pictures of both sides. */
export interface Pictures {
  before?: SmallPicture | undefined
  after?: SmallPicture | undefined
}

/** A kit after the comparison. */
export interface KitDifferences extends ComparedParts, KitComparison {
  pairs: readonly Pair[]
  /** By uuid of the asset. Absent if pictures were not requested. */
  pictures?: ReadonlyMap<string, Pictures>
}

export function hasDifference(diff: Diff): boolean {
  // An object of lists is absent without an entry.
  return Object.values(diff).some((lists) => !Array.isArray(lists) || lists.length > 0)
}

/** Combines the differences of kits. @param kits in any order @param single kits that cannot be compared */
export function diffOf(kits: readonly KitDifferences[], single: readonly AddedOrRemoved[] = []): Diff {
  const listed = kits.flatMap((kit) => kit.pairs.map((pair) => ({ word: pair.word, entry: entryOfAsset(pair, kit) })))
  const isSame = (kit: KitDifferences) => kit.pairs.length === 0 && Object.keys(partsOf([kit])).length === 0
  return { ...pick(listsOf(listed), differences), ...partsOf(kits), ...kitsOf(kits, isSame, single) }
}

function entryOfAsset(pair: Pair, { slug: kit, breaks, pictures, ...compared }: KitDifferences): DiffEntry {
  const { uuid, word, before, after } = pair
  const picture = pictures?.get(uuid)
  const from = before && sideOf(before, picture?.before)
  const to = after && sideOf(after, picture?.after)
  const { name = '', export: exported = '' } = to ?? from ?? {}
  return {
    uuid,
    name,
    export: exported,
    kit,
    versions: versionsOf(compared),
    ...omitUndefined({ detail: word === 'changed' ? detailOf(pair, compared) : undefined, from, to }),
    // A new file breaks no import. If the asset is renamed as well, the other entry has the lines.
    breaks: word === 'changed' ? [] : (breaks.assets.get(uuid) ?? []),
  }
}

function detailOf(
  { detail, after: asset }: Pair,
  { before, after }: Pick<ComparedSides, 'before' | 'after'>,
): DiffEntry['detail'] {
  if (detail !== undefined) return detail
  const isSameVersion = before.version === after.version && after.version !== 0
  return isSameVersion && asset?.record !== undefined && !isData(asset.record) ? 'replaced' : undefined
}

function sideOf({ names, record, hash }: SideAsset, picture: SmallPicture | undefined): DiffSide {
  const { type, size, width, height, fields } = record ?? {}
  const data = record && isData(record) ? dataOf(record) : undefined
  return {
    name: record?.name ?? readableName(names.slug),
    export: names.name,
    ...omitUndefined({ type, size, width, height, hash, data, fields, picture: picture?.uri, ground: picture?.ground }),
  }
}

/** The service has the color of a color in `colors`. */
function dataOf(asset: AssetRecord): unknown {
  const [meta, colors] = [sortedMeta(asset), sortedColors(asset)]
  return colors.length === 0 ? meta : { ...Object(meta), colors }
}
