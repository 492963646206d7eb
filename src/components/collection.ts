import { attempt } from '../async/attempt.js'
import { ContentSpaceError, ignoreCodes } from '../errors.js'
import { chooseCut, offeredCuts } from '../files/choose-cut.js'
import { planAsset, type AssetPlan } from '../files/plan.js'
import type { SvgPolicy } from '../files/recipe.js'
import type { Collection } from '../kit/named-kit.js'
import { frameworkOf } from '../request/frameworks.js'
import type { Query } from '../request/query.js'
import type { AssetRecord } from '../space/space.js'
import { compareStrings } from '../text/compare.js'
import { changeCase } from '../text/letters.js'

/** Formats that browsers render in an `<img>`, by extension. */
const renderedFormats = new Set(['apng', 'avif', 'bmp', 'gif', 'ico', 'jpg', 'png', 'svg', 'webp'])

/** Returns the name under which a module exports an asset: `ArrowLeft` for components, otherwise `arrowLeft`. */
export function exportName(name: string, { as }: Pick<Query, 'as'>): string {
  if (frameworkOf(as) === undefined) return name
  // Don't capitalize a dotless i, because its capital equals the capital of i, so two assets would get the same name.
  return name.replace(/^[^ı]/su, (letter) => changeCase(letter, 'toUpperCase'))
}

/** Returns what a kit, section, or heading module exports under a query: all assets, or picture components. */
export function exportedCollection(collection: Collection, query: Query, svg: SvgPolicy): Collection {
  if (frameworkOf(query.as) === undefined) return collection
  const assets = new Map([...collection.assets].filter(([, asset]) => isPictureAsset(asset, query, svg)))
  const renamed = [...collection.exports].map(([name, uuid]) => [exportName(name, query), uuid] as const)
  return {
    parts: collection.parts,
    assets,
    exports: new Map(renamed.filter(([, uuid]) => assets.has(uuid)).toSorted(([a], [b]) => compareStrings(a, b))),
    withheld: new Map(
      renamed.flatMap(([name, uuid]) => {
        const asset = assets.has(uuid) ? undefined : collection.assets.get(uuid)
        return asset === undefined ? [] : [[name, asset] as const]
      }),
    ),
    tree: (asset) => collection.tree(asset, (uuid) => assets.has(uuid)),
  }
}

/** Checks whether the query turns an asset into a picture that browsers can render. */
function isPictureAsset(asset: AssetRecord, query: Query, svg: SvgPolicy): boolean {
  return isRendered(attempt(() => planAsset(asset, query, svg), ignoreCodes('fileCutUnavailable')) ?? {})
}

function isRendered({ src }: AssetPlan): boolean {
  return src !== undefined && renderedFormats.has(src.ext)
}

/**
 * Checks that an asset that is imported as a component makes a picture.
 * @throws ContentSpaceError `invalidQuery`
 */
export function checkComponent(asset: AssetRecord, query: Query, plan: AssetPlan): void {
  if (frameworkOf(query.as) === undefined) return
  if (!isRendered(plan)) throw noComponent(asset, query)
  if (query.currentcolor === undefined || plan.value !== undefined) return
  throw new ContentSpaceError(
    'invalidQuery',
    `${asset.name} (${asset.type}) is not an SVG, so it cannot take the text color.`,
    {
      asset: asset.uuid,
      hint: 'Remove currentcolor from the query.',
    },
  )
}

export function noComponent(asset: AssetRecord, { as, cut: requested }: Query): ContentSpaceError {
  const { name, type, uuid } = asset
  const cut = requested && chooseCut(asset, requested.type, true)
  const hasPng = offeredCuts(asset).includes('PNG')
  const subject = cut === undefined ? `${name} (${type})` : `The ${cut} cut of ${name} (${type})`
  const message = `${subject} is not a picture that browsers can display, so it cannot be a component.`
  const others = hasPng ? 'Add cut=png to the query to show a picture of it.' : `Import it without as=${as}.`
  const hint = cut === undefined ? others : 'Remove cut from the query, or choose a cut that browsers can display.'
  return new ContentSpaceError('invalidQuery', message, { asset: uuid, hint })
}
