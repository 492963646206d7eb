import { ContentSpaceError } from '../errors.js'
import { suggestion } from '../text/nearest.js'
import type { Lock, LockedKit } from './schema.js'

/** What `content-space update` resolves again: versions, snapshots and hashes. */
export interface UpdateOptions {
  /** Uuid or slug. Default: every kit of the lockfile. */
  kit?: string
  /** Whether names are generated again as well. */
  rename: boolean
}

/**
 * Returns the uuids of the kits to update.
 * @throws ContentSpaceError `kitNotFound` for a kit that is not in the lockfile
 */
export function updatedKits({ kits }: Lock, { kit: name }: UpdateOptions): ReadonlySet<string> {
  if (name === undefined) return new Set(Object.keys(kits))
  const found = Object.entries(kits).find(([uuid, { slug, aliases = [] }]) => [uuid, slug, ...aliases].includes(name))
  if (found !== undefined) return new Set([found[0]])
  const slugs = Object.values(kits).map(({ slug }) => slug)
  throw new ContentSpaceError('kitNotFound', `Kit ${name} is not in the lockfile.`, {
    hint: suggestion(name, slugs, 'kits'),
  })
}

/** Returns the lock without what an update of these kits resolves again. */
export function withoutUpdated(lock: Lock, uuids: ReadonlySet<string>, rename: boolean): Lock {
  const kits = Object.entries(lock.kits).map(([uuid, kit]) => {
    if (!uuids.has(uuid)) return [uuid, kit]
    return [uuid, rename ? withoutNames(kit) : withoutHashes(kit)]
  })
  return { ...lock, kits: Object.fromEntries(kits) }
}

function withoutNames({ selectors }: LockedKit): LockedKit {
  return { slug: '', selectors, sections: {}, headings: {}, assets: {} }
}

function withoutHashes(kit: LockedKit): LockedKit {
  const assets = Object.entries(kit.assets).map(([uuid, asset]) => [uuid, { ...asset, files: {} }] as const)
  return { ...kit, assets: Object.fromEntries(assets) }
}
