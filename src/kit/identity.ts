import { memoizeWeak } from '../async/memoize.js'
import type { AssetRecord } from '../space/space.js'
import { canonicalUuid } from '../space/uuid.js'
import { objectOf } from '../text/json.js'
import type { LoadedKit } from './load.js'

/**
 * Returns the uuid that an asset has in every version of its kit. A service may give an asset of a published version a
 * separate uuid, and name the draft's asset in `source_id`.
 */
function identityOf({ uuid, raw }: Pick<AssetRecord, 'uuid' | 'raw'>): string {
  const source = objectOf(raw)['source_id']
  return (typeof source === 'string' ? canonicalUuid(source) : undefined) ?? uuid
}

/** Returns the identities that differ from the uuids of their assets, by uuid. Two assets never share an identity. */
export const identitiesIn = memoizeWeak(({ assets }: Pick<LoadedKit, 'assets'>): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const taken = new Set(Object.keys(assets))
  for (const asset of Object.values(assets)) {
    const identity = identityOf(asset)
    if (taken.has(identity)) continue
    taken.add(identity)
    found.set(asset.uuid, identity)
  }
  return found
})

/** Returns uuids by the identity of their assets, for assets whose identity and uuid differ. */
export const byIdentity = memoizeWeak(
  (kit: Pick<LoadedKit, 'assets'>): ReadonlyMap<string, string> =>
    new Map([...identitiesIn(kit)].map(([uuid, identity]) => [identity, uuid])),
)
