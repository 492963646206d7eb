import { exportName } from '../../components/collection.js'
import type { LockSession } from '../../lock/session.js'
import type { NeededParts } from '../../lock/table.js'
import type { ResolvedImport } from '../../modules/declarations.js'
import { tokensUse } from '../../tokens/load.js'
import type { Use as SourceUse } from '../../source/use.js'
import type { PairedAsset } from '../../space/space.js'
import { isWhole } from './declared.js'

/** Records the content that the source uses in the lock. @param isFull option `metadata: 'full'` */
export function recordUses(
  imports: readonly (ResolvedImport & { uses: readonly SourceUse[] })[],
  isFull: boolean,
  lock: Pick<LockSession, 'record'>,
): void {
  for (const resolved of imports) {
    if (!('reference' in resolved) || resolved.reference === undefined || resolved.named === undefined) continue
    const { named, reference } = resolved
    for (const use of usesOf(resolved, resolved.uses, isFull)) lock.record(named, reference.version, use)
  }
}

function usesOf(resolved: ResolvedImport, uses: readonly SourceUse[], isFull: boolean): NeededParts[] {
  switch (resolved.kind) {
    case 'asset':
      return [{ assets: uuidsOf([resolved.asset]), full: resolved.query.full }]
    case 'app-icons':
      return [{ assets: resolved.assets.map(({ uuid }) => uuid) }]
    case 'tokens':
      return [tokensUse]
    case 'outline':
      return [{ assets: [], whole: ['outline', 'kit'], full: isFull }]
    case 'collection': {
      const { collection, query } = resolved
      const names = uses.flatMap((use) => [...(use.names ?? []), ...(use.types ?? [])])
      const exported = names.flatMap((name) => collection.assets.get(collection.exports.get(name) ?? '') ?? [])
      // Keep the asset in the lockfile if its name no longer works, so that errors can suggest the new name.
      const former = [...resolved.named.former.assets].flatMap(([name, uuid]) =>
        names.includes(exportName(name, query)) && Object.hasOwn(resolved.named.kit.assets, uuid) ? [uuid] : [],
      )
      const parts = collection.parts.filter((part) => part !== 'kit')
      const used = { assets: [...uuidsOf(exported), ...former], parts, full: query.full }
      if (query.lazy === undefined && !uses.some(isWhole)) return [used]
      const counterparts = [...collection.assets.values()].flatMap(({ dark }) => dark?.uuid ?? [])
      return [{ ...used, assets: [...used.assets, ...counterparts], whole: collection.parts }]
    }
    default:
      return []
  }
}

function uuidsOf(assets: readonly PairedAsset[]): string[] {
  return assets.flatMap(({ uuid, dark }) => (dark ? [uuid, dark.uuid] : [uuid]))
}
