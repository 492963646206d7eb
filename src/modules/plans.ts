import { ContentSpaceError } from '../errors.js'
import { planAsset, type AssetPlan } from '../files/plan.js'
import type { SvgPolicy } from '../files/recipe.js'
import { pixelKeys } from '../request/parameters.js'
import type { Query } from '../request/query.js'
import type { AssetRecord } from '../space/space.js'
import { omitUndefined } from '../text/omit-undefined.js'

/**
 * Plans all assets.
 * @throws ContentSpaceError `fileCutUnavailable`, which lists all assets without the cut
 */
export function planAll(assets: readonly AssetRecord[], query: Query, svg: SvgPolicy): Map<string, AssetPlan> {
  const { plans, withoutCut } = planEach(assets, query, svg)
  const refusal = withoutCutError([...withoutCut.values()], query)
  if (refusal) throw refusal
  return plans
}

/** Plans the assets that have the requested cut, by uuid. `withoutCut` contains the errors of the other assets. */
export function planEach(assets: readonly AssetRecord[], query: Query, svg: SvgPolicy) {
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

/** Combines the errors of assets that lack a cut or have several colors. Their hint depends only on the query. */
export function withoutCutError(errors: readonly ContentSpaceError[], query: Query): ContentSpaceError | undefined {
  const [first] = errors
  if (errors.length <= 1) return first
  const missing = query.cut ? 'this cut' : 'a PNG cut to make a picture from'
  const reason = query.currentcolor ? 'cannot take the color of the text' : `do not have ${missing}`
  const hint = query.cut || query.currentcolor ? first?.hint : 'Import them without a size or format.'
  return new ContentSpaceError('fileCutUnavailable', `${errors.length} assets ${reason}.`, {
    lines: errors.map(({ summary }) => summary),
    ...omitUndefined({ hint }),
  })
}

const fileForms: readonly Query['as'][] = ['url', 'raw', 'inline', 'picture']

/** @throws ContentSpaceError `invalidQuery` if the asset is data and the query has a form or key that needs a file */
export function checkFile({ uuid, name, type }: AssetRecord, query: Query, { src }: AssetPlan): void {
  const { as } = query
  if (src !== undefined || as === 'metadata') return
  const keys = [...pixelKeys(query, true), 'cut', 'format', 'placeholder'].filter((key) => key in query)
  const [needed] = fileForms.includes(as) ? [as] : keys
  if (needed === undefined) return
  const hint = `Import it without ${needed}.`
  throw new ContentSpaceError('invalidQuery', `${name} (${type}) is data and has no file.`, { asset: uuid, hint })
}
