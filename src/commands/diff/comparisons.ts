import { ContentSpaceError, ignoreCodes } from '../../errors.js'
import type { Catalog } from '../../catalog/catalog.js'
import { lastVersion } from '../../lock/record.js'
import type { LockedKit, LockedSlug } from '../../lock/schema.js'
import type { LockSession } from '../../lock/session.js'
import type { NamedKit } from '../../kit/named-kit.js'
import { nameSlugs } from '../../kit/names.js'
import { parseVersion, type VersionSelector } from '../../request/request.js'
import { sideOf, lockedSide, nothing, type Side } from './side.js'

/** Two states of a kit. */
export interface Comparisons {
  slug: string
  /** All that ids may call the kit, but for aliases of the options. */
  names: ReadonlySet<string>
  before: Side
  after: Side
  /** Whether a version that the source names is the one that goes from one to the other. */
  moves: (selector: VersionSelector) => boolean
}

export interface ComparisonsContext {
  catalog: Pick<Catalog, 'useVersion' | 'peek' | 'lastLoaded'>
  memory: Pick<LockSession, 'lockedKit'>
}

/** What to compare of a kit. The kits that it loads are not learned: the lock stays as it is, frozen or not. */
export interface Comparison {
  /** What the lock has, and what each of its versions means now. */
  sinceLock(this: void, kit: string): Promise<Comparisons[]>
  /**
   * @param from default: what the lock has
   * @throws ContentSpaceError `kitNotFound`, `versionNotFound`
   */
  between(this: void, kit: string, from: VersionSelector | undefined, to: VersionSelector): Promise<Comparisons>
}

export function createComparisons({ catalog, memory }: ComparisonsContext): Comparison {
  /** A snapshot, where it can be had. */
  async function whole(kit: string, version: number): Promise<NamedKit | undefined> {
    return version === 0
      ? undefined
      : catalog.peek(kit, version).catch(ignoreCodes('kitNotFound', 'versionNotFound', 'offline'))
  }

  /**
   * What the lock has of a version. It keeps the assets of all versions together.
   * @param kept of a draft, as it was before it was looked at now
   */
  async function pinned(
    kit: string,
    locked: LockedKit,
    version: number,
    kept: NamedKit | undefined,
    after: Side,
  ): Promise<Side> {
    const old = await whole(kit, version)
    if (old) return sideOf(old, locked)
    const versions = Object.values(locked.selectors).map((selector) => selector.version)
    const others = await Promise.all(versions.filter((other) => other !== version).map((other) => whole(kit, other)))
    return lockedSide(
      locked,
      version,
      kept,
      (asset) => after.assets.has(asset) || !others.some((other) => other?.assets.has(asset)),
    )
  }

  function lockedKit(kit: string): LockedKit {
    const locked = memory.lockedKit(kit)
    if (locked) return locked
    throw new ContentSpaceError('kitNotFound', `The lock has no kit ${kit}.`, {
      kit,
      hint: 'Run `content-space sync` with an import of it, or name the version to start from.',
    })
  }

  return {
    async sinceLock(kit) {
      const locked = lockedKit(kit)
      const kept = await catalog.lastLoaded(kit, 0)
      const states = Object.entries(locked.selectors).map(async ([text, { version }]): Promise<Comparisons[]> => {
        const selector = parseVersion(text) ?? 'use'
        const now = selector === 'use' ? await catalog.useVersion(kit).catch(ignoreCodes('kitNotFound')) : selector
        // a snapshot does not change
        if (now === version && version !== 0) return []
        const named = now === undefined ? undefined : await catalog.peek(kit, now).catch(ignoreCodes('kitNotFound'))
        const after = named ? sideOf(named) : { ...nothing, version }
        const before = await pinned(kit, locked, version, kept, after)
        return [{ ...namesOf(kit, locked), before, after, moves: (other) => other === selector }]
      })
      return (await Promise.all(states)).flat()
    },
    async between(kit, from, to) {
      const locked = memory.lockedKit(kit)
      const kept = await catalog.lastLoaded(kit, 0)
      const named = await catalog.peek(kit, to === 'use' ? await catalog.useVersion(kit) : to)
      const after = sideOf(named, locked)
      const start = from === 'use' ? (locked?.selectors['use']?.version ?? (await catalog.useVersion(kit))) : from
      const before =
        start === undefined
          ? await pinned(kit, lockedKit(kit), lastVersion(lockedKit(kit))?.version ?? 0, kept, after)
          : sideOf(await catalog.peek(kit, start), locked)
      return {
        ...namesOf(kit, locked ?? nameSlugs([named.kit], 'kit').get(kit)),
        before,
        after,
        moves: (selector) => selector === 'use' || selector === before.version,
      }
    },
  }
}

function namesOf(
  uuid: string,
  { slug, aliases = [] }: LockedSlug = { slug: uuid },
): Pick<Comparisons, 'slug' | 'names'> {
  return { slug, names: new Set([uuid, slug, ...aliases]) }
}
