import { memoizeWeak } from '../async/memoize.js'
import type { ContentSpaceError } from '../errors.js'
import type { AssetPlan } from '../files/plan.js'
import type { NamedKit } from '../kit/named-kit.js'
import { formatQuery, type Query } from '../request/query.js'
import { revisionOfFile } from '../space/revision.js'
import type { AssetRecord } from '../space/space.js'
import { documentation, placesIn, type Places } from './documentation.js'

/** The assets in one version of a kit under one query. */
export interface KitAssets {
  named: NamedKit
  query: Query
  /** The plans of the assets, by uuid. */
  plans: ReadonlyMap<string, AssetPlan>
  /** The errors of assets that don't have the requested cut or color, by uuid. */
  withoutCut?: ReadonlyMap<string, ContentSpaceError>
}

/** The specifier and export that declare an asset. */
export interface Place {
  specifier: string
  /** The export name. */
  name: string
}

/** The declarations that have been written so far, so that other modules can refer to them. */
export interface Declared {
  /** Specifiers by the content of their module. */
  modules: Map<string, string>
  /** The declared export of each asset, by `sourceOf` and then by the asset's uuid. */
  assets: Map<string, Map<string, Place>>
  /** The sections that contain each asset, for each kit. */
  sections: Map<NamedKit, Places>
  /**
   * If a collection has more assets than this, we declare the common part of their types once, and write comments only
   * for assets in `commented`. Otherwise, comments would take up half of the file.
   */
  longest: number
  /** The uuids of assets by `sourceOf`. Undefined for all assets. */
  commented?: ReadonlyMap<string, ReadonlySet<string>>
  /** Data URIs of the pictures in comments, by `revisionOfDeclared`. */
  pictures?: ReadonlyMap<string, string>
}

/** Identifies an asset's file by its uuid and the hash or date of its `FileDescriptor`. */
function revisionOfDeclared(asset: AssetRecord): string {
  return JSON.stringify([asset.uuid, revisionOfFile(asset)])
}

/** We write out each type of a collection with at most this many assets, because that is easier to review. */
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
 * Identifies the kit, version, and query. The text is the same for all spellings of a specifier. It is memoized because
 * it is needed several times for each asset of a module.
 */
export const sourceOf = memoizeWeak(({ named: { kit }, query }: KitAssets) =>
  JSON.stringify([kit.uuid, kit.version, formatQuery(query)]),
)

/** Returns the export that already declares an asset. If there isn't one, registers `place` and returns undefined. */
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
