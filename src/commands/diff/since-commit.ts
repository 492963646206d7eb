import type { Catalog } from '../../catalog/catalog.js'
import { ignoreCodes } from '../../errors.js'
import type { NamedKit } from '../../kit/named-kit.js'
import type { LockedKit } from '../../lock/schema.js'
import { parseVersion, type VersionSelector } from '../../request/request.js'
import type { Space } from '../../space/space.js'
import type { KitComparison } from './comparisons.js'
import { releasesBetween } from './releases.js'
import { lockedSide, sideOf, type Side } from './side.js'

export interface LocksContext {
  space: Pick<Space, 'kit'>
  catalog: Pick<Catalog, 'peek' | 'lastLoaded'>
}

/** A kit in two lockfiles. */
export interface LockedPair {
  uuid: string
  before: LockedKit
  after: LockedKit
}

/** Selectors with the same versions in both lockfiles. */
interface Change {
  selectors: VersionSelector[]
  from: number
  to: number
}

/**
 * Compares a kit of two lockfiles. The lockfiles are enough. Where the cache or the space has a version, its exact names,
 * types and release notes are shown as well.
 */
export async function compareLocks(pair: LockedPair, context: LocksContext): Promise<KitComparison[]> {
  const { uuid, before: was, after: is } = pair
  const { slug, aliases = [] } = is
  const names = new Set([uuid, slug, was.slug, ...aliases, ...(was.aliases ?? [])])
  return Promise.all(
    changesOf(pair).map(async ({ selectors, from, to }) => {
      const read = from === to ? withinVersion : ofVersion
      const before = await read(uuid, was, from, context)
      const after = await read(uuid, is, to, context)
      const releases = await releasesBetween(uuid, before, after, context.space)
      const affects = (selector: VersionSelector): boolean => selectors.includes(selector)
      return { slug: slug || was.slug, names, before, after, affects, releases }
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
  const changes = new Map<string, Change>()
  for (const [text, { version: to }] of Object.entries(after.selectors)) {
    const from = before.selectors[text]?.version
    if (from === undefined) continue
    const key = `${from} ${to}`
    const selectors = [...(changes.get(key)?.selectors ?? []), parseVersion(text) ?? 'use']
    changes.set(key, { selectors, from, to })
  }
  return [...changes.values()]
}

/** The lockfile alone tells two states of one version apart. Its listing describes the files with the locked hash. */
async function withinVersion(uuid: string, locked: LockedKit, version: number, context: LocksContext): Promise<Side> {
  return lockedSide(locked, version, await listing(uuid, version, context), () => true)
}

async function ofVersion(uuid: string, locked: LockedKit, version: number, context: LocksContext): Promise<Side> {
  const named = await listing(uuid, version, context)
  // A draft may have changed since.
  if (named === undefined || version === 0) return lockedSide(locked, version, named, () => true)
  const side = sideOf(named, locked)
  // The catalog gives the names of the current lockfile.
  const assets = [...side.assets].map(([asset, found]) => {
    const { name, slug, aliases = [] } = locked.assets[asset] ?? {}
    return [asset, name && slug ? { ...found, names: { name, slug, aliases } } : found] as const
  })
  return { ...side, assets: new Map(assets) }
}

async function listing(uuid: string, version: number, { catalog }: LocksContext): Promise<NamedKit | undefined> {
  const last = await catalog.lastLoaded(uuid, version)
  return last ?? catalog.peek(uuid, version).catch(ignoreCodes('kitNotFound', 'versionNotFound', 'offline'))
}
