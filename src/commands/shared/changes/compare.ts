import { isDeepStrictEqual } from 'node:util'
import { isData } from '../../../space/asset-type.js'
import { isRevisionHash } from '../../../space/sources/revision.js'
import type { Side, SideAsset } from './side.js'

export const differences = ['added', 'removed', 'renamed', 'changed'] as const
export type Difference = (typeof differences)[number]

/** An asset that differs, on the sides that have it. */
export interface Pair {
  uuid: string
  word: Difference
  before?: SideAsset
  after?: SideAsset
  /** Set for a changed asset whose file and data are the same. */
  detail?: 'fields'
}

/**
 * Compares the assets of a kit. An asset with a new name and a new file is both renamed and changed. Order, notes and
 * position in the kit aren't compared.
 * @param replaced uuids of assets whose bytes differ although their records are equal
 */
export function compare(before: Side, after: Side, replaced: ReadonlySet<string> = new Set()): Pair[] {
  return [...new Set([...before.assets.keys(), ...after.assets.keys()])].flatMap((uuid): Pair[] => {
    const [was, is] = [before.assets.get(uuid), after.assets.get(uuid)]
    if (!was) return is ? [{ uuid, word: 'added', after: is }] : []
    if (!is) return [{ uuid, word: 'removed', before: was }]
    const sides = { uuid, before: was, after: is }
    const pairs: Pair[] = isRenamed(was, is) ? [{ ...sides, word: 'renamed' }] : []
    if (replaced.has(uuid) || isChanged(was, is)) pairs.push({ ...sides, word: 'changed' })
    else if (was.record && is.record && !isDeepStrictEqual(was.record.fields, is.record.fields))
      pairs.push({ ...sides, word: 'changed', detail: 'fields' })
    return pairs
  })
}

function isRenamed(was: SideAsset, is: SideAsset): boolean {
  return (
    was.names.name !== is.names.name ||
    (was.record !== undefined && is.record !== undefined && was.record.name !== is.record.name)
  )
}

/** Compares files by hash, or by date and size if a hash is missing. Compares the data of assets without a file. */
export function isChanged(was: SideAsset, is: SideAsset): boolean {
  if (was.hash !== undefined && is.hash !== undefined && !hasUnknownHash(was, is)) return was.hash !== is.hash
  const [a, b] = [was.record, is.record]
  if (a === undefined || b === undefined) return false
  if (isData(a) || isData(b)) return !isDeepStrictEqual([a.type, a.meta, a.colors], [b.type, b.meta, b.colors])
  const isResized = hasUnknownHash(was, is) && (a.width !== b.width || a.height !== b.height)
  return isResized || a.type !== b.type || a.fileUpdated !== b.fileUpdated || a.size !== b.size
}

/** Returns whether only the bytes can reveal if the file has changed. */
export function hasUnknownHash(...sides: readonly SideAsset[]): boolean {
  return sides.some(({ hash }) => isRevisionHash(hash))
}
