import { ContentSpaceError } from '../errors.js'
import { canonicalType, cutsByType } from '../space/asset-type.js'
import type { AssetRecord } from '../space/space.js'

/** The cuts that can be asked for: what the service says of this asset, or the interface's table where it says nothing. */
export function offeredCuts({ type, cuts }: Pick<AssetRecord, 'type' | 'cuts'>): string[] {
  return cuts === undefined
    ? [...(cutsByType[type] ?? [])]
    : cuts.flatMap((cut) => (cut.enabled ? [canonicalType(cut.type)] : []))
}

/**
 * The cut to download for what a query asks.
 * @param wanted a type in any case; the asset's own type means the original
 * @param orOriginal whether the original will do where the cut is not offered
 * @returns undefined for the original
 * @throws ContentSpaceError `fileCutUnavailable`, listing what is offered
 */
export function chooseCut(asset: AssetRecord, wanted: string, orOriginal: boolean): string | undefined {
  const type = canonicalType(wanted)
  if (type === asset.type) return undefined
  const offered = offeredCuts(asset)
  if (offered.includes(type)) return type
  if (orOriginal) return undefined
  const choice = offered.length === 0 ? 'It has no cuts' : `It offers ${offered.join(', ')}`
  throw new ContentSpaceError('fileCutUnavailable', `${asset.name} (${asset.type}) has no ${type} cut.`, {
    asset: asset.uuid,
    hint: `${choice}; cut=${type.toLowerCase()};original takes the original where there is no cut.`,
  })
}
