import { isDeepStrictEqual } from 'node:util'
import { isData } from '../../space/asset-type.js'
import { compareStrings } from '../../text/compare.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import type { Side, SideAsset } from './side.js'

/** An asset on both sides of a comparison, or on the side that has it. */
export interface Pair {
  uuid: string
  before?: SideAsset
  after?: SideAsset
  /** Of a changed asset whose file and data are the same. */
  detail?: 'fields'
}

export const differences = ['added', 'removed', 'renamed', 'changed'] as const
export type Difference = (typeof differences)[number]

/**
 * Compares the assets of a kit. An asset with a new name and a new file is both renamed and changed. Order, notes and
 * place in the kit are not compared.
 * @param replaced uuids of assets whose bytes differ although their records are the same
 */
export function compare(
  before: Side,
  after: Side,
  replaced: ReadonlySet<string> = new Set(),
): Record<Difference, Pair[]> {
  const uuids = [...new Set([...before.assets.keys(), ...after.assets.keys()])].toSorted(compareStrings)
  const pairs = uuids.map((uuid): Pair => {
    return omitUndefined({ uuid, before: before.assets.get(uuid), after: after.assets.get(uuid) })
  })
  return {
    added: pairs.filter((pair) => pair.before === undefined),
    removed: pairs.filter((pair) => pair.after === undefined),
    renamed: pairs.filter(({ before: was, after: is }) => was && is && isRenamed(was, is)),
    changed: pairs.flatMap((pair): Pair[] => {
      const { uuid, before: was, after: is } = pair
      if (was === undefined || is === undefined) return []
      if (replaced.has(uuid) || isChanged(was, is)) return [pair]
      return hasOtherFields(was, is) ? [{ ...pair, detail: 'fields' }] : []
    }),
  }
}

function hasOtherFields({ record: was }: SideAsset, { record: is }: SideAsset): boolean {
  return was !== undefined && is !== undefined && !isDeepStrictEqual(was.fields, is.fields)
}

function isRenamed(was: SideAsset, is: SideAsset): boolean {
  return (
    was.names.name !== is.names.name ||
    (was.record !== undefined && is.record !== undefined && was.record.name !== is.record.name)
  )
}

/** Compares files by hash, or by date and size where a hash is missing. Compares the data of assets without a file. */
export function isChanged(was: SideAsset, is: SideAsset): boolean {
  if (was.hash !== undefined && is.hash !== undefined) return was.hash !== is.hash
  const [a, b] = [was.record, is.record]
  if (a === undefined || b === undefined) return false
  if (isData(a) || isData(b)) return !isDeepStrictEqual([a.type, a.meta, a.colors], [b.type, b.meta, b.colors])
  return a.fileUpdated !== b.fileUpdated || a.size !== b.size
}
