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
  /** Assets whose name or export changed. The export also changes if another asset gets the same name. */
  renamed: DiffEntry[]
  /** Assets whose file, data or custom fields changed. They may be renamed as well. */
  changed: DiffEntry[]
}

/** An asset that differs. If only the lockfile contains the asset, its name is derived from its slug. */
export interface DiffEntry extends PartEntry<DiffSide> {
  /** Export name in a module of the kit; the new name if it was renamed. */
  export: string
  /**
   * Only in `changed`. `replaced`: the file has different bytes, although the version is locked and the same. `fields`:
   * only custom fields differ.
   */
  detail?: 'replaced' | 'fields'
}

/** An asset in one version of its kit. Unknown properties are absent. */
export interface DiffSide {
  name: string
  export: string
  /** The type as the service spells it. */
  type?: string
  /** The size of the original in bytes. */
  size?: number
  /** Width of the original in pixels. */
  width?: number
  /** Height of the original in pixels. */
  height?: number
  /** `file_hash`, in lower-case hexadecimal. */
  hash?: string
  /** The data of an asset without a file as the service sent it: `meta`, and `colors` if there are any. */
  data?: unknown
  /** The values of custom fields. */
  fields?: Readonly<Record<string, FieldValue>>
  /** A small picture as a data URI, if pictures were requested and one could be made. */
  picture?: string
  /** The background against which the picture is visible. Absent for an opaque picture. */
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
  // Lists in an object are absent if they don't have entries.
  return Object.values(diff).some((lists) => !Array.isArray(lists) || lists.length > 0)
}

/** Combines the differences of kits. @param kits in any order @param single kits that can't be compared */
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
    // A new file doesn't break imports. If the asset is renamed as well, the other entry contains the lines.
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

/** Returns the data of an asset. For a color, the service sends it in `colors`. */
function dataOf(asset: AssetRecord): unknown {
  const [meta, colors] = [sortedMeta(asset), sortedColors(asset)]
  return colors.length === 0 ? meta : { ...Object(meta), colors }
}
