import type { Catalog } from '../catalog/catalog.js'
import type { Recall } from '../catalog/recall.js'
import type { Part } from '../catalog/remembered.js'
import { exportedCollection } from '../components/collection.js'
import type { SvgPolicy } from '../files/recipe.js'
import { findAsset, kitCollection, sectionCollection, type Collection, type NamedKit } from '../kit/named-kit.js'
import { requestToId, type Request } from '../request/request.js'
import type { AssetRecord } from '../space/space.js'
import { unknownExport } from './exports.js'

export type AssetRequest = Extract<Request, { kind: 'asset' }>
export type CollectionRequest = Extract<Request, { kind: 'kit' | 'section' }>

/** A collection of which an import uses some exports by name, and not the default export. */
export type NamedRequest = CollectionRequest & { pick: string[] }

export function isNamed(request: CollectionRequest): request is NamedRequest {
  return request.pick?.includes('default') === false
}

export interface PartsContext {
  catalog: Catalog
  recall: Recall
  svg: SvgPolicy
  /** Called with the assets that a module shows of a version. Default: nothing. */
  onUse?: (version: { kit: string; version: number }, assets: Iterable<string>) => void
}

/**
 * Returns what a module is made from: what an earlier build has used, or else what the kit contains.
 * @throws ContentSpaceError when something does not exist, or is not exported
 */
export async function loadPart(request: AssetRequest | NamedRequest, context: PartsContext): Promise<Part> {
  const part = await recallPart(request, context)
  const assets = part.assets.map(({ uuid }) => uuid)
  context.onUse?.(part, assets)
  return part
}

async function recallPart(request: AssetRequest | NamedRequest, context: PartsContext): Promise<Part> {
  const { recall } = context
  // Which kit contains an id without a kit depends on more than the lockfile.
  if (!request.kit) return findPart(request, context)
  const id = requestToId(request)
  const known = recall.part(id)
  if (known) return known
  const part = await findPart(request, context)
  recall.learn(id, part)
  return part
}

async function findPart(request: AssetRequest | NamedRequest, { catalog, svg }: PartsContext): Promise<Part> {
  if (request.kind === 'asset') {
    const { named, asset } = await loadAsset(catalog, request)
    const { uuid: kit, version } = named.kit
    return { kit, version, exports: [['default', asset.uuid]], assets: [asset] }
  }
  const { named, collection } = await loadCollection(catalog, request, svg)
  const { uuid: kit, version } = named.kit
  const exports = request.pick.map((name): [string, string] => {
    const asset = collection.exports.get(name)
    if (asset === undefined) throw unknownExport(name, collection, named, request.query)
    return [name, asset]
  })
  const assets = [...new Set(exports.map(([, asset]) => asset))].flatMap((uuid) => collection.assets.get(uuid) ?? [])
  return { kit, version, exports, assets }
}

/** Returns the collection with the assets of a part only. */
export function partCollection({ exports, assets }: Part): Collection {
  return {
    assets: new Map(assets.map((asset) => [asset.uuid, asset])),
    exports: new Map(exports),
    tree: () => {
      throw new TypeError('A part has no default export.')
    },
  }
}

/** Returns the asset of a part that is one asset. */
export function assetOf({ assets: [asset] }: Part): AssetRecord {
  if (asset) return asset
  throw new TypeError('The part has no asset.')
}

export async function loadAsset(
  catalog: Catalog,
  { kit, asset }: AssetRequest,
): Promise<{ named: NamedKit; asset: AssetRecord }> {
  const named = await (kit ? catalog.load(kit) : catalog.loadWithAsset(asset))
  return { named, asset: findAsset(named, asset) }
}

export interface LoadedCollection {
  named: NamedKit
  collection: Collection
}

/** Loads a collection with what its module exports. */
export async function loadCollection(
  catalog: Catalog,
  request: CollectionRequest,
  svg: SvgPolicy,
): Promise<LoadedCollection> {
  const { named, collection } = await findCollection(catalog, request)
  return { named, collection: exportedCollection(collection, request.query, svg) }
}

async function findCollection(catalog: Catalog, request: CollectionRequest): Promise<LoadedCollection> {
  if (request.kind === 'kit') {
    const named = await catalog.load(request.kit)
    return { named, collection: kitCollection(named) }
  }
  if (request.kit) {
    const named = await catalog.load(request.kit)
    return { named, collection: sectionCollection(named, request.section, request.heading) }
  }
  const named = await catalog.loadWithSection(request.section, request.version)
  return { named, collection: sectionCollection(named, request.section) }
}
