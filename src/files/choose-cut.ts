import { ContentSpaceError } from '../errors.js'
import { canonicalType, cutsByType, isPictureType, isVector } from '../space/asset-type.js'
import { writeCut, type AssetRecord, type Space } from '../space/space.js'
import { takesDpi } from '../space/wire/asset.js'
import { didYouMean } from '../text/nearest.js'

/**
 * Returns the types of an asset's cuts: the types that the service lists or, if it lists none, the types that the
 * interface defines for the asset's type.
 */
export function offeredCuts({ type, cuts }: Pick<AssetRecord, 'type' | 'cuts'>): string[] {
  return cuts === undefined
    ? [...(cutsByType.get(type) ?? [])]
    : cuts.flatMap((cut) => (cut.enabled ? [canonicalType(cut.type)] : []))
}

/**
 * Chooses the cut to download for a query's `cut=`.
 * @param requested a type in any case; the asset's own type means the original
 * @param orOriginal whether to fall back to the original if the service doesn't offer the cut
 * @returns undefined for the original
 * @throws ContentSpaceError `fileCutUnavailable`, which lists the cuts that are offered
 */
export function chooseCut(asset: AssetRecord, requested: string, orOriginal: boolean): string | undefined {
  const type = canonicalType(requested)
  const matches = (other: string) => other.toLowerCase() === type.toLowerCase()
  if (matches(asset.type)) return undefined
  const offered = offeredCuts(asset)
  const cut = offered.find(matches)
  if (cut !== undefined || orOriginal) return cut
  const choice = offered.length === 0 ? 'It has no cuts.' : `It offers ${offered.join(', ')}.`
  throw new ContentSpaceError('fileCutUnavailable', `${asset.name} (${asset.type}) has no ${type} cut. ${choice}`, {
    asset: asset.uuid,
    hint:
      type === 'original'
        ? 'Remove `cut` from the query to get the original.'
        : didYouMean(type, offered) || `Write cut=${type.toLowerCase()};original to fall back to the original.`,
  })
}

/**
 * Wraps a space so that its error for an unavailable cut lists the cuts that the service offers.
 * @param find returns an asset's record; undefined if the asset hasn't been loaded
 */
export function withOfferedCuts(space: Space, find: (asset: string) => AssetRecord | undefined): Space {
  return {
    ...space,
    async download(target, cut, receive, call) {
      try {
        return await space.download(target, cut, receive, call)
      } catch (error) {
        const asset = find(target.uuid)
        const isRefused = error instanceof ContentSpaceError && error.code === 'fileCutUnavailable'
        if (!isRefused || asset === undefined) throw error
        const offered = offeredCuts(asset).join(', ') || 'no cuts'
        const hint = `The service lists ${offered} for ${asset.name} (${asset.type}).`
        throw new ContentSpaceError(error.code, error.summary, { ...error.facts, hint, cause: error })
      }
    },
  }
}

/**
 * Chooses the source of a picture: the first file that sharp can read among the chosen cut, the original, and the PNG
 * cut.
 * @param chosen the cut that the query chose, if any
 * @returns undefined for the original
 * @throws ContentSpaceError `fileCutUnavailable`
 */
export function pictureCut(asset: AssetRecord, chosen: string | undefined): string | undefined {
  if (chosen !== undefined && isPictureType(chosen)) return chosen
  if (isPictureType(asset.type)) return undefined
  try {
    return chooseCut(asset, 'PNG', false)
  } catch (cause) {
    const summary = `${asset.name} (${asset.type}) is not a picture, and has no PNG cut to make one from.`
    throw new ContentSpaceError('fileCutUnavailable', summary, {
      asset: asset.uuid,
      hint: 'Import it without a size or format.',
      cause,
    })
  }
}

/**
 * Returns how the service can render a cut of an SVG at a requested size.
 * @returns undefined if it can't
 */
export function scalingOf(asset: AssetRecord, cut: string | undefined): 'dimensions' | 'dpi' | undefined {
  if (cut === undefined || !isVector(asset.type) || asset.width === undefined) return undefined
  const listed = asset.cuts?.find(({ type }) => canonicalType(type) === cut)
  return listed?.resizable ? 'dimensions' : takesDpi(asset, cut) ? 'dpi' : undefined
}

/**
 * Returns the cut in a larger size.
 * @param scale relative to the original size; the regular cut is large enough for a scale up to 1
 */
export function scaledCut(asset: AssetRecord, type: string, scale: number): string {
  if (scale <= 1) return type
  const pixels = (length = 1) => Math.max(1, Math.round(length * scale))
  return scalingOf(asset, type) === 'dpi'
    ? writeCut({ type, dpi: String(Math.ceil(72 * scale)) })
    : writeCut({ type, dimensions: `${pixels(asset.width)}x${pixels(asset.height)}` })
}
