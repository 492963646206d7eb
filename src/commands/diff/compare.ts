import { isDeepStrictEqual as same } from 'node:util'
import { compareStrings } from '../../text/compare.js'
import { isData } from '../../space/asset-type.js'
import type { Side, SideAsset } from './side.js'

/** One asset on both sides, or on the one that has it. */
export interface Pair {
  uuid: string
  before?: SideAsset
  after?: SideAsset
}

export const differences = ['added', 'removed', 'renamed', 'changed'] as const
export type Difference = (typeof differences)[number]

/**
 * What has become of the assets of a kit. An asset that has another name and another file is both renamed and changed;
 * another order, other notes or another place are no difference.
 */
export function compare(before: Side, after: Side): Record<Difference, Pair[]> {
  const uuids = [...new Set([...before.assets.keys(), ...after.assets.keys()])].toSorted(compareStrings)
  const pairs = uuids.map((uuid): Pair => {
    const [was, is] = [before.assets.get(uuid), after.assets.get(uuid)]
    return { uuid, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { after: is }) }
  })
  const both = (differ: (was: SideAsset, is: SideAsset) => boolean) =>
    pairs.filter((pair) => pair.before !== undefined && pair.after !== undefined && differ(pair.before, pair.after))
  return {
    added: pairs.filter((pair) => pair.before === undefined),
    removed: pairs.filter((pair) => pair.after === undefined),
    renamed: both(isRenamed),
    changed: both(isChanged),
  }
}

function isRenamed(was: SideAsset, is: SideAsset): boolean {
  return (
    was.names.name !== is.names.name ||
    (was.record !== undefined && is.record !== undefined && was.record.name !== is.record.name)
  )
}

/** Whether the file is another one: by its hash, else by its date and size. Of what is no file, by the data. */
export function isChanged(was: SideAsset, is: SideAsset): boolean {
  if (was.hash !== undefined && is.hash !== undefined) return was.hash !== is.hash
  const [a, b] = [was.record, is.record]
  if (a === undefined || b === undefined) return false
  if (isData(a) || isData(b)) return a.type !== b.type || !same(a.meta, b.meta)
  return a.fileUpdated !== b.fileUpdated || a.size !== b.size
}
