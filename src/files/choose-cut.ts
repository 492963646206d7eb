import { ContentSpaceError } from '../errors.js'
import { canonicalType, cutsByType } from '../space/asset-type.js'
import type { AssetRecord, Space } from '../space/space.js'

/**
 * The cuts that can be asked for: what the service says of this asset, or the interface's table where it says nothing.
 */
export function offeredCuts({ type, cuts }: Pick<AssetRecord, 'type' | 'cuts'>): string[] {
  return cuts === undefined
    ? [...(cutsByType.get(type) ?? [])]
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
  const isWanted = (other: string) => other.toLowerCase() === type.toLowerCase()
  if (isWanted(asset.type)) return undefined
  const offered = offeredCuts(asset)
  const cut = offered.find(isWanted)
  if (cut !== undefined || orOriginal) return cut
  const choice = offered.length === 0 ? 'It has no cuts' : `It offers ${offered.join(', ')}`
  const otherwise =
    type === 'original'
      ? 'without cut it is the original'
      : `cut=${type.toLowerCase()};original takes the original where there is no cut`
  throw new ContentSpaceError('fileCutUnavailable', `${asset.name} (${asset.type}) has no ${type} cut.`, {
    asset: asset.uuid,
    hint: `${choice}; ${otherwise}.`,
  })
}

/**
 * A space whose refusal of a cut lists the cuts that the asset is said to have.
 * @param find the record of an asset, where it is known
 */
export function withOfferedCuts(space: Space, find: (asset: string) => AssetRecord | undefined): Space {
  return {
    ...space,
    async download(target, cut, receive, call) {
      try {
        return await space.download(target, cut, receive, call)
      } catch (error) {
        const asset = find(target.uuid)
        if (!(error instanceof ContentSpaceError) || error.code !== 'fileCutUnavailable' || asset === undefined)
          throw error
        const hint = `The service lists ${offeredCuts(asset).join(', ') || 'no cuts'} for ${asset.name} (${asset.type}).`
        throw new ContentSpaceError(error.code, error.summary, { ...error.facts, hint, cause: error })
      }
    },
  }
}

/** What sharp decodes here, by extension. */
const readable = new Set(['svg', 'jpg', 'png', 'gif', 'tiff', 'webp', 'avif'])

/**
 * The cut that a picture is made from. The first that sharp reads: what the query chose, the original, the PNG cut.
 * @param chosen the cut that the query chose, if any
 * @returns undefined for the original
 * @throws ContentSpaceError `fileCutUnavailable`
 */
export function pictureCut(asset: AssetRecord, chosen: string | undefined): string | undefined {
  if (chosen !== undefined && readable.has(chosen.toLowerCase())) return chosen
  if (readable.has(asset.type.toLowerCase())) return undefined
  try {
    return chooseCut(asset, 'PNG', false)
  } catch (cause) {
    const summary = `${asset.name} (${asset.type}) is no picture, and has no PNG cut to make one from.`
    throw new ContentSpaceError('fileCutUnavailable', summary, {
      asset: asset.uuid,
      hint: 'Import it without a size or format.',
      cause,
    })
  }
}
