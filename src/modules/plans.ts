import { ContentSpaceError } from '../errors.js'
import { planAsset, type AssetPlan } from '../files/plan.js'
import type { SvgPolicy } from '../files/recipe.js'
import type { Query } from '../request/query.js'
import type { AssetRecord } from '../space/space.js'
import { omitUndefined } from '../text/omit-undefined.js'

/** Plans of the assets of a collection, by uuid. */
export interface Plans {
  plans: Map<string, AssetPlan>
  /** Errors of the assets that do not have the requested cut. */
  withoutCut: Map<string, ContentSpaceError>
}

/**
 * Plans all assets, or none.
 * @throws ContentSpaceError `fileCutUnavailable`, naming all assets without the cut
 */
export function planAll(assets: readonly AssetRecord[], query: Query, svg: SvgPolicy): Map<string, AssetPlan> {
  const { plans, withoutCut } = planEach(assets, query, svg)
  const refusal = withoutCutError([...withoutCut.values()], query)
  if (refusal) throw refusal
  return plans
}

/** Plans the assets that have the requested cut. */
export function planEach(assets: readonly AssetRecord[], query: Query, svg: SvgPolicy): Plans {
  const plans = new Map<string, AssetPlan>()
  const withoutCut = new Map<string, ContentSpaceError>()
  for (const asset of assets) {
    try {
      plans.set(asset.uuid, planAsset(asset, query, svg))
    } catch (error) {
      if (!(error instanceof ContentSpaceError) || error.code !== 'fileCutUnavailable') throw error
      withoutCut.set(asset.uuid, error)
    }
  }
  return { plans, withoutCut }
}

/** Combines the errors of assets without a cut. */
export function withoutCutError(errors: readonly ContentSpaceError[], query: Query): ContentSpaceError | undefined {
  if (errors.length <= 1) return errors[0]
  const lines = errors.map(({ summary, hint = '' }) => `${summary} ${hint}`)
  const hint =
    query.cut && `Write cut=${query.cut.type.toLowerCase()};original to import the originals of these assets.`
  const missing = query.cut ? 'this cut' : 'a PNG cut to make a picture from'
  const message = `${errors.length} assets do not have ${missing}.`
  return new ContentSpaceError('fileCutUnavailable', message, { lines, ...omitUndefined({ hint }) })
}
