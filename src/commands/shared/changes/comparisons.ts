import type { Engine } from '../../../engine/engine.js'
import { ContentSpaceError, ignoreCodes } from '../../../errors.js'
import type { NamedKit } from '../../../kit/named-kit.js'
import { nameSlugs } from '../../../kit/names.js'
import { lastVersion, tableChanges } from '../../../lock/drift.js'
import type { LockedKit, LockedSlug } from '../../../lock/schema.js'
import { listedTable } from '../../../lock/table.js'
import type { VersionSelector } from '../../../request/request.js'
import { meansShortId } from '../../../space/short-id.js'
import { emptySide, lockedSide, sideOf, type Side } from './side.js'
import { releasesBetween, type ComparedSides } from './versions.js'

/** Two states of a kit to compare. */
export interface KitComparison extends ComparedSides {
  uuid: string
  slug: string
  /** Uuid, slug and former slugs of the kit. Aliases of the options have already been resolved. */
  names: ReadonlySet<string>
  shortId?: string | undefined
  /** Returns whether an import with this selector would change from one state to the other. */
  affects: (selector: VersionSelector) => boolean
}

/** Returns whether a uuid, slug or short id refers to the kit of a comparison. */
export function isNamed({ names, shortId }: KitComparison, kit: string): boolean {
  return names.has(kit) || (shortId !== undefined && meansShortId(kit, shortId))
}

/** Selectors of a locked kit with the same earlier and the same later version. */
export interface SelectorChange {
  selectors: readonly VersionSelector[]
  from: number
  /** Undefined if the version no longer exists. */
  to: number | undefined
}

/** @internal */
export type ComparisonsContext = Pick<Engine, 'space' | 'catalog' | 'lock'>

/**
 * Compares each locked version of a kit with the version that its selector resolves to now. Doesn't change the
 * lockfile.
 * @internal
 */
export async function sinceLock(context: ComparisonsContext, kit: string): Promise<KitComparison[]> {
  const locked = requireLocked(context, kit)
  const changes = await selectorChanges(context, kit, locked)
  const comparisons = await Promise.all(changes.map((change) => compareSelectors(context, kit, locked, change)))
  return comparisons.filter((comparison) => comparison !== undefined)
}

/**
 * Compares two versions of a kit. Doesn't change the lockfile.
 * @param from defaults to the locked version
 * @throws ContentSpaceError `kitNotFound`, `versionNotFound`
 * @internal
 */
export async function between(
  context: ComparisonsContext,
  kit: string,
  from: VersionSelector | undefined,
  to: VersionSelector,
): Promise<KitComparison> {
  const { catalog, lock, space } = context
  const locked = lock.lockedKit(kit)
  const last = locked && lastVersion(locked)?.version
  const lastDraft = await catalog.lastLoaded(kit, 0)
  const end = to === 'use' ? await catalog.useVersion(kit) : to
  if (from === undefined && end !== 0 && lastVersion(requireLocked(context, kit))?.version === end) {
    const change = { selectors: ['use' as const, end], from: end, to: end }
    const same = await compareSelectors(context, kit, requireLocked(context, kit), change)
    if (same) return same
  }
  const named = await catalog.peek(kit, end)
  const after = sideOf(named, locked)
  const start = from === 'use' ? (locked?.use ?? (await catalog.useVersion(kit))) : from
  const before =
    start === undefined
      ? await lockedState(context, kit, requireLocked(context, kit), last ?? 0, lastDraft)
      : sideOf(await catalog.peek(kit, start), locked)
  return {
    ...kitNames(kit, locked ?? nameSlugs([named.kit], 'kit').get(kit)),
    before,
    after,
    // An import that specifies a version keeps it.
    affects: (selector) => selector === 'use',
    releases: await releasesBetween(kit, before, after, space),
  }
}

/** Returns undefined for the draft, because it may have changed, and for a version that isn't available. */
async function loadSnapshot({ catalog }: ComparisonsContext, kit: string, version: number) {
  if (version === 0) return undefined
  return catalog.peek(kit, version).catch(ignoreCodes('kitNotFound', 'versionNotFound', 'offline'))
}

/**
 * Returns a locked version from its last listing, or otherwise from the lockfile.
 * @param lastDraft the draft as it was listed before this run
 */
async function lockedState(
  context: ComparisonsContext,
  kit: string,
  locked: LockedKit,
  version: number,
  lastDraft: NamedKit | undefined,
): Promise<Side> {
  const snapshot = await loadSnapshot(context, kit, version)
  if (snapshot) return sideOf(snapshot, locked)
  const side = lockedSide(kit, locked, version)
  if (version !== 0 || lastDraft === undefined) return side
  // If a draft was listed when it was locked, the listing has all assets. Services may keep a draft's date while it
  // changes.
  const { dateUpdated, assets } = lastDraft.kit
  const isSame = [...side.assets].every(
    ([uuid, { hash }]) => assets[uuid] !== undefined && assets[uuid].fileHash === hash,
  )
  return isSame && dateUpdated === locked.versions[0]?.date ? sideOf(lastDraft, locked) : side
}

/** Returns the locked kit. The error contains the name as written by the user. @internal */
export function requireLocked({ lock }: ComparisonsContext, kit: string, name = kit): LockedKit {
  const locked = lock.lockedKit(kit)
  if (locked) return locked
  throw new ContentSpaceError('kitNotFound', `Kit ${name} is not in the lockfile.`, {
    kit,
    hint: 'Import it and run `npx content-space sync`, or name the version to compare from.',
  })
}

async function compareSelectors(
  context: ComparisonsContext,
  kit: string,
  locked: LockedKit,
  { selectors, from, to }: SelectorChange,
): Promise<KitComparison | undefined> {
  const { catalog, space } = context
  const affects = (selector: VersionSelector) => selectors.includes(selector)
  if (to === from && from !== 0) {
    const within = await compareWithin(context, kit, locked, from)
    return within && { ...kitNames(kit, locked), ...within, affects, releases: [] }
  }
  // Load the last draft first, because loading the current draft replaces it.
  const lastDraft = await catalog.lastLoaded(kit, 0)
  const named = to === undefined ? undefined : await catalog.peek(kit, to).catch(ignoreCodes('kitNotFound'))
  const after = named ? sideOf(named) : emptySide(from)
  const before = await lockedState(context, kit, locked, from, lastDraft)
  const releases = await releasesBetween(kit, before, after, space)
  return { ...kitNames(kit, locked), before, after, affects, releases }
}

/**
 * Compares a locked version with its current listing, because a service may replace files within a version. Returns
 * undefined if the listing is unavailable.
 */
async function compareWithin({ catalog }: ComparisonsContext, kit: string, locked: LockedKit, version: number) {
  const last = await catalog.lastLoaded(kit, version)
  const listed = await catalog.listed(kit, version).catch(ignoreCodes('kitNotFound', 'versionNotFound', 'offline'))
  const table = locked.versions[version]
  if (listed === undefined || table === undefined) return undefined
  const isSame = tableChanges(table, listedTable(table, listed)).length === 0
  const before = lockedSide(kit, locked, version)
  const known = last && before.isPartial ? sideOf(last, locked) : undefined
  // The lockfile takes precedence for its own entries, and the last listing adds the others.
  const full = known && { ...known, assets: new Map([...known.assets, ...before.assets]) }
  return {
    before: { ...(full ?? before), content: 'locked' },
    after: { ...sideOf(listed), content: isSame ? 'locked' : 'changed' },
  }
}

async function selectorChanges({ catalog }: ComparisonsContext, kit: string, locked: LockedKit) {
  const own = Object.keys(locked.versions)
    .map(Number)
    .filter((version) => version !== locked.use)
  const selectors: VersionSelector[] = [...(locked.use === undefined ? [] : ['use' as const]), ...own]
  const changes = selectors.map(async (selector) => {
    const from = selector === 'use' ? (locked.use ?? 0) : selector
    const to = selector === 'use' ? await catalog.useVersion(kit).catch(ignoreCodes('kitNotFound')) : selector
    return { selectors: [selector], from, to }
  })
  return groupChanges(await Promise.all(changes))
}

/** Joins changes that have the same earlier and the same later version. */
export function groupChanges<T extends SelectorChange>(changes: readonly T[]): T[] {
  const groups = new Map<string, T>()
  for (const change of changes) {
    const key = `${change.from} ${change.to}`
    const selectors = [...(groups.get(key)?.selectors ?? []), ...change.selectors]
    groups.set(key, { ...change, selectors })
  }
  return [...groups.values()]
}

function kitNames(
  uuid: string,
  { slug, aliases = [], shortId }: LockedSlug = { slug: uuid },
): Pick<KitComparison, 'uuid' | 'slug' | 'names' | 'shortId'> {
  return { uuid, slug, names: new Set([uuid, slug, ...aliases]), shortId }
}
