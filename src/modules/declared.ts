import { memoizeWeak } from '../async/memoize.js'
import type { ContentSpaceError } from '../errors.js'
import type { AssetPlan } from '../files/plan.js'
import type { NamedKit } from '../kit/named-kit.js'
import { formatQuery, type Query } from '../request/query.js'
import { revisionOfFile } from '../space/revision.js'
import type { AssetRecord } from '../space/space.js'
import { documentation, placesIn, type Places } from './documentation.js'

/** Assets of one version of a kit under one query. */
export interface KitAssets {
  named: NamedKit
  query: Query
  /** By uuid. */
  plans: ReadonlyMap<string, AssetPlan>
  /** Errors of assets that don't have the requested cut or color, by uuid. */
  withoutCut?: ReadonlyMap<string, ContentSpaceError>
}

/** Where an asset is declared. */
export interface Place {
  specifier: string
  /** The export name. */
  name: string
}

/** The declarations so far, so that other modules can refer to them. */
export interface Declared {
  /** Specifiers by the content of their module. */
  modules: Map<string, string>
  /** Places by `sourceOf`, then by uuid of the asset. */
  assets: Map<string, Map<string, Place>>
  /** Sections by asset, for each kit. */
  sections: Map<NamedKit, Places>
  /**
   * If a collection has more assets than this, declare the common part of their types once, and write comments only for
   * assets in `commented`. Otherwise, comments would take up half of the file.
   */
  longest: number
  /** Uuids of assets by `sourceOf`. Absent for all. */
  commented?: ReadonlyMap<string, ReadonlySet<string>>
  /** Data URIs for the pictures in comments, by `revisionOfDeclared`. */
  pictures?: ReadonlyMap<string, string>
}

/** Identifies the file of an asset: uuid, and hash or date of a `FileDescriptor`. */
function revisionOfDeclared(asset: AssetRecord): string {
  return JSON.stringify([asset.uuid, revisionOfFile(asset)])
}

/** Up to this many assets, each type is written out, because that reads better in a review. */
const longest = 500

export function nothingDeclared(given: Partial<Pick<Declared, 'longest' | 'commented' | 'pictures'>> = {}): Declared {
  return { modules: new Map(), assets: new Map(), sections: new Map(), longest, ...given }
}

export function documentedAsset(asset: AssetRecord, named: NamedKit, { sections, pictures }: Declared): string {
  const places = sections.get(named) ?? placesIn(named)
  sections.set(named, places)
  return documentation(asset, named, places, pictures?.get(revisionOfDeclared(asset)))
}

/**
 * Identifies kit, version and query. The text is the same for all spellings of a specifier. It is memoized, because
 * each asset of a module asks for it several times.
 */
export const sourceOf = memoizeWeak(({ named: { kit }, query }: KitAssets) =>
  JSON.stringify([kit.uuid, kit.version, formatQuery(query)]),
)

/** Returns where an asset is declared already. Otherwise, registers `place` and returns undefined. */
export function declareOnce(
  asset: AssetRecord,
  assets: KitAssets,
  declared: Declared,
  place: Place,
): Place | undefined {
  const source = sourceOf(assets)
  const places = declared.assets.get(source) ?? new Map<string, Place>()
  declared.assets.set(source, places)
  const earlier = places.get(asset.uuid)
  if (earlier === undefined) places.set(asset.uuid, place)
  return earlier
}
