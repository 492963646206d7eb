import { ignoreCodes } from '../../errors.js'
import type { NamedKit } from '../../kit/named-kit.js'
import type { LockedKit } from '../../lock/schema.js'
import { parseVersion, type VersionSelector } from '../../request/request.js'
import { readableName } from '../../space/folder/naming.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { groupChanges, type ComparisonsContext, type KitComparison, type SelectorChange } from './comparisons.js'
import { lockedSide, sideOf, type Side } from './side.js'
import { withLockedSlugs } from './structure.js'
import { releasesBetween } from './versions.js'

/** A kit in two lockfiles. */
export interface LockedPair {
  uuid: string
  before: LockedKit
  after: LockedKit
}

/** Selectors with the same versions in both lockfiles. */
type Change = SelectorChange & { to: number }

/** The versions of a kit that are known. Undefined for one that neither the cache nor the space has. */
type Listings = ReadonlyMap<number, NamedKit | undefined>

/**
 * Compares a kit of two lockfiles. The lockfiles are enough. Where the cache or the space has a version, its exact
 * names, types and release notes are shown as well.
 */
export async function compareLocks(pair: LockedPair, context: ComparisonsContext): Promise<KitComparison[]> {
  const { uuid, before: was, after: is } = pair
  const { slug, aliases = [] } = is
  const names = new Set([uuid, slug, was.slug, ...aliases, ...(was.aliases ?? [])])
  const changes = changesOf(pair)
  const listings = await listingsOf(uuid, changes, context)
  const isSeparable = [...listings.values()].every((listing) => listing !== undefined)
  return Promise.all(
    (isSeparable ? changes : together(changes)).map(async ({ selectors, from, to }) => {
      const side = from === to ? sideOfLock : sideOfVersion
      const earlier = side(was, from, listings)
      const later = side(is, to, listings)
      const isRenamed = was.slug !== is.slug && earlier.name === later.name
      const before = isRenamed ? { ...earlier, name: readableName(was.slug) } : earlier
      const after = isRenamed ? { ...later, name: later.name ?? readableName(is.slug) } : later
      const releases = await releasesBetween(uuid, before, after, context.space)
      const affects = (selector: VersionSelector): boolean => selectors.includes(selector)
      return { uuid, slug: slug || was.slug, names, before, after, affects, releases }
    }),
  )
}

/** Returns the assets whose originals have another sha256 in the second lockfile. */
export function replacedOriginals({ before, after }: LockedPair): Set<string> {
  const uuids = Object.keys(after.assets).filter((uuid) => {
    const [was, is] = [before, after].map(({ assets }) => assets[uuid]?.files?.['original'])
    return was !== undefined && is !== undefined && was !== is
  })
  return new Set(uuids)
}

function changesOf({ before, after }: LockedPair): Change[] {
  const changes = Object.entries(after.selectors).flatMap(([text, { version: to }]): Change[] => {
    const from = before.selectors[text]?.version
    return from === undefined ? [] : [{ selectors: [parseVersion(text) ?? 'use'], from, to }]
  })
  return groupChanges(changes)
}

/** A lockfile does not separate the assets of versions: without listings, all changes are shown as those of `use`. */
function together(changes: readonly Change[]): Change[] {
  const first = changes.find(({ selectors }) => selectors.includes('use')) ?? changes[0]
  return first === undefined ? [] : [{ ...first, selectors: changes.flatMap(({ selectors }) => selectors) }]
}

/** Returns a version as a lockfile has it. Only this tells two states of one version apart. */
function sideOfLock(locked: LockedKit, version: number, listings: Listings): Side {
  const listing = listings.get(version)
  const others = Object.values(locked.selectors).filter((selector) => selector.version !== version)
  // An asset that has left a draft is in no listing.
  const known = others.map((other) => listings.get(other.version))
  return lockedSide(locked, version, listing, listing?.assets, known)
}

function sideOfVersion(locked: LockedKit, version: number, listings: Listings): Side {
  const listing = listings.get(version)
  // A draft may have changed since.
  if (listing === undefined || version === 0) return sideOfLock(locked, version, listings)
  const side = sideOf(listing, locked)
  // The catalog gives the names of the current lockfile.
  const assets = [...side.assets].map(([asset, found]) => {
    const { name, slug, aliases = [] } = locked.assets[asset] ?? {}
    return [asset, name && slug ? { ...found, names: { name, slug, aliases } } : found] as const
  })
  const structure = side.structure && withLockedSlugs(side.structure, locked)
  return { ...side, assets: new Map(assets), ...omitUndefined({ structure }) }
}

async function listingsOf(
  uuid: string,
  changes: readonly Change[],
  { catalog }: ComparisonsContext,
): Promise<Listings> {
  const versions = [...new Set(changes.flatMap(({ from, to }) => [from, to]))]
  const listings = versions.map(async (version) => {
    const last = await catalog.lastLoaded(uuid, version)
    const known = last ?? catalog.peek(uuid, version).catch(ignoreCodes('kitNotFound', 'versionNotFound', 'offline'))
    return [version, await known] as const
  })
  return new Map(await Promise.all(listings))
}
