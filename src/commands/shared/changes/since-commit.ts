import { isDeepStrictEqual } from 'node:util'
import type { LockedKit, LockedTable } from '../../../lock/schema.js'
import type { VersionSelector } from '../../../request/request.js'
import { groupChanges, type ComparisonsContext, type KitComparison, type SelectorChange } from './comparisons.js'
import { lockedSide, type Side } from './side.js'
import { releasesBetween } from './versions.js'

/** A kit in two lockfiles. */
export interface LockedPair {
  uuid: string
  before: LockedKit
  after: LockedKit
}

/** Selectors that have the same version in both lockfiles. */
type Change = SelectorChange & { to: number }

/** Compares a kit in two lockfiles. Requests only the notes of the releases in between. */
export async function compareLocks(pair: LockedPair, { space }: ComparisonsContext): Promise<KitComparison[]> {
  const { uuid, before: was, after: is } = pair
  const { slug, aliases = [], shortId } = is
  const names = new Set([uuid, slug, was.slug, ...aliases, ...(was.aliases ?? [])])
  return Promise.all(
    changesOf(pair).map(async ({ selectors, from, to }) => {
      const [earlier, later] = [lockedSide(uuid, was, from), lockedSide(uuid, is, to)]
      const isSame = from === to && isDeepStrictEqual(contentIn(was.versions[from]), contentIn(is.versions[to]))
      const before = { ...earlier, content: 'before' }
      // Unless the earlier lockfile contains the whole kit, it may lack assets that existed before.
      const common = earlier.isPartial ? withCommon(later, earlier) : later
      const after: Side = { ...common, content: isSame || from !== to ? 'before' : 'after' }
      const gone = removedIn(is.versions[to])
      const kept = new Map([...before.assets].filter(([asset]) => later.assets.has(asset) || gone.has(asset)))
      const releases = await releasesBetween(uuid, before, after, space)
      const affects = (selector: VersionSelector): boolean => selectors.includes(selector)
      return {
        uuid,
        slug: slug || was.slug,
        names,
        shortId,
        before: { ...before, assets: kept },
        after,
        affects,
        releases,
      }
    }),
  )
}

function withCommon(later: Side, earlier: Side): Side {
  const known = new Set([...earlier.assets.keys(), ...(earlier.identities?.keys() ?? [])])
  const identityOf = new Map([...(later.identities ?? [])].map(([identity, uuid]) => [uuid, identity]))
  const isKnown = (uuid: string): boolean => known.has(uuid) || known.has(identityOf.get(uuid) ?? uuid)
  return { ...later, assets: new Map([...later.assets].filter(([uuid]) => isKnown(uuid))) }
}

function removedIn(table: LockedTable | undefined): Set<string> {
  return new Set(Object.entries(table?.assets ?? {}).flatMap(([uuid, { lastSeen }]) => (lastSeen ? [uuid] : [])))
}

/** Returns the parts of a table that come from the service. */
function contentIn(table: LockedTable | undefined): unknown {
  const records = Object.entries(table?.assets ?? {}).map(([uuid, { record, fields }]) => [uuid, record, fields])
  return [table?.head, records, Object.entries(table?.items ?? {})]
}

/**
 * Returns the assets whose original has a different sha256 in the second lockfile, although the version is the same.
 */
export function replacedOriginals({ before, after }: LockedPair): Set<string> {
  const uuids = Object.entries(after.versions).flatMap(([version, { assets }]) =>
    Object.keys(assets).filter((uuid) => {
      const [was, is] = [before.versions[version]?.assets[uuid], assets[uuid]].map((line) => line?.files?.['original'])
      return was !== undefined && is !== undefined && was !== is
    }),
  )
  return new Set(uuids)
}

function changesOf({ before, after }: LockedPair): Change[] {
  const both = Object.keys(after.versions).filter((version) => before.versions[version] !== undefined)
  const own = both.map((version): Change => ({
    selectors: [Number(version)],
    from: Number(version),
    to: Number(version),
  }))
  const { use: from } = before
  const { use: to } = after
  return groupChanges(from === undefined || to === undefined ? own : [{ selectors: ['use'], from, to }, ...own])
}
